import { describe, expect, test } from 'vitest';
import { instant } from '../../base/index.ts';
import { Doubts } from './stale-copies.ts';

interface Refusal {
  readonly at: number;
  readonly key?: string;
  readonly version?: string;
}

describe('doubting what is shown', () => {
  test.each<{ name: string; reason: string; refusals: readonly Refusal[]; due: boolean }>([
    {
      name: 'once',
      reason: 'a conflict is ordinary: the watch is on its way',
      refusals: [{ at: 0, version: '7' }],
      due: false,
    },
    {
      name: 'again and again within the time a watch may take',
      reason: 'retries come fast at first',
      refusals: [0, 20, 60, 5_000, 9_999].map((at) => ({ at, version: '7' })),
      due: false,
    },
    {
      name: 'again after that time, with the copy as it was',
      reason: 'the event that should have moved it is lost',
      refusals: [0, 10_000].map((at) => ({ at, version: '7' })),
      due: true,
    },
    {
      name: 'again, of an object that is not shown at all',
      reason: 'its creation is what was lost',
      refusals: [{ at: 0 }, { at: 10_000 }],
      due: true,
    },
    {
      name: 'again, but the copy has moved',
      reason: 'the stream is alive; another client writes often',
      refusals: [
        { at: 0, version: '7' },
        { at: 10_000, version: '8' },
      ],
      due: false,
    },
    {
      name: 'of another object',
      reason: 'each object is doubted by itself',
      refusals: [
        { at: 0, version: '7' },
        { at: 10_000, version: '7', key: 'shop/b' },
      ],
      due: false,
    },
  ])('refused $name: $due ($reason)', ({ refusals, due }) => {
    const doubts = new Doubts();
    const verdicts = refusals.map(({ at, key, version }) => doubts.isDue(key ?? 'shop/a', version, instant(at)));
    expect(verdicts.at(-1)).toBe(due);
  });

  test('a list is trusted for a while, and what was doubted before it is forgotten', () => {
    const doubts = new Doubts();
    const refuse = (at: number): boolean => doubts.isDue('shop/a', '7', instant(at));
    refuse(0);
    doubts.listed(instant(10_000));
    expect([20_000, 60_000, 129_999].map(refuse)).toEqual([false, false, false]);
    expect([130_000, 139_999, 140_000].map(refuse)).toEqual([false, false, true]);
  });
});
