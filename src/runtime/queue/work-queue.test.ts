import { describe, expect, test } from 'vitest';
import { instant, turn } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

function started(options: Partial<WorkQueueOptions> = {}): { clock: ManualClock; queue: WorkQueue; stop: () => Promise<void> } {
  const clock = new ManualClock(0);
  const queue = new WorkQueue({ clock, backoff: { baseMs: 10, maxMs: 100 }, ...options });
  const end = new AbortController();
  const run = queue.run(end.signal);
  const stop = (): Promise<void> => {
    end.abort();
    return run;
  };
  return { clock, queue, stop };
}

/** Takes everything that is ready. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.depth > 0) {
    const key = await queue.get();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

describe('order', () => {
  const cases = [
    { adds: ['a', 'b', 'c'], want: ['a', 'b', 'c'], reason: 'first in, first out' },
    { adds: ['a', 'b', 'a', 'a'], want: ['a', 'b'], reason: 'a key is in line once' },
    { adds: ['a', 'b:5', 'c:5', 'd:9'], want: ['d', 'b', 'c', 'a'], reason: 'higher priority first, in order of arrival within one' },
    { adds: ['a', 'b', 'c', 'b:1'], want: ['b', 'a', 'c'], reason: 'added again with a higher priority, a key moves up' },
    { adds: ['a:5', 'b:5', 'a:1'], want: ['a', 'b'], reason: 'a lower priority does not move it down' },
    { adds: ['a:5', 'b:5', 'a:5'], want: ['a', 'b'], reason: 'the same priority keeps its turn' },
    { adds: ['a:-10', 'b', 'c:-10', 'c:0'], want: ['b', 'c', 'a'], reason: 'start-up keys wait behind changes, and a change lifts them' },
    {
      adds: ['a', 'b', 'c', 'd', 'b:1', 'd:1', 'a:1'],
      want: ['b', 'd', 'a', 'c'],
      reason: 'leaving from the middle, the end and the start of a line',
    },
  ];
  test.each(cases)('$reason', async ({ adds, want }) => {
    const { queue } = started();
    for (const add of adds) {
      const [key = '', priority] = add.split(':');
      queue.add(key, priority === undefined ? undefined : Number(priority));
    }
    expect(queue.depth).toBe(want.length);
    expect(await takeAll(queue)).toEqual(want);
  });
});

describe('a key in work', () => {
  test('is given to one worker only, and runs again when added meanwhile', async () => {
    const { queue } = started();
    queue.add('a');
    expect(await queue.get()).toBe('a');
    queue.add('a');
    queue.add('a');
    expect(queue.depth).toBe(0);
    expect(queue.working).toBe(1);
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a']);
  });

  test('remembers the highest priority of what was added meanwhile, not its own', async () => {
    const { queue } = started();
    queue.add('a', 100);
    await queue.get();
    queue.add('a', 1);
    queue.add('a', 3);
    queue.add('a', 2);
    queue.add('b', 2);
    queue.add('c', 4);
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['c', 'a', 'b']);
  });

  test('ends only if a worker has it: another done means nothing', async () => {
    const { queue } = started();
    queue.add('a');
    queue.done('a');
    queue.done('b');
    expect(queue.working).toBe(0);
    expect(await takeAll(queue)).toEqual(['a']);
  });

  test('idle workers get keys in the order in which they asked', async () => {
    const { queue } = started();
    const got: string[] = [];
    const workers = [1, 2].map(async (worker) => got.push(`${worker}:${await queue.get()}`));
    queue.add('a');
    queue.add('b');
    await Promise.all(workers);
    expect(got).toEqual(['1:a', '2:b']);
  });
});

describe('retries', () => {
  test('wait longer every time, until the key succeeds', async () => {
    const { clock, queue, stop } = started();
    expect([queue.retry('a'), queue.retry('a'), queue.retry('a'), queue.retry('b')]).toEqual([10, 20, 40, 10]);
    await clock.advance(10);
    expect(await takeAll(queue)).toEqual(['b']);
    await clock.advance(30);
    expect(await takeAll(queue)).toEqual(['a']);
    queue.forget('a');
    expect(queue.retry('a')).toBe(10);
    await stop();
  });

  test('are moot once the key is worked on for another reason', async () => {
    const { clock, queue, stop } = started();
    queue.retry('a');
    queue.add('a');
    expect(await takeAll(queue)).toEqual(['a']);
    await clock.advance(1_000);
    expect(queue.depth).toBe(0);
    await stop();
  });

  test('are off when the key is forgotten', async () => {
    const { clock, queue, stop } = started();
    queue.retry('a');
    queue.forget('a');
    await clock.advance(1_000);
    expect(queue.depth).toBe(0);
    await stop();
  });

  test('that are no failure do not lengthen the next one', async () => {
    const { queue, stop } = started();
    queue.retryIn('a', 500);
    expect(queue.retry('a')).toBe(10);
    await stop();
  });

  test('run by the steady clock: setting the other one does not stretch them', async () => {
    const steady = new ManualClock(0);
    const wall = new ManualClock();
    const { queue, stop } = started({ clock: wall, steady });
    queue.retry('a');
    wall.jump(-3_600_000);
    await steady.advance(10);
    expect(queue.depth).toBe(1);
    await stop();
  });
});

describe('wake-ups', () => {
  test('come when their time has passed, although the clock was set back: once, and five seconds late at most', async () => {
    const steady = new ManualClock(0);
    const wall = new ManualClock();
    const { queue, stop } = started({ clock: wall, steady });
    queue.wakeAt('a', instant(wall.now() + 60_000));
    wall.jump(-3_600_000);
    await steady.advance(64_999);
    expect(queue.depth).toBe(0);
    await steady.advance(1);
    expect(await takeAll(queue)).toEqual(['a']);
    await wall.advance(3_700_000);
    expect(queue.depth).toBe(0);
    await stop();
  });

  test('that came or were removed do not come a second time by the steady clock', async () => {
    const steady = new ManualClock(0);
    const wall = new ManualClock();
    const { queue, stop } = started({ clock: wall, steady });
    queue.wakeAt('a', instant(wall.now() + 1_000));
    queue.wakeAt('b', instant(wall.now() + 1_000));
    queue.wakeAt('b', undefined);
    await wall.advance(1_000);
    expect(await takeAll(queue)).toEqual(['a']);
    await steady.advance(100_000);
    expect(queue.depth).toBe(0);
    await stop();
  });

  test('come at their moment', async () => {
    const { clock, queue, stop } = started();
    queue.wakeAt('a', instant(1_000));
    expect(queue.wakesAt('a')).toBe(1_000);
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await takeAll(queue)).toEqual(['a']);
    await clock.advance(10_000);
    expect(queue.depth).toBe(0);
    await stop();
  });

  const replaced = [
    { first: 100, second: 50, wakes: [50], reason: 'the last word counts when it is earlier' },
    { first: 50, second: 100, wakes: [100], reason: 'the last word counts when it is later' },
    { first: 50, second: undefined, wakes: [], reason: 'nothing to wait for any more' },
  ];
  test.each(replaced)('$reason', async ({ first, second, wakes }) => {
    const { clock, queue, stop } = started();
    queue.wakeAt('a', instant(first));
    queue.wakeAt('a', second === undefined ? undefined : instant(second));
    const woken: number[] = [];
    for (let ms = 1; ms <= 150; ms++) {
      await clock.advance(1);
      if ((await takeAll(queue)).length > 0) woken.push(ms);
    }
    expect(woken).toEqual(wakes);
    await stop();
  });

  test('outlive an add before them and the pass that follows, until that pass says otherwise', async () => {
    const { clock, queue, stop } = started();
    queue.wakeAt('a', instant(100));
    queue.add('a');
    expect(await takeAll(queue)).toEqual(['a']);
    await clock.advance(100);
    expect(await takeAll(queue)).toEqual(['a']);
    await stop();
  });

  test('that come while the key is in work make it run once more', async () => {
    const { clock, queue, stop } = started();
    queue.wakeAt('a', instant(100));
    queue.add('a');
    await queue.get();
    await clock.advance(200);
    expect(queue.depth).toBe(0);
    queue.done('a');
    expect(queue.depth).toBe(1);
    await stop();
  });
});

describe('closing', () => {
  test('ends idle workers, returns no further keys, and waits for running passes', async () => {
    const { clock, queue, stop } = started();
    const idle = queue.get();
    queue.add('a');
    expect(await idle).toBe('a');
    const waiting = queue.get();
    queue.add('b');
    expect(await waiting).toBe('b');
    queue.add('c');
    queue.wakeAt('d', instant(10));
    let drained = false;
    const closed = queue.close().then(() => (drained = true));
    expect(await queue.get()).toBeUndefined();
    queue.add('e');
    queue.add('a');
    queue.done('a');
    await turn();
    expect(drained).toBe(false);
    queue.done('b');
    await closed;
    await clock.advance(100);
    expect(await queue.get()).toBeUndefined();
    await stop();
  });

  test('with no key in work is immediate; waiting workers are notified', async () => {
    const { queue } = started();
    const idle = queue.get();
    await queue.close();
    expect(await idle).toBeUndefined();
  });
});

describe('hooks', () => {
  test('count every key that becomes ready, how long it waited, and every retry', async () => {
    const told: string[] = [];
    const hooks = { added: () => told.push('added'), taken: (ms: number) => told.push(`taken ${ms}`), retried: () => told.push('retried') };
    const { clock, queue, stop } = started({ hooks });
    queue.add('a');
    queue.add('a');
    await clock.advance(7);
    await queue.get();
    queue.add('a');
    queue.done('a');
    queue.retry('b');
    expect(told).toEqual(['added', 'taken 7', 'added', 'retried']);
    await stop();
  });
});

describe('records of idle keys', () => {
  test('are swept, those of ready keys and keys in work are not', async () => {
    const { queue } = started();
    queue.add('busy');
    expect(await queue.get()).toBe('busy');
    queue.add('waiting', -1);
    for (let i = 0; i < 5_000; i++) queue.add(`k${i}`);
    for (let i = 0; i < 5_000; i++) queue.done((await queue.get())!);
    queue.add('busy');
    queue.add('waiting', -1);
    expect([queue.depth, queue.working]).toEqual([1, 1]);
    queue.done('busy');
    expect(await takeAll(queue)).toEqual(['busy', 'waiting']);
    queue.add('k1');
    expect(await takeAll(queue)).toEqual(['k1']);
  });
});
