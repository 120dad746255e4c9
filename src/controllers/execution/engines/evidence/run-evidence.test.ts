import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContainerState, Event, Pod } from '../../../../api/builtin/index.ts';
import { FAILURE_REASONS } from '../../../../api/workflow-execution/status.ts';
import type { Listed } from '../../../../kube/client/read.ts';
import { summaryOf } from '../../status/failure.ts';
import { aJob, anEvent, anExecution, aPod, inState, listed, running, UNREADABLE } from '../../testing/builders.ts';
import { CAUSES } from './failure-causes.ts';
import { jobFailure, evidenceOf } from '../job/job-failure.ts';
import type { RecordedState } from './pod-evidence.ts';

const waited: RecordedState = { reason: 'ErrImagePull', message: 'no such host', started: false };
const evicted: RecordedState = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting', started: true };
const timedOut = aJob({ ended: { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' } });
const withPods = { ...timedOut, status: { ...timedOut.status, failed: 1 } };
const refusal = anEvent('FailedCreate', { message: 'pods "a" is forbidden: exceeded quota: q' });
/** What the kubelet says of a container that never was, and of one that it lost, when their pod is ended. */
const unknown: ContainerState = { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', message: 'could not be located' } };

interface Case {
  readonly name: string;
  readonly job?: typeof timedOut;
  readonly pods?: readonly Pod[];
  readonly remembered?: RecordedState;
  readonly events?: Listed<Event>;
  readonly started: boolean;
  readonly obstacle?: string;
  readonly disruption?: string;
}

const cases: readonly Case[] = [
  {
    name: '[WE-087] it waited for its image, its pod is gone, and nothing proves a start',
    remembered: waited,
    started: false,
    obstacle: 'ErrImagePull',
  },
  { name: 'it waited, but then a container started', remembered: waited, events: listed(anEvent('Started')), started: true },
  { name: 'it waited, but it is unknown what came then', remembered: waited, events: UNREADABLE, started: true },
  {
    name: 'it waited for room in the budget, which is no reason of the cluster',
    remembered: { ...waited, reason: 'WaitingForBudget' },
    started: true,
  },
  { name: 'it ran when it was last seen', remembered: { reason: '', message: '', started: true }, started: true },
  { name: 'it was evicted when it was last seen', remembered: evicted, started: true, disruption: 'EvictionByEvictionAPI' },
  { name: 'nothing is known', started: true },
  {
    name: '[WE-089] no pod was ever made, and the Job says why',
    job: timedOut,
    events: listed(refusal),
    started: false,
    obstacle: 'FailedCreate',
  },
  { name: 'there was a pod after all', events: listed(refusal), started: true },
  {
    name: '[WE-089] [BO-015] no pod was ever made, and the Events are old',
    job: timedOut,
    remembered: { reason: 'FailedCreate', message: 'exceeded quota', started: false },
    started: false,
    obstacle: 'FailedCreate',
  },
  {
    name: '[WE-088] its pod waits, and only an Event says for what',
    pods: [inState({ waiting: { reason: 'ContainerCreating' } }, 'Pending')],
    events: listed(anEvent('FailedMount')),
    started: false,
    obstacle: 'FailedMount',
  },
  {
    name: 'what the pod says itself goes before Events',
    pods: [inState({ waiting: { reason: 'ErrImagePull' } }, 'Pending')],
    events: listed(anEvent('FailedMount')),
    started: false,
    obstacle: 'ErrImagePull',
  },
  {
    name: 'a pod that is being deleted no longer says why it waited',
    pods: [inState({ waiting: { reason: 'ContainerCreating' } }, 'Pending')],
    remembered: waited,
    started: false,
    obstacle: 'ErrImagePull',
  },
  {
    name: 'a pod waits and it is unknown for what',
    pods: [inState({ waiting: { reason: 'ContainerCreating' } }, 'Pending')],
    events: UNREADABLE,
    started: false,
  },
  {
    name: 'its container cannot be located, and it had waited',
    pods: [inState(unknown, 'Failed')],
    remembered: waited,
    started: false,
    obstacle: 'ErrImagePull',
  },
  {
    name: 'its container cannot be located, and it had run',
    pods: [inState(unknown, 'Failed')],
    remembered: { ...waited, started: true, reason: '' },
    started: true,
  },
  {
    name: 'its container cannot be located, and an Event proves its start',
    pods: [inState(unknown, 'Failed')],
    remembered: waited,
    events: listed(anEvent('Started')),
    started: true,
  },
  {
    name: 'a container that was lost had begun, when it says since when',
    pods: [inState({ terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: 'T' } }, 'Failed')],
    remembered: waited,
    started: true,
  },
  { name: 'its pod runs, whatever was seen before', pods: [inState({ running: {} })], remembered: waited, started: true },
  { name: 'its pod is well again, whatever was seen before', pods: [inState({ running: {} })], remembered: evicted, started: true },
];

describe('whether the workflow began', () => {
  test.each(cases)('$name: $started', ({ job = withPods, pods = [], remembered, events = listed(), started, obstacle, disruption }) => {
    const story = evidenceOf(job, pods, remembered, events);
    expect({ started: story.started, obstacle: story.obstacle?.reason, disruption: story.disruption?.reason }).toEqual({
      started,
      obstacle,
      disruption,
    });
  });

  test('[WE-090] [WE-011] a Job that was refused its pod to the end fails before anything ran', () => {
    const policy = anEvent('FailedCreate', { message: 'pods "a" is forbidden: violates PodSecurity "restricted:latest"' });
    expect(jobFailure(timedOut, evidenceOf(timedOut, [], undefined, listed(policy)))).toMatchObject({
      reason: 'Forbidden',
      started: false,
    });
    expect(jobFailure(timedOut, evidenceOf(timedOut, [], undefined, listed(refusal)))).toMatchObject({
      reason: 'ResourceExhausted',
      started: false,
    });
  });
});

const words = [
  ...new Set([
    ...CAUSES.map(({ reason }) => reason).filter((reason) => typeof reason === 'string'),
    'Error',
    'Completed',
    '',
    'SomethingNew',
  ]),
];
const word = fc.constantFrom(...words);
const message = fc.constantFrom('', 'exceeded quota', 'is forbidden', 'not found', 'OOM-killed', 'Pod was rejected: no', 'x'.repeat(2_000));
const state: fc.Arbitrary<ContainerState> = fc.oneof(
  fc.constant({}),
  fc.constant({ running: {} }),
  fc.record({ waiting: fc.record({ reason: word, message }) }),
  fc.record({
    terminated: fc.record({ exitCode: fc.constantFrom(0, 1, 137), reason: word, message, startedAt: fc.constantFrom('', 'T') }),
  }),
);
const condition = fc.record({
  type: fc.constantFrom('PodScheduled', 'DisruptionTarget', 'Ready', 'ContainersReady'),
  status: fc.constantFrom('True' as const, 'False' as const),
  reason: word,
  message,
});
const pod = fc
  .record({
    phase: fc.constantFrom('Pending' as const, 'Running' as const, 'Failed' as const, 'Succeeded' as const),
    reason: word,
    message,
    conditions: fc.array(condition, { maxLength: 3 }),
    states: fc.array(fc.record({ state, lastState: state }), { maxLength: 2 }),
    job: fc.constantFrom('job-1', 'job-2'),
  })
  .map(({ states, job, ...status }) =>
    aPod({ ...status, containerStatuses: states.map((one, i) => ({ name: `c${i}`, ready: false, restartCount: 0, ...one })) }, { job }),
  );
const event = fc
  .record({ reason: fc.constantFrom(...words, 'Started'), message })
  .map(({ reason, message: text }) => anEvent(reason, { message: text }));
const scene = fc.record({
  job: fc.constantFrom(timedOut, withPods, aJob({ ended: { type: 'Failed', reason: 'BackoffLimitExceeded' } }), aJob()),
  pods: fc.array(pod, { maxLength: 2 }),
  remembered: fc.option(fc.record({ reason: word, message, started: fc.boolean() }), { nil: undefined }),
  events: fc.oneof(
    fc.constant(UNREADABLE),
    fc.array(event, { maxLength: 3 }).map((value) => listed(...value)),
  ),
});

describe('whatever is seen', () => {
  test('[WE-017] [WE-086] it has one of the eight reasons, and once a container was seen to begin it never says that nothing was changed', () =>
    fc.assert(
      fc.property(scene, ({ job, pods, remembered, events }) => {
        const failure = jobFailure(job, evidenceOf(job, pods, remembered, events));
        const own = pods.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === 'job-1');
        const sawItRun = own.some(({ status }) =>
          status?.containerStatuses?.some(({ state: is, lastState }) => is?.running ?? lastState?.running),
        );
        const summary = summaryOf(anExecution({ status: running }), failure, '5s');
        expect(FAILURE_REASONS.slice(0, 8)).toContain(failure.reason);
        expect(failure.message.length).toBeLessThanOrEqual(1_000);
        expect(failure.message).not.toBe('');
        if (sawItRun) expect(failure.started).toBe(true);
        if (failure.reason === 'TaskFailed') expect(failure.started).toBe(true);
        expect(summary.includes('Nothing was changed.')).toBe(!failure.started);
        expect(summary.includes('It may have changed')).toBe(failure.started);
        expect(summary.length).toBeLessThanOrEqual(1_024);
      }),
      { numRuns: 500 },
    ));
});
