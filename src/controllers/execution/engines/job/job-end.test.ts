import { describe, expect, test } from 'vitest';
import type { Job, PodCondition } from '../../../../api/builtin/index.ts';
import { toTime } from '../../../../base/index.ts';
import { aJob, NOW } from '../../testing/builders.ts';
import { endedAt, endOf } from './job-end.ts';

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
