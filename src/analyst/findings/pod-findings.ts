import type { ContainerStatus, Pod } from '../../api/builtin/index.ts';
import { containersOf, isReady } from '../pod-state.ts';
import { plainText } from '../surroundings/log-lines.ts';
import type { LogTail, Surroundings } from '../surroundings/surroundings.ts';

const MOST_PODS = 3;

/** What is seen of pods that are not ready: which, which container, how it ended, what the kubelet and its log say. */
export function podFindings(pods: readonly Pod[], around: Surroundings | undefined): readonly string[] {
  const bad = pods.filter((pod) => !isReady(pod) && pod.status?.phase !== 'Succeeded');
  const shown = bad.slice(0, MOST_PODS).flatMap((pod) => findingsOf(pod, around));
  return bad.length > MOST_PODS ? [...shown, `${bad.length - MOST_PODS} more pods are not ready`] : shown;
}

function findingsOf(pod: Pod, around: Surroundings | undefined): readonly string[] {
  const { name, deletionTimestamp, finalizers = [] } = pod.metadata;
  const where = pod.spec.nodeName === undefined ? `pod ${name}` : `pod ${name} on node ${pod.spec.nodeName}`;
  const containers = containersOf(pod).flatMap((status) => containerFinding(status, pod) ?? []);
  const logs = (around?.logs ?? []).filter((log) => log.pod === name).map(logText);
  const held =
    deletionTimestamp !== undefined && finalizers.length > 0 ? [`is being deleted, held by finalizers ${finalizers.join(', ')}`] : [];
  const whole = [...held, ...podStates(pod)];
  const said = [...whole, ...containers];
  const sentence = `${where}: ${(said.length > 0 ? said : [`is not ready (${pod.status?.phase ?? 'Unknown'})`]).join('; ')}`;
  return [sentence, ...logs];
}

/** What the pod itself says: that no node takes it, that it was evicted. */
function podStates({ status }: Pod): readonly string[] {
  const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  const text = (reason: string | undefined, message: string | undefined): string =>
    [reason, message === undefined || message === '' ? undefined : plainText(message)].filter((part) => part !== undefined).join(': ');
  return [
    ...(unscheduled ? [`no node takes it: ${text(unscheduled.reason, unscheduled.message)}`] : []),
    ...(status?.reason === undefined ? [] : [text(status.reason, status.message)]),
  ];
}

function containerFinding(status: ContainerStatus, pod: Pod): string | undefined {
  const isInit = pod.status?.initContainerStatuses?.some(({ name }) => name === status.name) ?? false;
  if (isInit && status.state?.terminated?.exitCode === 0) return undefined;
  const said = stateText(status, isInit);
  return said && `${isInit ? 'init container' : 'container'} ${status.name} ${said}`;
}

function stateText(status: ContainerStatus, isInit: boolean): string | undefined {
  const { waiting, terminated, running } = status.state ?? {};
  const ended = endedText(status);
  if (waiting) return `waits (${waitText(waiting)})${ended === undefined ? '' : `; it ${ended}`}`;
  if (!terminated && running && !status.ready && !isInit)
    return `runs, but is not ready${ended === undefined ? '' : `; before that it ${ended}`}`;
  return ended;
}

const waitText = ({ reason = 'waiting', message }: { readonly reason?: string; readonly message?: string }): string =>
  message ? `${reason}: ${plainText(message)}` : reason;

function endedText({ state, lastState, restartCount }: ContainerStatus): string | undefined {
  const end = state?.terminated ?? lastState?.terminated;
  if (!end) return undefined;
  return `${endText(end)}${restartCount > 0 ? `, after ${restartCount} ${restartCount === 1 ? 'restart' : 'restarts'}` : ''}`;
}

function endText({ exitCode, reason, message }: NonNullable<NonNullable<ContainerStatus['state']>['terminated']>): string {
  const said = message === undefined || message.trim() === '' ? '' : `: ${plainText(message)}`;
  return `ended with exit code ${exitCode}${reason === undefined ? '' : ` (${reason})`}${said}`;
}

const logText = ({ container, isPrevious, lines }: LogTail): string =>
  `last lines of container ${container}${isPrevious ? ', run before' : ''}: ${lines.map((line) => JSON.stringify(line)).join(' ')}`;
