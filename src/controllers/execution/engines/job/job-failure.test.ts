import { describe, expect, test } from 'vitest';
import type { ContainerState, Pod } from '../../../../api/builtin/index.ts';
import type { FailureReason } from '../../../../api/workflow-execution/status.ts';
import { aJob, aPod, inState, listed } from '../../testing/builders.ts';
import { jobFailure, evidenceOf } from './job-failure.ts';
import { isPodActive, podEvidence } from '../evidence/pod-evidence.ts';

const failed = aJob({ ended: { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' } });
const timedOut = aJob({ ended: { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' } });
const terminated = (reason: string, exitCode: number, message = ''): ContainerState => ({ terminated: { exitCode, reason, message } });
const waiting = (reason: string, message = ''): ContainerState => ({ waiting: { reason, message } });
const unscheduled: Pod = aPod({
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: insufficient memory' }],
});

const evicted: Pod = aPod({
  phase: 'Failed',
  conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: '' }],
  containerStatuses: [{ name: 'workflow', ready: false, restartCount: 0, state: terminated('Error', 3) }],
});

interface Case {
  readonly name: string;
  readonly job?: typeof failed;
  readonly pods: readonly Pod[];
  readonly want: FailureReason;
  readonly started: boolean;
}

const cases: readonly Case[] = [
  { name: '[WE-008] killed for memory', pods: [inState(terminated('OOMKilled', 137), 'Failed')], want: 'OOMKilled', started: true },
  { name: 'out of time', job: timedOut, pods: [inState({ running: {} })], want: 'DeadlineExceeded', started: true },
  {
    name: '[WE-010] refusal by the API',
    pods: [inState(terminated('Error', 1, 'deployments.apps "a" is forbidden: User "b" cannot patch'), 'Failed')],
    want: 'Forbidden',
    started: true,
  },
  { name: 'exited with an error', pods: [inState(terminated('Error', 2), 'Failed')], want: 'TaskFailed', started: true },
  {
    name: 'a precondition is not met (ruling 118)',
    pods: [inState(terminated('Error', 3, 'it has no revision 1'), 'Failed')],
    want: 'TaskFailed',
    started: false,
  },
  {
    name: 'a precondition is not met, but another pod of the run is at work',
    pods: [inState(terminated('Error', 3), 'Failed'), inState({ running: {} })],
    want: 'TaskFailed',
    started: true,
  },
  {
    name: 'a precondition is not met, but another pod of the run did something',
    pods: [inState(terminated('Completed', 0), 'Succeeded'), inState(terminated('Error', 3), 'Failed')],
    want: 'TaskFailed',
    started: true,
  },
  {
    name: 'a precondition is not met, but another pod of the run left no trace',
    pods: [inState(terminated('Error', 3), 'Failed'), aPod({ phase: 'Failed' })],
    want: 'TaskFailed',
    started: true,
  },
  {
    name: 'stopped by its time limit, it exits with 3',
    job: timedOut,
    pods: [inState(terminated('Error', 3), 'Failed')],
    want: 'DeadlineExceeded',
    started: true,
  },
  { name: 'exited with 3 before it was evicted', pods: [evicted], want: 'TaskFailed', started: true },
  { name: '[WE-091] never scheduled', job: timedOut, pods: [unscheduled], want: 'ResourceExhausted', started: false },
  ...['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'].map((reason) => ({
    name: `no image: ${reason}`,
    job: timedOut,
    pods: [inState(waiting(reason), 'Pending')],
    want: 'ImagePullBackOff' as const,
    started: false,
  })),
  {
    name: '[WE-088] what it mounts or reads is not there',
    job: timedOut,
    pods: [inState(waiting('CreateContainerConfigError', 'secret "a" not found'), 'Pending')],
    want: 'ConfigurationError',
    started: false,
  },
  {
    name: 'its program does not exist',
    pods: [inState(terminated('StartError', 128, 'exec: "/nope": no such file'), 'Failed')],
    want: 'ConfigurationError',
    started: false,
  },
  { name: 'its containers left no trace', pods: [aPod({ phase: 'Failed' })], want: 'Unknown', started: true },
  {
    name: 'its node was lost',
    pods: [
      aPod({
        phase: 'Failed',
        containerStatuses: [{ name: 'workflow', ready: false, restartCount: 0, state: terminated('ContainerStatusUnknown', 137) }],
      }),
    ],
    want: 'Unknown',
    started: true,
  },
  { name: 'its pods are gone', pods: [], want: 'Unknown', started: true },
  { name: 'the only pod is another Job’s', pods: [aPod({ phase: 'Pending' }, { job: 'job-9' })], want: 'Unknown', started: true },
  { name: 'its pod never got that far', job: timedOut, pods: [aPod({ phase: 'Pending' })], want: 'DeadlineExceeded', started: false },
];

describe('why a Job failed', () => {
  test.each(cases)('$name: $want', ({ job = failed, pods, want, started }) =>
    expect(jobFailure(job, evidenceOf(job, pods, undefined, listed()))).toMatchObject({ reason: want, started }),
  );

  test('is reported with the container’s own message, when it has one', () => {
    const said = jobFailure(failed, podEvidence([inState(terminated('Error', 1, ' it has no revision 99\n'), 'Failed')]));
    expect(said).toMatchObject({ message: 'container workflow exited with 1: it has no revision 99', exitCode: 1 });
  });

  test.each([
    ['scaled nothing\n it has an autoscaler \n', 'a precondition is not met: it has an autoscaler'],
    ['', 'a precondition is not met: the workflow does not say which one'],
  ])('is reported with the last line of a workflow that refuses (ruling 118): %j', (printed, message) =>
    expect(jobFailure(failed, podEvidence([inState(terminated('Error', 3, printed), 'Failed')]))).toEqual({
      reason: 'TaskFailed',
      message,
      started: false,
      hasRefused: true,
      advice: 'Check whether the target still needs remediation, and meet the precondition if it does.',
      exitCode: 3,
      step: 'workflow',
    }),
  );

  test('is reported with the Job’s message otherwise', () =>
    expect(jobFailure(timedOut, { started: true }).message).toBe('Job was active longer than specified deadline'));

  test('is reported with the end of a long output: what went wrong comes last', () => {
    const printed = `${'x'.repeat(5_000)} it has no revision 99`;
    expect(jobFailure(failed, podEvidence([inState(terminated('Error', 1, printed), 'Failed')])).message).toMatch(
      /^container workflow exited with 1: …x{478} it has no revision 99$/,
    );
  });

  test('is reported in a thousand characters at most', () => {
    const { message } = jobFailure(timedOut, podEvidence([inState(waiting('ErrImagePull', 'x'.repeat(5_000)), 'Pending')]));
    expect(message).toHaveLength(1_000);
  });

  test('counts what was seen of pods that are gone', () => {
    const remembered = { reason: 'ImagePullBackOff', message: 'no such host', started: false };
    expect(jobFailure(timedOut, evidenceOf(timedOut, [], remembered, listed()))).toEqual({
      reason: 'ImagePullBackOff',
      plain: 'its image cannot be pulled',
      message: 'ImagePullBackOff: no such host',
      started: false,
    });
  });

  test('needs no more than the Job’s Failed condition', () =>
    expect(jobFailure(aJob(), { started: true })).toEqual({
      reason: 'Unknown',
      plain: 'the cause is unknown',
      message: 'the Job failed',
      started: true,
    }));

  test('says what killed it, and leaves out what says nothing', () => {
    expect(jobFailure(failed, podEvidence([inState(terminated('OOMKilled', 137), 'Failed')])).message).toBe(
      'container workflow exited with 137: OOMKilled',
    );
    expect(jobFailure(timedOut, podEvidence([inState(waiting('ErrImagePull'), 'Pending')])).message).toBe('ErrImagePull');
  });

  test('does not count it against what a pod says now', () =>
    expect(
      evidenceOf(failed, [inState({ running: {} })], { reason: 'ImagePullBackOff', message: '', started: false }, listed()).started,
    ).toBe(true));
});

describe('what a pod says', () => {
  test.each<[string, ContainerState, boolean]>([
    ['running', { running: {} }, true],
    ['ended', terminated('Completed', 0), true],
    ['killed', terminated('Error', 137), true],
    ['never started', terminated('StartError', 128), false],
    ['refused by the runtime', terminated('ContainerCannotRun', 127), false],
    ['being created', waiting('ContainerCreating'), false],
    ['nothing', {}, false],
  ])('a container that is %s has begun: %#', (_, state, started) => expect(podEvidence([inState(state, 'Pending')]).started).toBe(started));

  test('a container that ran before has begun, whatever it waits for now', () =>
    expect(
      podEvidence([
        aPod({
          phase: 'Running',
          containerStatuses: [
            { name: 'workflow', ready: false, restartCount: 1, state: waiting('ImagePullBackOff'), lastState: terminated('Error', 1) },
          ],
        }),
      ]).started,
    ).toBe(true));

  test('an init container counts as well', () => {
    const status = { name: 'first', ready: false, restartCount: 0, state: { running: {} } };
    expect(podEvidence([aPod({ phase: 'Pending', initContainerStatuses: [status] })]).started).toBe(true);
  });

  test('one of several pods that may have begun is enough', () =>
    expect(podEvidence([inState(waiting('ContainerCreating'), 'Pending'), aPod({ phase: 'Failed' })]).started).toBe(true));

  test('what only just exists has not begun', () => {
    const { status: _, ...pod } = aPod();
    expect(podEvidence([pod])).toEqual({ started: false });
    expect(isPodActive(pod)).toBe(true);
  });

  test('the end of a container is the one that went wrong', () => {
    const ended = (exitCode: number) => ({
      name: `c${exitCode}`,
      ready: false,
      restartCount: 0,
      state: terminated('Error', exitCode, 'why'),
    });
    expect(podEvidence([aPod({ phase: 'Failed', containerStatuses: [ended(0), ended(7)] })]).end).toEqual({
      container: 'c7',
      exitCode: 7,
      reason: 'Error',
      message: 'why',
    });
    expect(podEvidence([aPod({ phase: 'Succeeded', containerStatuses: [ended(0)] })]).end).toBeUndefined();
  });

  test('an obstacle is reported with the cluster’s message', () => {
    const ready = { type: 'Ready', status: 'False' as const, reason: 'ContainersNotReady' };
    const unplaced = aPod({ phase: 'Pending', conditions: [ready, { type: 'PodScheduled', status: 'False', message: 'no room' }] });
    expect(podEvidence([inState({}, 'Pending'), inState(waiting('ErrImagePull', ' no such host\n'), 'Pending')]).obstacle).toEqual({
      reason: 'ErrImagePull',
      message: 'no such host',
    });
    expect(podEvidence([aPod({ phase: 'Pending' }), unplaced]).obstacle).toEqual({ reason: 'Unschedulable', message: 'no room' });
    expect(podEvidence([unscheduled]).obstacle).toEqual({
      reason: 'Unschedulable',
      message: '0/1 nodes are available: insufficient memory',
    });
    expect(podEvidence([aPod({ phase: 'Pending', conditions: [ready] })]).obstacle).toBeUndefined();
  });

  test('waiting that passes by itself is no obstacle', () => {
    expect(podEvidence([inState(waiting('ContainerCreating'), 'Pending')]).obstacle).toBeUndefined();
    expect(podEvidence([inState(waiting('PodInitializing'), 'Pending')]).obstacle).toBeUndefined();
  });

  test.each([
    ['Pending', true],
    ['Running', true],
    ['Unknown', true],
    ['Succeeded', false],
    ['Failed', false],
  ] as const)('a pod that is %s may be at work: %s', (phase, alive) => expect(isPodActive(aPod({ phase }))).toBe(alive));
});
