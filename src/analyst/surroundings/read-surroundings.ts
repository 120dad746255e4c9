import { Event, PersistentVolumeClaim, Pod, Service, type ContainerStatus, type PodSpec } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { parseTime } from '../../base/index.ts';
import type { Read } from '../../kube/client/read.ts';
import { formatLabelSelector, labelRequirements } from '../../kube/selectors/index.ts';
import type { EvidenceReader } from '../evidence-reader.ts';
import { containersOf, isReady } from '../pod-state.ts';
import { calledServices } from './called-services.ts';
import { lastLines, writtenLines } from './log-lines.ts';
import type { Dependency, LogTail, Surroundings } from './surroundings.ts';

/** Bounds, so that an analysis of a namespace of 10,000 pods costs no more than one of 10. */
const MOST_PODS = 3;
const MOST_EVENTS = 12;
const LOG = { tailLines: 20, limitBytes: 8_192 } as const;

/** Whose surroundings are read. */
export interface Neighbourhood {
  readonly target: KubeObject;
  /** What belongs to the target and may have Events of its own: ReplicaSets, Jobs. */
  readonly owned?: readonly KubeObject[];
  readonly pods: readonly Pod[];
  readonly podSpec?: PodSpec | undefined;
  /** Services that it names itself, as an Ingress does. */
  readonly services?: readonly string[];
}

/** Reads what surrounds a target: bounded in number, and never failing as a whole. */
export async function readSurroundings(hood: Neighbourhood, reader: EvidenceReader): Promise<Surroundings> {
  const namespace = hood.target.metadata.namespace ?? '';
  const gaps: string[] = [];
  const bad = hood.pods.filter((pod) => !isReady(pod)).slice(0, MOST_PODS);
  const claims = await readClaims(bad, namespace, reader, gaps);
  const events = await readEvents([hood.target, ...(hood.owned ?? []), ...bad, ...claims], namespace, reader, gaps);
  const logs = await readLogs(bad, reader, gaps);
  const called = hood.services ?? (hood.podSpec ? calledServices(hood.podSpec) : []);
  const dependencies = await readDependencies(called, namespace, reader, gaps);
  return { events, logs, claims, dependencies, gaps: [...new Set(gaps)] };
}

async function readEvents(
  objects: readonly KubeObject[],
  namespace: string,
  reader: EvidenceReader,
  gaps: string[],
): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (const { kind, metadata } of objects) {
    const events = await reader.fetchList(Event, { namespace, fieldSelector: `involvedObject.name=${metadata.name}` });
    if (events.kind === 'unreadable') {
      gaps.push(`Events cannot be read: ${events.reason}`);
      break;
    }
    found.push(...events.value.filter(({ type, involvedObject }) => type !== 'Normal' && involvedObject.kind === kind));
  }
  return found.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, MOST_EVENTS);
}

const timeOf = ({ lastTimestamp, eventTime, firstTimestamp, metadata }: Event): number =>
  parseTime(lastTimestamp ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp) ?? 0;

async function readLogs(pods: readonly Pod[], reader: EvidenceReader, gaps: string[]): Promise<readonly LogTail[]> {
  const tails: LogTail[] = [];
  for (const pod of pods) {
    const container = containersOf(pod).find((status) => !status.ready && hasRun(status));
    const tail = container && (await readTail(pod, container, reader));
    if (typeof tail === 'string') gaps.push(tail);
    else if (tail) tails.push(tail);
  }
  return tails;
}

const hasRun = ({ state, lastState }: ContainerStatus): boolean =>
  [state?.running, state?.terminated, lastState?.terminated].some((run) => run !== undefined);

/** The end of a log; a text where it cannot be read or is not kept, undefined where nothing was written. */
async function readTail(
  { metadata: { name, namespace = '' } }: Pod,
  { name: container, state, restartCount }: ContainerStatus,
  reader: EvidenceReader,
): Promise<LogTail | string | undefined> {
  const isPrevious = state?.running === undefined && restartCount > 0;
  // Without a restart there was no earlier run, and a server answers that with an error.
  const mayExist = (previous: boolean): boolean => !previous || restartCount > 0;
  const log = await firstText(
    [isPrevious, !isPrevious]
      .filter(mayExist)
      .map((previous) => () => reader.fetchLog?.({ namespace, name }, { container, previous, ...LOG })),
  );
  if (log.kind === 'unreadable') return `the log of container ${container} of pod ${name} cannot be read: ${log.reason}`;
  if (log.kind === 'absent') return undefined;
  const lines = lastLines(writtenLines(log.value));
  if (lines.length > 0) return { pod: name, container, isPrevious, lines };
  return log.value.trim() === '' ? undefined : `the log of container ${container} of pod ${name} is not kept by its node any more`;
}

/** The first that a container wrote; that it had no earlier run is no failure. */
async function firstText(reads: readonly (() => Promise<Read<string>> | undefined)[]): Promise<Read<string>> {
  let last: Read<string> = { kind: 'absent' };
  for (const read of reads) {
    const next = await read();
    if (next?.kind === 'value' && writtenLines(next.value) !== '') return next;
    last = next && !isPlaceholder(last) ? next : last;
  }
  return last;
}

/** The node answered, and has no log. */
const isPlaceholder = (read: Read<string>): boolean => read.kind === 'value' && read.value.trim() !== '';

async function readClaims(
  pods: readonly Pod[],
  namespace: string,
  reader: EvidenceReader,
  gaps: string[],
): Promise<readonly PersistentVolumeClaim[]> {
  const waiting = pods.filter(({ status }) => status?.phase === 'Pending');
  const names = waiting.flatMap(({ spec }) =>
    (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  );
  const claims: PersistentVolumeClaim[] = [];
  for (const name of [...new Set(names)].slice(0, MOST_PODS)) {
    const claim = await reader.fetch(PersistentVolumeClaim, { namespace, name });
    if (claim.kind === 'value') claims.push(claim.value);
    if (claim.kind === 'absent') gaps.push(`the PersistentVolumeClaim ${name} does not exist`);
    if (claim.kind === 'unreadable') gaps.push(`the PersistentVolumeClaim ${name} cannot be read: ${claim.reason}`);
  }
  return claims;
}

async function readDependencies(
  names: readonly string[],
  namespace: string,
  reader: EvidenceReader,
  gaps: string[],
): Promise<readonly Dependency[]> {
  const found: Dependency[] = [];
  for (const name of names) {
    const service = await reader.fetch(Service, { namespace, name });
    if (service.kind === 'unreadable') gaps.push(`the Service ${name} cannot be read: ${service.reason}`);
    if (service.kind === 'absent') found.push({ service: name, exists: false });
    if (service.kind === 'value') found.push(await readyBehind(service.value, reader, gaps));
  }
  return found;
}

async function readyBehind({ metadata, spec }: Service, reader: EvidenceReader, gaps: string[]): Promise<Dependency> {
  const { name, namespace = '' } = metadata;
  if (Object.keys(spec?.selector ?? {}).length === 0) return { service: name, exists: true };
  const labelSelector = formatLabelSelector(labelRequirements({ matchLabels: spec?.selector ?? {} }));
  const pods = await reader.fetchList(Pod, { namespace, labelSelector });
  if (pods.kind === 'unreadable') {
    gaps.push(`the pods behind Service ${name} cannot be listed: ${pods.reason}`);
    return { service: name, exists: true };
  }
  return { service: name, exists: true, readyPods: pods.value.filter(isReady).length };
}
