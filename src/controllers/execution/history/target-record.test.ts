import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { aFailedRun, aFailedStart, aRefusal, aSkip, aSuccess, CLEARED } from '../testing/finished-executions.ts';
import { parseTime } from '../../../base/index.ts';
import { anExecution, listed, running, UNREADABLE } from '../testing/builders.ts';
import { startTimeAfter, failuresOf } from './target-record.ts';

const short = (executions: readonly WorkflowExecution[]) => {
  const { blocker, failures, last } = failuresOf(executions);
  return { blocker: blocker?.metadata.name, failures, last: last?.metadata.name };
};

const FREE = { blocker: undefined, failures: 0, last: undefined };

interface Row {
  readonly name: string;
  readonly past: readonly WorkflowExecution[];
  readonly want: ReturnType<typeof short>;
}

const old = aFailedStart(3, { name: 'we-old', minutesAgo: 9 });
const oldRun = aFailedRun({ name: 'we-run', minutesAgo: 9 });

const rows: readonly Row[] = [
  { name: '[BO-058] nothing ran before', past: [], want: FREE },
  {
    name: '[BO-058] one that waits and one that runs say nothing, whatever count they carry',
    past: [
      anExecution({ status: { phase: 'Pending', consecutiveFailures: 3 } }),
      anExecution({ status: { ...running, consecutiveFailures: 5, nextAllowedExecution: '2099-01-01T00:00:00Z' } }),
    ],
    want: FREE,
  },
  { name: 'failures before anything ran are counted by the newest', past: [old], want: { ...FREE, failures: 3, last: 'we-old' } },
  {
    name: '[BO-059] [BO-127] of several the newest decides, in whatever order they come',
    past: [aFailedStart(1, { name: 'we-1', minutesAgo: 30 }), aFailedStart(4, { name: 'we-4', minutesAgo: 2 }), old],
    want: { ...FREE, failures: 4, last: 'we-4' },
  },
  { name: '[BO-042] [BO-022] a success restarts the count', past: [old, aSuccess({ minutesAgo: 2 })], want: FREE },
  {
    name: 'an earlier success does not take a failure back',
    past: [old, aSuccess({ minutesAgo: 20 })],
    want: { ...FREE, failures: 3, last: 'we-old' },
  },
  { name: '[BO-009] a run that failed blocks', past: [oldRun], want: { ...FREE, blocker: 'we-run' } },
  {
    name: '[BO-063] a failure that says nothing about itself blocks as well (ruling 51)',
    past: [anExecution({ name: 'we-silent', status: { phase: 'Failed' } })],
    want: { ...FREE, blocker: 'we-silent' },
  },
  { name: '[BO-060] a skipped one neither lifts nor hides a block', past: [oldRun, aSkip()], want: { ...FREE, blocker: 'we-run' } },
  { name: '[BO-060] nor a count', past: [old, aSkip()], want: { ...FREE, failures: 3, last: 'we-old' } },
  { name: 'one that was refused says nothing about the target', past: [oldRun, aRefusal()], want: { ...FREE, blocker: 'we-run' } },
  { name: 'nor does it break the row', past: [old, aRefusal()], want: { ...FREE, failures: 3, last: 'we-old' } },
  {
    name: 'a failed start after a failed run does not lift its block',
    past: [oldRun, aFailedStart(1, { name: 'we-later' })],
    want: { blocker: 'we-run', failures: 1, last: 'we-later' },
  },
  {
    name: '[BO-094] a failed run neither raises nor resets the count',
    past: [old, aFailedRun({ name: 'we-run', consecutiveFailures: 3 })],
    want: { blocker: 'we-run', failures: 3, last: undefined },
  },
  { name: '[BO-139] a person cleared the run', past: [aFailedRun({ blockClearance: CLEARED })], want: FREE },
  {
    name: 'a person cleared the row, which restarts the count (ruling 63)',
    past: [old, aFailedStart(5, { blockClearance: CLEARED })],
    want: FREE,
  },
  { name: 'what was cleared hides all before it', past: [oldRun, aFailedRun({ name: 'we-new', blockClearance: CLEARED })], want: FREE },
  {
    name: 'a clearance of something older clears nothing newer',
    past: [aFailedRun({ name: 'we-older', minutesAgo: 30, blockClearance: CLEARED }), oldRun],
    want: { ...FREE, blocker: 'we-run' },
  },
  {
    name: 'a clearance on a skipped one means nothing',
    past: [oldRun, { ...aSkip(), status: { ...aSkip().status, blockClearance: CLEARED } }],
    want: { ...FREE, blocker: 'we-run' },
  },
  {
    name: 'of two that ended in the same second the failure counts',
    past: [aSuccess({ name: 'we-ok' }), aFailedRun({ name: 'we-bad' })],
    want: { ...FREE, blocker: 'we-bad' },
  },
];

