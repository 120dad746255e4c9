import type { Pod } from '../../api/builtin/index.ts';
import { containersOf, isReady } from '../pod-state.ts';

/** A cause that fits what is seen, and how to tell whether it is the one. */
export interface LikelyCause {
  readonly cause: string;
  readonly check: string;
}

const MOST_CAUSES = 3;

/** The most likely causes of what the pods show, the most likely first. */
export function likelyCauses(pods: readonly Pod[]): readonly LikelyCause[] {
  const pod = pods.find((one) => !isReady(one));
  if (!pod) return [];
  const found = SYMPTOMS.find(({ shows }) => shows(pod));
  return found ? found.causes(pod).slice(0, MOST_CAUSES) : [];
}

interface Symptom {
  readonly shows: (pod: Pod) => boolean;
  readonly causes: (pod: Pod) => readonly LikelyCause[];
}

const waitsFor =
  (pattern: RegExp) =>
  (pod: Pod): boolean =>
    containersOf(pod).some(({ state }) => pattern.test(state?.waiting?.reason ?? ''));

const endedAs =
  (pattern: RegExp) =>
  (pod: Pod): boolean =>
    containersOf(pod).some(({ state, lastState }) => pattern.test((state?.terminated ?? lastState?.terminated)?.reason ?? ''));

const at = ({ metadata }: Pod): string => `-n ${metadata.namespace ?? 'default'} ${metadata.name}`;
const badContainer = (pod: Pod): string => containersOf(pod).find(({ ready }) => !ready)?.name ?? 'CONTAINER';
const describe = (pod: Pod): string => `kubectl describe pod ${at(pod)}`;
/** Without a restart there was no earlier run. */
const hasRestarted = (pod: Pod): boolean => containersOf(pod).some(({ ready, restartCount }) => !ready && restartCount > 0);
const logs = (pod: Pod, previous: boolean): string =>
  `kubectl logs ${at(pod)} -c ${badContainer(pod)}${previous && hasRestarted(pod) ? ' --previous' : ''}`;

/** Ordered: the first that a pod shows decides. */
const SYMPTOMS: readonly Symptom[] = [
  {
    shows: ({ metadata }) => metadata.deletionTimestamp !== undefined,
    causes: (pod) => [
      {
        cause: 'a controller that must remove its finalizer does not run',
        check: `kubectl get pod ${at(pod)} -o jsonpath='{.metadata.finalizers}'`,
      },
      { cause: 'its node does not answer', check: `kubectl get node ${pod.spec.nodeName ?? ''}` },
    ],
  },
  {
    shows: endedAs(/^OOMKilled$/),
    causes: (pod) => [
      {
        cause: 'its memory limit is too low for its load',
        check: `compare its use with its limit: kubectl top pod ${at(pod)} --containers`,
      },
      {
        cause: 'it leaks memory: its use grows until it is killed, whatever the limit',
        check: 'see whether its use grows steadily over hours',
      },
      { cause: 'a new release or a new load needs more', check: `kubectl rollout history, and ${logs(pod, true)}` },
    ],
  },
  {
    shows: waitsFor(/^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull)$/),
    causes: (pod) => [
      { cause: 'the tag or name of the image is wrong', check: `compare it with the registry: ${describe(pod)}` },
      { cause: 'the pull secret is missing or no longer valid', check: 'the message then says unauthorized, denied or forbidden' },
      { cause: 'the registry cannot be reached from the node', check: 'the message then says timeout, connection refused or no such host' },
    ],
  },
  {
    shows: waitsFor(/^Create(Container|ContainerConfig)Error$/),
    causes: (pod) => [
      { cause: 'a ConfigMap, a Secret or a key in it is missing', check: `the message names it: ${describe(pod)}` },
      {
        cause: 'it is in another namespace, or was renamed',
        check: `kubectl get configmaps,secrets -n ${pod.metadata.namespace ?? 'default'}`,
      },
    ],
  },
  {
    shows: ({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'False') ?? false,
    causes: (pod) => [
      {
        cause: 'no node has as much free memory or CPU as it requests',
        check: `the message then says Insufficient: ${describe(pod)}; kubectl describe nodes`,
      },
      {
        cause: 'its node selector, affinity, tolerations or host ports fit no node',
        check: `kubectl get pod ${at(pod)} -o yaml; kubectl get nodes --show-labels`,
      },
      {
        cause: 'a volume claim of it is not bound, or its volume is in another zone',
        check: `kubectl get pvc -n ${pod.metadata.namespace ?? 'default'}`,
      },
    ],
  },
  {
    shows: (pod) => containersOf(pod).some(({ restartCount, state }) => restartCount > 0 || state?.terminated !== undefined),
    causes: (pod) => [
      { cause: 'the program itself fails: a bug, a wrong flag, a missing file', check: logs(pod, true) },
      {
        cause: 'its configuration is wrong or was changed',
        check: 'compare the ConfigMaps and Secrets that it reads with those of the last good day',
      },
      { cause: 'a service that it needs does not answer', check: 'its log then names an address, a timeout or a refused connection' },
    ],
  },
  {
    shows: ({ status }) => status?.phase === 'Running',
    causes: (pod) => [
      { cause: 'it still starts, or waits for something it needs', check: logs(pod, false) },
      { cause: 'its readiness probe asks for a wrong path or port', check: describe(pod) },
      { cause: 'its node does not answer', check: `kubectl get node ${pod.spec.nodeName ?? ''}` },
    ],
  },
  {
    shows: () => true,
    causes: (pod) => [
      { cause: 'a volume, a network address or a security policy keeps it from starting', check: describe(pod) },
      { cause: 'its node does not answer', check: `kubectl get node ${pod.spec.nodeName ?? ''}` },
    ],
  },
];
