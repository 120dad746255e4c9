import { Pod, type ContainerStatus } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import { parseTime, SECOND, after, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { remove } from '../../runtime/reconcile/delete-object.ts';
import { earliest, lookAgain } from '../look-again.ts';
import { NODE_NAME } from '../node/node-name.ts';
import { isFinal, killed, nextOfContainer, type ContainerNext, type ContainerSeen } from './container-timeline.ts';
import type { PodSeen } from './observe.ts';
import { podStatus, unschedulable } from './pod-status.ts';

/** The handlers that a pod's process is started and stopped by. */
export const START_PROCESS = 'start-process';
export const STOP_PROCESS = 'stop-process';

const NOTHING: Decision = { effects: [] };

/** The life of a pod: it gets a node, its containers run, and when it is to go they are stopped first. */
export function decide(seen: PodSeen, now: Instant): Decision {
  const { metadata, spec, status } = seen.object;
  if (spec.nodeName !== undefined && spec.nodeName !== NODE_NAME) return NOTHING;
  if (metadata.deletionTimestamp !== undefined) return takeAway(seen, now);
  if (spec.nodeName === undefined) return schedule(seen, now);
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return NOTHING;
  return run(seen, now);
}

/** There is one node; a pod with a scheduling gate waits for the owner of the gate. */
function schedule({ object, node }: PodSeen, now: Instant): Decision {
  if (node.kind === 'unreadable' || object.spec.schedulingGates?.length) return { effects: [], wakeAt: lookAgain(now) };
  const isOpen = node.kind === 'value' && node.value.spec?.unschedulable !== true;
  if (!isOpen) return { status: unschedulable(object, noNode(node.kind), now), effects: [], wakeAt: after(now, 5 * SECOND) };
  const { uid } = object.metadata;
  const operations = [{ op: 'add', path: '/spec/nodeName', value: NODE_NAME }] as const;
  return { effects: [{ kind: 'Patch', resource: Pod, key: keyOf(object), uid, operations }], wakeAt: lookAgain(now) };
}

const noNode = (node: 'absent' | 'value'): string =>
  node === 'absent'
    ? `0/0 nodes are available: node ${NODE_NAME} does not exist.`
    : '0/1 nodes are available: 1 node(s) were unschedulable. Uncordon it to let pods in.';

function run(seen: PodSeen, now: Instant): Decision {
  const parts = containersOf(seen, now);
  const next = parts.map((part) => nextOfContainer(part, now));
  const containers = next.map(({ status }) => status);
  const isOver = parts.every((part, i) => isFinal(containers[i]!, part));
  const status = podStatus(seen.object, containers, isOver, now);
  if (isOver) return { status, effects: [] };
  return { status, effects: startOf(seen, parts, containers), wakeAt: earliest(now, ...next.map(({ wakeAt }: ContainerNext) => wakeAt)) };
}

/** Running in the status and of this life, but not known to run: it is started now. The status was written first, so it starts once at most. */
function startOf(seen: PodSeen, parts: readonly ContainerSeen[], containers: readonly ContainerStatus[]): readonly Effect[] {
  const at = parts.findIndex(({ program }, i) => program.kind === 'process' && containers[i]?.state?.running !== undefined);
  const container = parts[at]?.container;
  if (!container || seen.process.kind !== 'unknown') return [];
  return [{ kind: 'Call', run: START_PROCESS, key: seen.object.metadata.uid, input: container }];
}

/** What runs is stopped before the status says so, and the pod goes only when nothing of it runs. */
function takeAway(seen: PodSeen, now: Instant): Decision {
  const { object, process } = seen;
  if (process.kind === 'running') {
    return { effects: [{ kind: 'Call', run: STOP_PROCESS, key: object.metadata.uid, input: undefined }], wakeAt: after(now, SECOND) };
  }
  const ended = containersOf(seen, now).map((part) => killed(nextOfEnding(part, now), now));
  // A pod that has ended goes at once when it is deleted; with no grace left it only waits for its finalizers.
  const effects = object.metadata.deletionGracePeriodSeconds === 0 ? [] : [remove(Pod, object)];
  return { status: podStatus(object, ended, true, now), effects, wakeAt: lookAgain(now) };
}

/** How a process ended is still told; nothing is started any more. */
function nextOfEnding(part: ContainerSeen, now: Instant): ContainerStatus {
  const isEnded = part.program.kind === 'process' && part.process.kind === 'ended';
  return isEnded || part.before === undefined ? nextOfContainer(part, now).status : part.before;
}

function containersOf({ object, process, life, programs }: PodSeen, now: Instant): readonly ContainerSeen[] {
  const { metadata, spec, status } = object;
  return spec.containers.map((container, i) => ({
    container,
    before: status?.containerStatuses?.find(({ name }) => name === container.name),
    program: programs[i]!,
    process,
    life,
    restartPolicy: spec.restartPolicy ?? 'Always',
    podStartedAt: parseTime(status?.startTime) ?? now,
    podText: `${metadata.name}_${metadata.namespace ?? ''}(${metadata.uid})`,
  }));
}
