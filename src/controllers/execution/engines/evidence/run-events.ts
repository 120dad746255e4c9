import { Event, type Pod } from '../../../../api/builtin/index.ts';
import type { KubeObject } from '../../../../api/meta.ts';
import { after, MINUTE, parseTime, type Instant } from '../../../../base/index.ts';
import type { Listed, Reader } from '../../../../runtime/reconcile/controller.ts';
import { isKnownReason, type ClusterMessage } from './failure-causes.ts';
import { summarizePods } from './pod-evidence.ts';

/** Clusters keep Events for an hour; what is not found long after says nothing. */
const KEPT_MS = 30 * MINUTE;

export interface EventQuestion {
  readonly run: KubeObject;
  readonly pods: readonly Pod[];
  /** When the run ended, where it has. */
  readonly endedAt: Instant | undefined;
  readonly now: Instant;
}

/**
 * What is told of a run only in Events: of the run itself while it has no pod, of its pods while none of their containers has begun, and of
 * pods that have gone whether a container of theirs ever started.
 */
export async function readRunEvents(reader: Reader, question: EventQuestion): Promise<Listed<Event>> {
  const { run, pods, endedAt, now } = question;
  const namespace = run.metadata.namespace ?? '';
  if (endedAt !== undefined && now > after(endedAt, KEPT_MS)) return { kind: 'unreadable', reason: 'Events of that time are gone' };
  const { began } = summarizePods(pods);
  if (began === 'yes') return { kind: 'value', value: [] };
  const uids = pods.length === 0 ? [run.metadata.uid] : pods.map(({ metadata }) => metadata.uid);
  const selectors = uids.map((uid) => `involvedObject.uid=${uid}`);
  if (pods.length === 0) selectors.push('involvedObject.kind=Pod,reason=Started');
  const lists = await Promise.all(selectors.map((fieldSelector) => reader.fetchList(Event, { namespace, fieldSelector })));
  const unreadable = lists.find(({ kind }) => kind === 'unreadable');
  return unreadable ?? { kind: 'value', value: lists.flatMap((list) => (list.kind === 'value' ? list.value : [])) };
}

/** The last thing that is told to keep the run from beginning. */
export function obstacleIn(events: readonly Event[]): ClusterMessage | undefined {
  const told = events.filter(({ reason = '' }) => isKnownReason('event', reason)).toSorted((a, b) => timeOf(a) - timeOf(b));
  const last = told.at(-1);
  return last && { reason: last.reason ?? '', message: (last.message ?? '').trim() };
}

/** Whether a container of the run is told to have started. Pods of an earlier run have names like its own, but came before it, by the server's clock. */
export const hasStartedEvent = (run: KubeObject, events: readonly Event[]): boolean =>
  events.some(
    (event) =>
      event.reason === 'Started' &&
      (event.involvedObject.name ?? '').startsWith(`${run.metadata.name}-`) &&
      (parseTime(event.metadata.creationTimestamp) ?? 0) >= (parseTime(run.metadata.creationTimestamp) ?? 0),
  );

const timeOf = ({ lastTimestamp, eventTime, firstTimestamp, metadata }: Event): number =>
  parseTime(lastTimestamp ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp) ?? 0;
