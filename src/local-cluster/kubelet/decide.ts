import { Pod, type ContainerStatus } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import { parseTime, SECOND, after, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { remove } from '../../runtime/reconcile/delete-object.ts';
import { earliest, lookAgain } from '../look-again.ts';
import { isLocalNode, isSilent, NODE_NAME } from '../node/node-name.ts';
import { isFinal, killed, nextOfContainer, type ContainerNext, type ContainerSeen } from './container-timeline.ts';
import type { PodSeen } from './observe.ts';
import { ORPHANED, orphaned, podStatus, unreachable, unschedulable } from './pod-status.ts';
import { place } from './schedule.ts';

/** The handlers that a pod's process is started and stopped by. */
export const START_PROCESS = 'start-process';
export const STOP_PROCESS = 'stop-process';

const NOTHING: Decision = { effects: [] };

/** The life of a pod: it gets a node, its containers run, and when it is to go they are stopped first. */
export function decide(seen: PodSeen, now: Instant): Decision {
  const { metadata, spec } = seen.object;
  if (spec.nodeName === undefined) return metadata.deletionTimestamp === undefined ? schedule(seen, now) : takeAway(seen, now);
  if (seen.node.kind === 'absent' && spec.nodeName !== NODE_NAME) return collect(seen, now);
  return isOnOurs(seen) ? onItsNode(seen, now) : NOTHING;
}

/** A node that is gone for so long does not come back under its name. */
const NODE_GONE_MS = 40 * SECOND;

/** A pod whose node is gone can run no more: it goes as well, as the pod garbage collector has it, so that its owner replaces it. */
function collect(seen: PodSeen, now: Instant): Decision {
  const { status } = seen.object;
  const marked = status?.conditions?.find(({ type }) => type === ORPHANED);
  if (!marked) return { status: orphaned(seen.object, now), effects: [], wakeAt: after(now, NODE_GONE_MS) };
  const due = after(parseTime(marked.lastTransitionTime ?? undefined) ?? now, NODE_GONE_MS);
  return now < due ? { effects: [], wakeAt: due } : takeAway(seen, now);
}

function onItsNode(seen: PodSeen, now: Instant): Decision {
  const { metadata, status } = seen.object;
  // Its kubelet neither runs nor ends anything; the node controller reports the pod.
  if (seen.node.kind === 'value' && isSilent(seen.node.value))
    return { status: unreachable(seen.object, now), effects: [], wakeAt: lookAgain(now) };
  if (metadata.deletionTimestamp !== undefined) return takeAway(seen, now);
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return NOTHING;
  return run(seen, now);
}

const isOnOurs = ({ object, node }: PodSeen): boolean =>
  object.spec.nodeName === NODE_NAME ||
  (node.kind === 'value' && node.value.metadata.name === object.spec.nodeName && isLocalNode(node.value));

/** A pod with a scheduling gate waits for the owner of the gate. */
function schedule({ object, candidates }: PodSeen, now: Instant): Decision {
  if (candidates.kind === 'unreadable' || object.spec.schedulingGates?.length) return { effects: [], wakeAt: lookAgain(now) };
  const placement = place(object.spec, candidates.value);
  if ('refusal' in placement) return { status: unschedulable(object, placement.refusal, now), effects: [], wakeAt: after(now, 5 * SECOND) };
  const { uid } = object.metadata;
  const operations = [{ op: 'add', path: '/spec/nodeName', value: placement.node }] as const;
  return { effects: [{ kind: 'Patch', resource: Pod, key: keyOf(object), uid, operations }], wakeAt: lookAgain(now) };
}

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
