import type { Pod } from '../../api/builtin/index.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import { succeeds } from '../kubelet/readiness.ts';

type PodStatus = NonNullable<Pod['status']>;
type ContainerStatus = NonNullable<PodStatus['containerStatuses']>[number];

/** The Events of scheduler and kubelet about what has changed in a pod, by its status before and after. */
export function podEvents(pod: Pod, after: PodStatus | undefined): readonly Effect[] {
  if (!after) return [];
  const containers = (after.containerStatuses ?? []).flatMap((now) => {
    const was = pod.status?.containerStatuses?.find(({ name }) => name === now.name);
    return containerEvents(pod, was, now);
  });
  return [...schedulingEvents(pod, after), ...containers];
}

function schedulingEvents({ metadata, spec, status }: Pod, after: PodStatus): readonly Effect[] {
  const [was, now] = [placementIn(status), placementIn(after)];
  if (now === undefined || (was?.status === now.status && was.message === now.message)) return [];
  if (now.status !== 'True') return [note('Warning', 'FailedScheduling', now.message ?? 'no node takes the pod')];
  const node = spec.nodeName ?? 'the local node';
  return [note('Normal', 'Scheduled', `Successfully assigned ${metadata.namespace}/${metadata.name} to ${node}`)];
}

const placementIn = (status: PodStatus | undefined) => status?.conditions?.find(({ type }) => type === 'PodScheduled');

function containerEvents(pod: Pod, was: ContainerStatus | undefined, now: ContainerStatus): readonly Effect[] {
  const startedAt = now.state?.running?.startedAt;
  if (startedAt !== undefined && was?.state?.running?.startedAt !== startedAt)
    return [note('Normal', 'Started', `Started container ${now.name}`), ...probeEvents(pod, now.name)];
  const reason = waitingFor(now);
  return reason === '' || reason === waitingFor(was) ? [] : waitingEvents(pod.metadata, now, reason);
}

/** Of a probe that never succeeds people learn when the container starts. */
function probeEvents({ spec }: Pod, name: string): readonly Effect[] {
  const probed = spec.containers.find((container) => container.name === name);
  if (!probed || succeeds(probed)) return [];
  return [note('Warning', 'Unhealthy', `Readiness probe failed: ${probed.readinessProbe?.exec?.command?.join(' ')}`)];
}

const waitingFor = (container: ContainerStatus | undefined): string => container?.state?.waiting?.reason ?? '';

function waitingEvents(pod: Pod['metadata'], { name, state }: ContainerStatus, reason: string): readonly Effect[] {
  const message = state?.waiting?.message ?? reason;
  switch (reason) {
    case 'CrashLoopBackOff':
      return [note('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${pod.name}_${pod.namespace}(${pod.uid})`)];
    case 'ErrImagePull':
    case 'InvalidImageName':
    case 'CreateContainerConfigError':
      return [note('Warning', 'Failed', message)];
    case 'ImagePullBackOff':
      return [note('Warning', 'BackOff', message)];
    default:
      return [];
  }
}

const note = (type: 'Normal' | 'Warning', reason: string, message: string): Effect => ({ kind: 'Event', type, reason, message });
