import { describe, expect, test } from 'vitest';
import type { Condition } from '../../api/meta.ts';
import { instant, parseTime } from '../../base/index.ts';
import { getCondition, isTrue, setCondition } from './conditions.ts';

const noon = instant(parseTime('2026-11-15T12:00:00.789Z') ?? 0);
const EARLIER = '2026-11-15T09:00:00Z';
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Done',
  message: 'all is well',
  lastTransitionTime: EARLIER,
  observedGeneration: 2,
};

describe('setting a condition', () => {
  const CASES: readonly { name: string; reason: string; set: Partial<Condition>; want: Partial<Condition> }[] = [
    {
      name: 'new status',
      reason: 'that is a transition, in whole seconds',
      set: { status: 'False' },
      want: { status: 'False', lastTransitionTime: '2026-11-15T12:00:00Z' },
    },
    {
      name: 'new reason',
      reason: 'the status did not change',
      set: { reason: 'Better' },
      want: { reason: 'Better', lastTransitionTime: EARLIER },
    },
    {
      name: 'new message',
      reason: 'the status did not change',
      set: { message: 'really' },
      want: { message: 'really', lastTransitionTime: EARLIER },
    },
    {
      name: 'a message longer than the API takes',
      reason: 'the status would be refused for ever',
      set: { message: 'x'.repeat(40_000) },
      want: { message: `${'x'.repeat(32_767)}…`, lastTransitionTime: EARLIER },
    },
    {
      name: 'new generation',
      reason: 'the status did not change',
      set: { observedGeneration: 3 },
      want: { observedGeneration: 3, lastTransitionTime: EARLIER },
    },
  ];
  test.each(CASES)('$name: $reason', ({ set, want }) => {
    const { lastTransitionTime: _, ...wanted } = { ...ready, ...set };
    expect(setCondition([ready], wanted, noon)).toEqual([{ ...ready, ...want }]);
  });

  test('the same again gives the same array', () => {
    const before = [ready];
    const { lastTransitionTime: _, ...wanted } = ready;
    expect(setCondition(before, wanted, noon)).toBe(before);
  });

  test('leaves the array it was given alone, and the other conditions', () => {
    const before: readonly Condition[] = Object.freeze([ready]);
    const after = setCondition(before, { type: 'Analyzed', status: 'Unknown', reason: 'Waiting', message: '' }, noon);
    expect(before).toEqual([ready]);
    expect(after).toContain(ready);
    expect(getCondition(after, 'Analyzed')).toEqual({
      type: 'Analyzed',
      status: 'Unknown',
      reason: 'Waiting',
      message: '',
      lastTransitionTime: '2026-11-15T12:00:00Z',
    });
  });

  test('puts Ready first and the others by name, whatever the order they came in', () => {
    let conditions: readonly Condition[] | undefined;
    for (const type of ['Verified', 'Ready', 'Analyzed', 'Blocked'])
      conditions = setCondition(conditions, { type, status: 'True', reason: 'R', message: '' }, noon);
    expect(conditions?.map(({ type }) => type)).toEqual(['Ready', 'Analyzed', 'Blocked', 'Verified']);
  });
});

test.each([
  { conditions: undefined, want: false },
  { conditions: [], want: false },
  { conditions: [ready], want: true },
  { conditions: [{ ...ready, status: 'False' as const }], want: false },
  { conditions: [{ ...ready, status: 'Unknown' as const }], want: false },
])('isTrue of $conditions is $want', ({ conditions, want }) => {
  expect(isTrue(conditions, 'Ready')).toBe(want);
});
