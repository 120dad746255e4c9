import type { Pod } from '../../api/builtin/index.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';

type PodStatus = NonNullable<Pod['status']>;
type ContainerStatus = NonNullable<PodStatus['containerStatuses']>[number];

/** The Events of scheduler and kubelet about what has changed in a pod, by its status before and after. */
export function podEvents({ metadata, spec, status: before }: Pod, after: PodStatus | undefined): readonly Effect[] {
  if (!after) return [];
  const wasAssigned = before?.conditions?.some(({ type }) => type === 'PodScheduled') ?? false;
  const assigned = !wasAssigned && after.conditions?.some(({ type, status }) => type === 'PodScheduled' && status === 'True');
  const scheduled = note(
    'Normal',
    'Scheduled',
    `Successfully assigned ${metadata.namespace}/${metadata.name} to ${spec.nodeName ?? 'the local node'}`,
  );
  const containers = (after.containerStatuses ?? []).flatMap((now) => {
    const was = before?.containerStatuses?.find(({ name }) => name === now.name);
    return containerEvents(metadata, was, now);
  });
  return [...(assigned ? [scheduled] : []), ...containers];
}

function containerEvents(pod: Pod['metadata'], was: ContainerStatus | undefined, now: ContainerStatus): readonly Effect[] {
  const startedAt = now.state?.running?.startedAt;
  if (startedAt !== undefined && was?.state?.running?.startedAt !== startedAt)
    return [note('Normal', 'Started', `Started container ${now.name}`)];
  const reason = waitingFor(now);
  return reason === '' || reason === waitingFor(was) ? [] : waitingEvents(pod, now, reason);
}

const waitingFor = (container: ContainerStatus | undefined): string => container?.state?.waiting?.reason ?? '';

function waitingEvents(pod: Pod['metadata'], { name, state }: ContainerStatus, reason: string): readonly Effect[] {
  const message = state?.waiting?.message ?? reason;
  switch (reason) {
    case 'CrashLoopBackOff':
      return [note('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${pod.name}_${pod.namespace}(${pod.uid})`)];
    case 'ErrImagePull':
      return [note('Warning', 'Failed', message)];
    case 'ImagePullBackOff':
      return [note('Warning', 'BackOff', message)];
    default:
      return [];
  }
}

const note = (type: 'Normal' | 'Warning', reason: string, message: string): Effect => ({ kind: 'Event', type, reason, message });
