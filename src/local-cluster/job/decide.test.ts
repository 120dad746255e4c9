import { describe, expect, test } from 'vitest';
import type { Job, Pod } from '../../api/builtin/index.ts';
import type { Read } from '../../runtime/reconcile/controller.ts';
import { aJob, aPod, at, effectText, timeAt } from '../testing/builders.ts';
import { decide } from './decide.ts';
import { jobPodKey } from './job-pod-key.ts';
import { RECORDED_GATE } from './job-pod.ts';

const ABSENT = { kind: 'absent' } as const;
const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
const { name } = jobPodKey(aJob());

const pod = (options: Parameters<typeof aPod>[0] = {}): Read<Pod> => ({ kind: 'value', value: aPod({ uid: name, ...options }) });
const held = { schedulingGates: [{ name: RECORDED_GATE }] };
const leaving = { deletionTimestamp: timeAt(0) };
const started: Job['status'] = { startTime: timeAt(0), active: 1, ready: 0 };
const failing: Job['status'] = {
  ...started,
  conditions: [{ type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded', lastTransitionTime: timeAt(0) }],
};
const complete: Job['status'] = { ...started, conditions: [{ type: 'Complete', status: 'True' }] };
const release = `Patch ${name} /spec/schedulingGates=[]`;

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly job: Job;
  readonly pod: Read<Pod>;
  readonly seconds?: number;
  readonly effects: readonly string[];
  readonly conditions?: readonly string[];
  /** Undefined: the status is left alone. */
  readonly counts?: Partial<NonNullable<Job['status']>>;
  readonly wakes: boolean;
}

const cases: readonly Case[] = [
  { name: 'new', reason: 'its pod is created, held', job: aJob(), pod: ABSENT, effects: [`Create Pod ${name}`], wakes: true },
  {
    name: 'suspended',
    reason: 'no pod while it is held',
    job: aJob({ suspend: true }),
    pod: ABSENT,
    effects: [],
    conditions: ['Suspended True JobSuspended'],
    wakes: true,
  },
  {
    name: 'suspended before its pod was released',
    reason: 'it never ran, so it can go',
    job: aJob({ suspend: true }),
    pod: pod({ spec: held }),
    effects: [`Delete ${name}`],
    conditions: ['Suspended True JobSuspended'],
    wakes: true,
  },
  {
    name: 'pod seen',
    reason: 'the start is recorded before the pod is released',
    job: aJob(),
    pod: pod({ spec: held }),
    seconds: 5,
    effects: [release],
    counts: { startTime: timeAt(5), active: 1 },
    wakes: true,
  },
  {
    name: 'resumed',
    reason: 'people can see that it was held',
    job: aJob({}, { conditions: [{ type: 'Suspended', status: 'True' }] }),
    pod: pod({ spec: held }),
    effects: [release],
    conditions: ['Suspended False JobResumed'],
    wakes: true,
  },
  {
    name: 'its held pod is going',
    reason: 'wait for the name to be free',
    job: aJob(),
    pod: pod({ spec: held, metadata: leaving }),
    effects: [],
    wakes: true,
  },
  {
    name: 'crash before the release',
    reason: 'effects follow from what exists',
    job: aJob({}, started),
    pod: pod({ spec: held }),
    effects: [release],
    counts: { active: 1 },
    wakes: true,
  },
  {
    name: 'running',
    reason: 'nothing to do but wait',
    job: aJob({}, started),
    pod: pod({ ready: 0 }),
    effects: [],
    counts: { active: 1, ready: 1 },
    wakes: true,
  },
  {
    name: 'succeeded',
    reason: 'the Job is complete',
    job: aJob({}, started),
    pod: pod({ status: { phase: 'Succeeded' } }),
    seconds: 8,
    effects: [],
    conditions: ['SuccessCriteriaMet True CompletionsReached', 'Complete True CompletionsReached'],
    counts: { succeeded: 1, completionTime: timeAt(8), ready: 0 },
    wakes: false,
  },
  {
    name: 'failed',
    reason: 'it is not tried again',
    job: aJob({}, started),
    pod: pod({ status: { phase: 'Failed' } }),
    effects: [],
    conditions: ['FailureTarget True BackoffLimitExceeded', 'Failed True BackoffLimitExceeded'],
    counts: { failed: 1 },
    wakes: false,
  },
  {
    name: 'lost',
    reason: 'a released pod that is gone is a failure, never a reason to run again',
    job: aJob({}, started),
    pod: ABSENT,
    effects: [],
    conditions: ['FailureTarget True BackoffLimitExceeded', 'Failed True BackoffLimitExceeded'],
    counts: { failed: 1 },
    wakes: false,
  },
  {
    name: 'unreadable',
    reason: 'not known is not gone, however late',
    job: aJob({ activeDeadlineSeconds: 1 }, started),
    pod: UNREADABLE,
    seconds: 99,
    effects: [],
    wakes: true,
  },
  {
    name: 'one second before',
    reason: 'the deadline has not come',
    job: aJob({ activeDeadlineSeconds: 10 }, started),
    pod: pod({ ready: 0 }),
    seconds: 9,
    effects: [],
    counts: { active: 1 },
    wakes: true,
  },
  {
    name: 'too late',
    reason: 'the verdict is recorded in status, and its pod is deleted; the Job has not failed while anything may run',
    job: aJob({ activeDeadlineSeconds: 10 }, started),
    pod: pod({ ready: 0 }),
    seconds: 10,
    effects: [`Delete ${name}`],
    conditions: ['FailureTarget True DeadlineExceeded'],
    wakes: true,
  },
  {
    name: 'done in time, seen late',
    reason: 'what went through is no failure',
    job: aJob({ activeDeadlineSeconds: 10 }, started),
    pod: pod({ status: { phase: 'Succeeded' } }),
    seconds: 99,
    effects: [],
    counts: { succeeded: 1 },
    wakes: false,
  },
  {
    name: 'too late, pod not asked yet',
    reason: 'a crash came between',
    job: aJob({}, failing),
    pod: pod({ ready: 0 }),
    effects: [`Delete ${name}`],
    conditions: ['FailureTarget True DeadlineExceeded'],
    wakes: true,
  },
  {
    name: 'too late, pod going',
    reason: 'wait until it is gone',
    job: aJob({}, failing),
    pod: pod({ ready: 0, metadata: leaving }),
    effects: [],
    conditions: ['FailureTarget True DeadlineExceeded'],
    wakes: true,
  },
  {
    name: 'too late, pod gone',
    reason: 'now it has failed',
    job: aJob({}, failing),
    pod: ABSENT,
    effects: [],
    conditions: ['FailureTarget True DeadlineExceeded', 'Failed True DeadlineExceeded'],
    counts: { failed: 1 },
    wakes: false,
  },
  {
    name: 'suspended after its start',
    reason: 'it could only run a second time, so it ends',
    job: aJob({ suspend: true }, started),
    pod: pod({ ready: 0 }),
    effects: [`Delete ${name}`],
    conditions: ['FailureTarget True BackoffLimitExceeded'],
    wakes: true,
  },
  { name: 'complete', reason: 'final', job: aJob({}, complete), pod: ABSENT, effects: [], wakes: false },
  { name: 'being deleted', reason: 'nothing is begun any more', job: aJob({}, undefined, leaving), pod: ABSENT, effects: [], wakes: false },
];

describe('a Job decides', () => {
  test.each(cases)('$name: $reason', ({ job, pod: seenPod, seconds = 0, effects, conditions, counts, wakes }) => {
    const decision = decide({ object: job, pod: seenPod }, at(seconds));
    const status = decision.status as Job['status'];
    expect(decision.effects.map(effectText)).toEqual(effects);
    expect(decision.wakeAt !== undefined).toBe(wakes);
    if (conditions) expect(status?.conditions?.map((one) => `${one.type} ${one.status} ${one.reason}`)).toEqual(conditions);
    if (counts) expect(status).toMatchObject(counts);
    if (!conditions && !counts) expect(status).toBeUndefined();
  });

  test('a Job that ended has nothing active', () => {
    expect(decide({ object: aJob({}, started), pod: ABSENT }, at(1)).status).not.toHaveProperty('active');
  });

  test('it wakes at its deadline', () => {
    expect(decide({ object: aJob({ activeDeadlineSeconds: 10 }, started), pod: pod({ ready: 0 }) }, at(7)).wakeAt).toBe(at(10));
  });

  test('its pod is found by the name of the Job, and suspended until the start is recorded', () => {
    const spec = { ...aJob().spec, template: { metadata: { labels: { team: 'shop' } }, spec: aJob().spec.template.spec } };
    const [create] = decide({ object: aJob(spec), pod: ABSENT }, at(0)).effects;
    expect(create).toMatchObject({
      object: {
        metadata: {
          namespace: 'default',
          labels: { team: 'shop', 'job-name': 'fix', 'batch.kubernetes.io/job-name': 'fix', 'controller-uid': 'job-1' },
          ownerReferences: [{ kind: 'Job', uid: 'job-1', controller: true }],
        },
        spec: { restartPolicy: 'Never', ...held },
      },
    });
  });

  test('the name of its pod differs from Job to Job, and fits', () => {
    const other = jobPodKey(aJob({}, undefined, { uid: 'job-2' }));
    expect(other.name).not.toBe(name);
    expect(jobPodKey(aJob({}, undefined, { name: 'x'.repeat(63) })).name.length).toBeLessThanOrEqual(63);
  });
});