describe('the record of a target', () => {
  test.each(rows)('$name', ({ past, want }) => {
    expect(short(past)).toEqual(want);
    expect(short(past.toReversed())).toEqual(want);
  });

  test('[BO-130] without the failed execution there is no block', () => {
    expect(short([aSkip()])).toEqual(FREE);
  });
});

const MAKERS: readonly ((past: { readonly name: string; readonly minutesAgo: number }) => WorkflowExecution)[] = [
  aSuccess,
  (past) => aFailedStart(2, past),
  aFailedRun,
  (past) => aFailedRun({ ...past, blockClearance: CLEARED }),
  aSkip,
  aRefusal,
];

/** Histories in which no two ended in the same minute. */
const pasts = fc
  .uniqueArray(fc.record({ make: fc.constantFrom(...MAKERS), minutesAgo: fc.integer({ min: 1, max: 500 }) }), {
    maxLength: 12,
    selector: ({ minutesAgo }) => minutesAgo,
  })
  .map((all) => all.map(({ make, minutesAgo }) => make({ name: `we-${minutesAgo}`, minutesAgo })));

describe('a run that comes after others', () => {
  const ended = (completionTime: string) => anExecution({ status: { phase: 'Completed', completionTime } });
  const at = (text: string) => parseTime(text)!;

  test.each([
    { title: 'begins now', history: listed(ended('2026-01-01T10:00:00Z')), now: '2026-01-01T11:00:00Z', want: '2026-01-01T11:00:00Z' },
    {
      title: 'never before the last of them ended, by a clock that was set back',
      history: listed(ended('2026-01-01T10:00:00Z'), ended('2026-01-01T10:30:00Z'), anExecution()),
      now: '2026-01-01T09:00:00Z',
      want: '2026-01-01T10:30:00Z',
    },
    {
      title: 'begins now where nothing is known of others',
      history: UNREADABLE,
      now: '2026-01-01T09:00:00Z',
      want: '2026-01-01T09:00:00Z',
    },
  ])('$title', ({ history, now, want }) => expect(startTimeAfter(history, at(now))).toBe(at(want)));
});

describe('for any history', () => {
  test('what never ran changes nothing, and [BO-041] the order of the list does not matter', () => {
    fc.assert(
      fc.property(pasts, (past) => {
        const whole = short(past);
        expect(short([...past, aSkip({ name: 'we-more' }), aRefusal({ name: 'we-refused', minutesAgo: 0 })])).toEqual(whole);
        expect(short(past.toReversed())).toEqual(whole);
      }),
    );
  });

  test('a run that failed last blocks, whatever was before', () => {
    fc.assert(
      fc.property(pasts, (past) => {
        expect(short([...past, aFailedRun({ name: 'we-last', minutesAgo: 0 })]).blocker).toBe('we-last');
      }),
    );
  });

  test('a success at the end frees, whatever was before', () => {
    fc.assert(
      fc.property(pasts, (past) => {
        expect(short([...past, aSuccess({ minutesAgo: 0 })])).toEqual(FREE);
      }),
    );
  });
});
