import { describe, expect, test } from 'vitest';
import type { Resource } from '../../api/resource.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { HELD_JOB, HELD_PIPELINE_RUN, isJobHeld, isPipelineRunHeld, releaseJob, releasePipelineRun } from './release-suspended-runs.ts';

const JOB: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true };
const PIPELINE_RUN: Resource = { group: 'tekton.dev', version: 'v1', kind: 'PipelineRun', plural: 'pipelineruns', namespaced: true };

describe('suspended runs', () => {
  const jobs = [
    { spec: HELD_JOB, held: true, reason: 'as we create it' },
    { spec: { suspend: false }, held: false, reason: 'released' },
    { spec: {}, held: false, reason: 'never held' },
    { spec: undefined, held: false, reason: 'no spec' },
  ];
  test.each(jobs)('a Job $reason', ({ spec, held }) => {
    expect(isJobHeld(spec === undefined ? {} : { spec })).toBe(held);
  });

  const runs = [
    { spec: HELD_PIPELINE_RUN, held: true, reason: 'as we create it' },
    { spec: { status: 'Cancelled' }, held: false, reason: 'cancelled' },
    { spec: {}, held: false, reason: 'released' },
  ];
  test.each(runs)('a PipelineRun $reason', ({ spec, held }) => {
    expect(isPipelineRunHeld({ spec })).toBe(held);
  });

  test('are released as exactly what was observed', () => {
    const seen = { kind: 'Patch', key: { namespace: 'default', name: 'one' }, resourceVersion: '7' };
    expect(releaseJob(JOB, anObject('Job'))).toEqual({
      ...seen,
      resource: JOB,
      uid: 'uid-of-job',
      operations: [{ op: 'replace', path: '/spec/suspend', value: false }],
    });
    expect(releasePipelineRun(PIPELINE_RUN, anObject('PipelineRun'))).toEqual({
      ...seen,
      resource: PIPELINE_RUN,
      uid: 'uid-of-pipelinerun',
      operations: [
        { op: 'test', path: '/spec/status', value: 'PipelineRunPending' },
        { op: 'remove', path: '/spec/status' },
      ],
    });
  });
});
