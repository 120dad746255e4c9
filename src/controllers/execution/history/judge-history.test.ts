import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { NOW, TARGET } from '../testing/builders.ts';
import { aFailedRun, aFailedStart, aRefusal, aSkip, aSuccess, CLEARED } from '../testing/finished-executions.ts';
import { judgeHistory } from './judge-history.ts';

const judged = (past: Parameters<typeof judgeHistory>[1], now = NOW) => judgeHistory(TARGET, past, { settings: DEFAULT_SETTINGS, now });
const reasonOf = (past: Parameters<typeof judgeHistory>[1], now = NOW): string => {
  const hold = judged(past, now);
  return hold.kind === 'Skip' ? hold.skip.reason : hold.kind;
};

describe('[BO-158] what keeps an execution from running', () => {
  test.each([
    { id: 'BO-058', past: [], want: 'Free', reason: 'nothing ran before' },
    { id: 'BO-074', past: [aSuccess()], want: 'Free', reason: 'no wait is recorded' },
    { id: 'BO-008', past: [aFailedStart(1)], want: 'Wait', reason: 'the wait is not over' },
    { id: 'BO-071', past: [aFailedStart(4)], want: 'Wait', reason: 'four are not the end' },
    { id: 'BO-071', past: [aFailedStart(5)], want: 'ExhaustedRetries', reason: 'five are' },
    { id: 'BO-071', past: [aFailedStart(6)], want: 'ExhaustedRetries', reason: 'and so are six' },
    {
      id: 'BO-062',
      past: [aFailedStart(5, { nextAllowedExecution: toTime(after(NOW, MINUTE)) })],
      want: 'ExhaustedRetries',
      reason: 'it comes before the back-off',
    },
    {
      id: 'BO-035',
      past: [aFailedStart(5, { nextAllowedExecution: toTime(after(NOW, -60 * MINUTE)) })],
      want: 'ExhaustedRetries',
      reason: 'time does not help',
    },
    { id: 'BO-056', past: [aFailedRun({ minutesAgo: 100_000 })], want: 'PreviousExecutionFailed', reason: 'nor here' },
    {
      id: 'BO-061',
      past: [aFailedStart(5, { minutesAgo: 9 }), aFailedRun({ consecutiveFailures: 5 })],
      want: 'PreviousExecutionFailed',
      reason: 'the graver reason comes first',
    },
    {
      id: 'BO-060',
      past: [aFailedStart(5, { minutesAgo: 9 }), aSkip()],
      want: 'ExhaustedRetries',
      reason: 'the skipped one hides nothing',
    },
  ])('[$id] $want: $reason', ({ past, want }) => {
    expect(reasonOf(past)).toBe(want);
  });

  const future = { nextAllowedExecution: toTime(after(NOW, MINUTE)) };
  test.each([
    { what: 'a success', past: aSuccess(future), want: 'Free' },
    { what: 'a skip', past: aSkip(future), want: 'Free' },
    { what: 'a refusal', past: aRefusal(), want: 'Free' },
    { what: 'a failed run', past: aFailedRun({ ...future, consecutiveFailures: 2 }), want: 'PreviousExecutionFailed' },
    { what: 'a cleared failure', past: aFailedStart(2, { ...future, blockClearance: CLEARED }), want: 'Free' },
  ])('[BO-006] [BO-166] nothing waits after $what, whatever time it carries: $want', ({ past, want }) => {
    expect(reasonOf([past])).toBe(want);
    expect(reasonOf([aFailedStart(1, { minutesAgo: 9, nextAllowedExecution: toTime(after(NOW, -8 * MINUTE)) }), past])).toBe(want);
  });

  test.each([
    { at: -1, want: 'Wait' },
    { at: 0, want: 'Free' },
    { at: 1, want: 'Free' },
  ])('[BO-075] $at ms from the end of the wait: $want', ({ at, want }) => {
    const until = after(NOW, 90 * SECOND);
    expect(reasonOf([aFailedStart(2, { nextAllowedExecution: toTime(until) })], after(until, at))).toBe(want);
  });
});

describe('the message for people', () => {
  test('[BO-064] [BO-066] [BO-067] [BO-068] [BO-069] [BO-070] after a run that failed', () => {
    const hold = judged([aFailedRun({ name: 'we-bad', minutesAgo: 3 })]);
    expect(hold).toEqual({
      kind: 'Skip',
      skip: {
        reason: 'PreviousExecutionFailed',
        message:
          `we-bad failed while it ran on ${TARGET}, and may have changed it: actions that must not be repeated may have happened. ` +
          'Check the target, then clear the block: sickbay clear-block we-bad --reason "…".',
        recentRemediation: {
          name: 'we-bad',
          workflowId: 'rollback',
          completedAt: toTime(after(NOW, -3 * MINUTE)),
          outcome: 'Failed',
          targetResource: TARGET,
        },
      },
    });
  });

  test('[BO-068] also where it is unknown when it ended', () => {
    const { status, ...bad } = aFailedRun();
    const { completionTime: _, failureDetails: __, ...rest } = status ?? {};
    const hold = judged([{ ...bad, status: rest }]);
    expect(hold).toMatchObject({ skip: { recentRemediation: { completedAt: bad.metadata.creationTimestamp } } });
  });

  test('[BO-072] [BO-073] after the last retry', () => {
    const hold = judged([aFailedStart(5, { name: 'we-5' })]);
    expect(hold).toEqual({
      kind: 'Skip',
      skip: {
        reason: 'ExhaustedRetries',
        message:
          `5 executions in a row failed on ${TARGET} before anything ran (pre-execution). ` +
          'Remove the cause that we-5 reports, then clear the block: sickbay clear-block we-5 --reason "…".',
      },
    });
  });

  test('[BO-076] [BO-078] [BO-079] in between: after the most recent one, which, how and when it ended, and the time left, in whole seconds', () => {
    const until = after(NOW, 90 * SECOND);
    const first = aFailedStart(1, { name: 'we-1', minutesAgo: 4, nextAllowedExecution: toTime(after(NOW, -MINUTE)) });
    const { spec, ...second } = aFailedStart(2, { name: 'we-2', nextAllowedExecution: toTime(until) });
    const restart = { ...spec, workflowRef: { ...spec.workflowRef, workflowId: 'restart' } };
    const hold = judged([first, { ...second, spec: restart }], after(NOW, 400));
    expect(hold).toEqual({
      kind: 'Wait',
      until,
      message:
        `backs off after we-2 (failure 2 in a row: workflow restart on ${TARGET}, Failed at ${toTime(after(NOW, -MINUTE))}): ` +
        `next execution allowed in 1m30s, at ${toTime(until)}`,
    });
  });
});
