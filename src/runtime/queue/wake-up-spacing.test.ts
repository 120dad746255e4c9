import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { SpacedWakes } from './wake-up-spacing.ts';

function open() {
  const clock = new ManualClock();
  const woken: string[] = [];
  const wakes = new SpacedWakes(clock, (key) => woken.push(key));
  const stop = new AbortController();
  const ended = wakes.run(stop.signal);
  return { clock, woken, wakes, close: () => (stop.abort(), ended) };
}

describe('SpacedWakes', () => {
  test('wakes at once what was not woken lately', async () => {
    const { wakes, woken, clock, close } = open();
    wakes.wake('a', 1_000);
    wakes.wake('b', 1_000);
    await clock.advance(1_000);
    wakes.wake('a', 1_000);
    expect(woken).toEqual(['a', 'b', 'a']);
    await close();
  });

  test('puts off what comes too early to the end of the interval, once', async () => {
    const { wakes, woken, clock, close } = open();
    wakes.wake('a', 1_000);
    await clock.advance(400);
    wakes.wake('a', 1_000);
    wakes.wake('a', 1_000);
    await clock.advance(599);
    expect(woken).toEqual(['a']);
    await clock.advance(1);
    expect(woken).toEqual(['a', 'a']);
    await clock.advance(10_000);
    expect(woken).toEqual(['a', 'a']);
    await close();
  });

  test('counts the interval from the wake that was put off', async () => {
    const { wakes, woken, clock, close } = open();
    wakes.wake('a', 1_000);
    wakes.wake('a', 1_000);
    await clock.advance(1_000);
    wakes.wake('a', 1_000);
    expect(woken).toEqual(['a', 'a']);
    await clock.advance(1_000);
    expect(woken).toEqual(['a', 'a', 'a']);
    await close();
  });

  test('a wake-up that can wait is merged into an earlier one, and does not fire again', async () => {
    const { wakes, woken, clock, close } = open();
    wakes.wake('a', 1_000);
    wakes.wake('a', 5_000);
    wakes.wake('a', 1_000);
    wakes.wake('a', 5_000);
    await clock.advance(1_000);
    expect(woken).toEqual(['a', 'a']);
    await clock.advance(10_000);
    expect(woken).toEqual(['a', 'a']);
    await close();
  });

  test('a wake at once does for what was put off', async () => {
    const { wakes, woken, clock, close } = open();
    wakes.wake('a', 1_000);
    wakes.wake('a', 5_000);
    await clock.advance(2_000);
    wakes.wake('a', 1_000);
    expect(woken).toEqual(['a', 'a']);
    await clock.advance(10_000);
    expect(woken).toEqual(['a', 'a']);
    await close();
  });
});
