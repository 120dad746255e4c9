import type { JsonObject } from '../../../base/index.ts';
import type { Stored } from '../../object.ts';
import { fieldAt, hasCondition, objectsAt, textAt } from '../read-field.ts';

/** The summary of a pod's containers. */
export interface PodState {
  /** The status of the pod in one word. */
  readonly reason: string;
  readonly ready: number;
  /** The containers whose restarts count. */
  readonly statuses: readonly JsonObject[];
}

/** Summarizes a pod, as Kubernetes' own tables do. */
export function podState(pod: Stored): PodState {
  const starting = initialState(pod);
  const ending = endingReason(pod);
  if (starting.blocked !== undefined && !hasCondition(pod, 'Initialized')) {
    return { reason: ending ?? starting.blocked, ready: starting.ready, statuses: starting.seen };
  }
  const main = mainState(pod, starting.blocked ?? startReason(pod));
  return {
    reason: ending ?? main.reason,
    ready: starting.ready + main.ready,
    statuses: [...starting.sidecars, ...objectsAt(pod, 'status.containerStatuses')],
  };
}

function startReason(pod: Stored): string {
  const isGated = objectsAt(pod, 'status.conditions').some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  return isGated ? 'SchedulingGated' : textAt(pod, 'status.reason') || textAt(pod, 'status.phase');
}

/** A deletion takes precedence over the states of containers. */
function endingReason(pod: Stored): string | undefined {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  if (textAt(pod, 'status.reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status.phase')) ? undefined : 'Terminating';
}

interface InitialState {
  /** Why the main containers have to wait; undefined when they do not. */
  readonly blocked: string | undefined;
  /** Sidecars that are ready. */
  readonly ready: number;
  readonly sidecars: readonly JsonObject[];
  /** The containers that count: up to the one that blocks. */
  readonly seen: readonly JsonObject[];
}

/** Init containers run one after the other; the pod waits for the first that has not completed. */
function initialState(pod: Stored): InitialState {
  const declared = objectsAt(pod, 'spec.initContainers');
  const isSidecar = ({ name }: JsonObject): boolean =>
    declared.some((container) => container['name'] === name && container['restartPolicy'] === 'Always');
  const statuses = objectsAt(pod, 'status.initContainerStatuses');
  const isThrough = (status: JsonObject): boolean =>
    fieldAt(status, 'state.terminated.exitCode') === 0 || (isSidecar(status) && status['started'] === true);
  const at = statuses.findIndex((status) => !isThrough(status));
  const seen = at < 0 ? statuses : statuses.slice(0, at + 1);
  const sidecars = seen.filter(isSidecar);
  const started = sidecars.filter((status) => status['started'] === true && fieldAt(status, 'state.terminated') === undefined);
  return {
    blocked: at < 0 ? undefined : `Init:${blockReason(statuses[at]!) ?? `${at}/${declared.length}`}`,
    ready: started.filter((status) => status['ready'] === true).length,
    sidecars,
    seen,
  };
}

function blockReason(status: JsonObject): string | undefined {
  if (fieldAt(status, 'state.terminated') !== undefined) return terminationReason(status);
  const waiting = textAt(status, 'state.waiting.reason');
  return waiting === '' || waiting === 'PodInitializing' ? undefined : waiting;
}

function terminationReason(status: JsonObject): string {
  const reason = textAt(status, 'state.terminated.reason');
  if (reason !== '') return reason;
  const signal = Number(fieldAt(status, 'state.terminated.signal') ?? 0);
  return signal === 0 ? `ExitCode:${Number(fieldAt(status, 'state.terminated.exitCode') ?? 0)}` : `Signal:${signal}`;
}

/** The state of the first container with a reason counts; `Completed` yields to the others. */
function mainState(pod: Stored, start: string): { readonly reason: string; readonly ready: number } {
  const statuses = objectsAt(pod, 'status.containerStatuses');
  const reason = statuses.map(containerReason).find((said) => said !== undefined) ?? start;
  const ready = statuses.filter(isReady).length;
  if (reason !== 'Completed') return { reason, ready };
  if (ready > 0 && hasCondition(pod, 'Ready')) return { reason: 'Running', ready };
  const bad = statuses.find((status) => Number(fieldAt(status, 'state.terminated.exitCode') ?? 0) !== 0);
  if (bad) return { reason: terminationReason(bad), ready };
  return { reason: ready > 0 ? 'NotReady' : reason, ready };
}

function containerReason(status: JsonObject): string | undefined {
  const waiting = textAt(status, 'state.waiting.reason');
  if (waiting !== '') return waiting;
  return fieldAt(status, 'state.terminated') === undefined ? undefined : terminationReason(status);
}

const isReady = (status: JsonObject): boolean =>
  status['ready'] === true && fieldAt(status, 'state.running') !== undefined && containerReason(status) === undefined;
