import { describe, expect, test } from 'vitest';
import type { FailureReason } from '../../../../api/workflow-execution/status.ts';
import { CAUSES, disruptionCause, endCause, isObstacle, isKnownReason, obstacleCause, type Where } from './failure-causes.ts';

/** What API servers, schedulers and kubelets really say, and what it means. */
const OBSTACLES: readonly (readonly [id: string, reason: string, message: string, is: FailureReason])[] = [
  ['WE-013', 'ErrImagePull', 'failed to resolve reference "a:1": no such host', 'ImagePullBackOff'],
  ['WE-013', 'ImagePullBackOff', 'Back-off pulling image "a:1"', 'ImagePullBackOff'],
  ['WE-013', 'ErrImageNeverPull', 'Container image "a:1" is not present with pull policy of Never', 'ImagePullBackOff'],
  ['WE-013', 'InvalidImageName', 'couldn’t parse image name "A:1"', 'ImagePullBackOff'],
  ['WE-013', 'ImageInspectError', 'failed to inspect image', 'ImagePullBackOff'],
  ['WE-013', 'RegistryUnavailable', 'registry is not available', 'ImagePullBackOff'],
  ['WE-013', 'SignatureValidationFailed', 'no signature', 'ImagePullBackOff'],
  ['WE-088', 'CreateContainerConfigError', 'secret "token" not found', 'ConfigurationError'],
  ['WE-088', 'CreateContainerConfigError', 'couldn’t find key a in Secret b', 'ConfigurationError'],
  ['WE-088', 'FailedMount', 'MountVolume.SetUp failed for volume "secret-a" : secret "a" not found', 'ConfigurationError'],
  ['WE-088', 'FailedAttachVolume', 'Multi-Attach error for volume', 'ConfigurationError'],
  ['WE-012', 'CreateContainerConfigError', 'container has runAsNonRoot and image will run as root', 'ConfigurationError'],
  ['WE-012', 'CreateContainerError', 'context deadline exceeded', 'ConfigurationError'],
  ['WE-012', 'RunContainerError', 'exec: "/nope": no such file', 'ConfigurationError'],
  ['WE-012', 'StartError', 'exec: "/nope": no such file', 'ConfigurationError'],
  ['WE-012', 'ContainerCannotRun', 'oci runtime error', 'ConfigurationError'],
  ['WE-012', 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates', 'ConfigurationError'],
  ['WE-008', 'StartError', 'container init was OOM-killed (memory limit too low?)', 'OOMKilled'],
  ['WE-091', 'Unschedulable', '0/2 nodes are available: 2 Insufficient cpu.', 'ResourceExhausted'],
  ['WE-091', 'FailedScheduling', '0/2 nodes are available', 'ResourceExhausted'],
  ['WE-011', 'OutOfmemory', 'Pod was rejected: Node didn’t have enough resource: memory', 'ResourceExhausted'],
  ['WE-011', 'Evicted', 'Pod was rejected: The node had condition: [MemoryPressure].', 'ResourceExhausted'],
  [
    'WE-011',
    'FailedCreate',
    'Error creating: pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    'ResourceExhausted',
  ],
  [
    'WE-012',
    'FailedCreate',
    'Error creating: pods "a" is forbidden: failed quota: q: must specify limits.cpu for: workflow',
    'ConfigurationError',
  ],
  [
    'WE-012',
    'FailedCreate',
    'Error creating: pods "a" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi',
    'ConfigurationError',
  ],
  [
    'WE-012',
    'FailedCreate',
    'Error creating: pods "a" is forbidden: error looking up service account n/a: serviceaccount "a" not found',
    'ConfigurationError',
  ],
  ['WE-012', 'FailedCreate', 'Error creating: Pod "a" is invalid: spec.containers[0].image: Required value', 'ConfigurationError'],
  [
    'WE-012',
    'FailedCreate',
    'Error creating: pods "a" is forbidden: unable to create new content in namespace n because it is being terminated',
    'ConfigurationError',
  ],
  ['WE-090', 'FailedCreate', 'Error creating: pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged', 'Forbidden'],
  [
    'WE-090',
    'FailedCreate',
    'Error creating: pods "a" is forbidden: ValidatingAdmissionPolicy "p" with binding "b" denied request: no',
    'Forbidden',
  ],
  ['WE-090', 'FailedCreate', 'Error creating: admission webhook "w" denied the request: no', 'Forbidden'],
  ['WE-016', 'FailedCreate', 'Error creating: Internal error occurred: failed calling webhook "w": connection refused', 'Unknown'],
  ['WE-016', 'FailedCreatePodSandBox', 'Failed to create pod sandbox: no addresses left', 'Unknown'],
  ['WE-016', 'NodeShutdown', 'Pod was rejected as the node is shutting down.', 'Unknown'],
];

describe('what keeps a run from beginning', () => {
  test.each(OBSTACLES)('[%s] %s (%s): %s', (_, reason, message, is) => {
    const cause = obstacleCause({ reason, message });
    expect(cause.is).toBe(is);
    expect(cause.plain).toMatch(/^[a-z]/);
  });

  test('an unknown reason does not prove that nothing began', () => {
    expect(isObstacle({ reason: 'WaitingForBudget', message: '' })).toBe(false);
    expect(isObstacle({ reason: 'EvictionByEvictionAPI', message: '' })).toBe(false);
    expect(isObstacle({ reason: 'ErrImagePull', message: '' })).toBe(true);
  });
});

describe('what the cluster does to a pod', () => {
  test.each<[string, string, FailureReason]>([
    ['PreemptionByScheduler', 'default-scheduler: preempting to accommodate a higher priority pod', 'ResourceExhausted'],
    ['TerminationByKubelet', 'The node was low on resource: memory. Threshold quantity: 100Mi', 'ResourceExhausted'],
    ['TerminationByKubelet', 'Preempted in order to admit critical pod', 'ResourceExhausted'],
    ['TerminationByKubelet', 'Pod was terminated in response to imminent node shutdown.', 'Unknown'],
    ['Evicted', 'The node was low on resource: ephemeral-storage.', 'ResourceExhausted'],
    ['EvictionByEvictionAPI', 'Eviction API: evicting', 'TaskFailed'],
    ['DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint', 'Unknown'],
    ['DeletionByPodGC', 'PodGC: node no longer exists', 'Unknown'],
    ['NodeLost', 'Node node1 which was running pod a is unresponsive', 'Unknown'],
    ['NodeNotReady', 'node node1 no longer answers', 'Unknown'],
    ['SomethingNew', 'of a later Kubernetes', 'Unknown'],
  ])('%s (%s): %s', (reason, message, is) => expect(disruptionCause({ reason, message }).is).toBe(is));
});

describe('how a container ends', () => {
  test.each<[string, string, string, FailureReason]>([
    ['WE-008', 'OOMKilled', '', 'OOMKilled'],
    ['WE-010', 'Error', 'deployments.apps "a" is forbidden: User "b" cannot patch', 'Forbidden'],
    ['WE-010', '', 'Forbidden', 'Forbidden'],
    ['WE-015', 'Error', 'no such revision', 'TaskFailed'],
    ['WE-015', 'Error', 'unforbiddenness', 'TaskFailed'],
    ['WE-015', '', '', 'TaskFailed'],
    ['WE-016', 'ContainerStatusUnknown', 'The container could not be located when the pod was terminated', 'Unknown'],
  ])('[%s] %s %s: %s', (_, reason, message, is) => expect(endCause({ reason, message }).is).toBe(is));
});

describe('the table', () => {
  test('every row can be reached by its own reason', () => {
    const judge: Readonly<Record<Where, typeof endCause>> = {
      waiting: obstacleCause,
      unstarted: obstacleCause,
      placing: obstacleCause,
      event: obstacleCause,
      disrupted: disruptionCause,
      ended: endCause,
    };
    for (const { where, reason, says, is } of CAUSES)
      if (typeof reason === 'string' && says === undefined) expect(judge[where]({ reason, message: '' }).is).toBe(is);
  });

  test('knows which reasons of a place are worth reporting', () => {
    expect(isKnownReason('waiting', 'ErrImagePull')).toBe(true);
    expect(isKnownReason('waiting', 'ContainerCreating')).toBe(false);
    expect(isKnownReason('event', 'ErrImagePull')).toBe(false);
    expect(isKnownReason('event', 'Started')).toBe(false);
    expect(isKnownReason('unstarted', 'Error')).toBe(false);
    expect(isKnownReason('unstarted', 'StartError')).toBe(true);
  });
});
