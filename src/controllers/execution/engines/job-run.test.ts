import { describe, expect, test } from 'vitest';
import type { Job, PodCondition } from '../../../api/builtin/index.ts';
import { toTime } from '../../../base/index.ts';
import { ABSENT, aJob, found, NOW, UNREADABLE } from '../testing/builders.ts';
import { endedAt, endOf, lockedRun } from './job-run.ts';

const withConditions = (...conditions: readonly PodCondition[]): Job => ({ ...aJob(), status: { conditions } });
const condition = (type: string, status: PodCondition['status'] = 'True'): PodCondition => ({
  type,
  status,
  lastTransitionTime: toTime(NOW),
});

describe('the end of a Job', () => {
  test.each([
    { reason: 'complete', job: withConditions(condition('Complete')), want: 'Complete' },
    { reason: 'failed, after it was about to', job: withConditions(condition('FailureTarget'), condition('Failed')), want: 'Failed' },
    { reason: 'its pods are still being stopped', job: withConditions(condition('FailureTarget')), want: undefined },
    { reason: 'its criteria are met, its pods go on', job: withConditions(condition('SuccessCriteriaMet')), want: undefined },
    { reason: 'held', job: withConditions(condition('Suspended')), want: undefined },
    { reason: 'said not to have failed', job: withConditions(condition('Failed', 'False')), want: undefined },
    { reason: 'no conditions', job: { ...aJob(), status: {} }, want: undefined },
    { reason: 'no status', job: { ...aJob(), status: undefined } as unknown as Job, want: undefined },
  ])('$want: $reason', ({ job, want }) => expect(endOf(job)?.type).toBe(want));

  test('has its moment', () => {
    expect(endedAt(withConditions(condition('Complete')))).toBe(NOW);
    expect(endedAt(withConditions({ ...condition('Complete'), lastTransitionTime: null }))).toBeUndefined();
    expect(endedAt(aJob())).toBeUndefined();
  });
});

describe('a Job as a run', () => {
  test.each([
    { reason: 'held since it was created', job: aJob({ held: true }), want: 'held' },
    { reason: 'let go', job: aJob(), want: 'running' },
    { reason: 'let go, and held again: it may have acted', job: aJob({ held: true, generation: 3 }), want: 'running' },
    { reason: 'held, but on its way out', job: aJob({ held: true, deleted: true }), want: 'running' },
    { reason: 'over', job: aJob({ ended: { type: 'Failed' } }), want: 'finished' },
    { reason: 'over, and held', job: aJob({ held: true, ended: { type: 'Complete' } }), want: 'finished' },
  ])('$want: $reason', ({ job, want }) => expect(lockedRun(found(job), 'wfe-1')).toMatchObject({ value: { state: want } }));

  test.each([
    { of: 'wfe-1', want: { ours: true, execution: 'wfe-1' } },
    { of: 'wfe-2', want: { ours: false, execution: 'wfe-2' } },
    { of: '', want: { ours: false, execution: undefined } },
  ])('belongs to whom its mark says: $of', ({ of, want }) =>
    expect(lockedRun(found(aJob({ of })), 'wfe-1')).toMatchObject({ value: want }),
  );

  test('tells when it was over, if it is', () => {
    expect(lockedRun(found(aJob({ ended: { type: 'Complete' } })), 'wfe-1')).toMatchObject({ value: { endedAt: NOW } });
    expect(lockedRun(found(aJob()), 'wfe-1')).toEqual(found({ uid: 'job-1', state: 'running', ours: true, execution: 'wfe-1' }));
  });

  test('is not made up where it cannot be seen', () => {
    expect(lockedRun(ABSENT, 'wfe-1')).toEqual(ABSENT);
    expect(lockedRun(UNREADABLE, 'wfe-1')).toEqual(UNREADABLE);
  });
});
