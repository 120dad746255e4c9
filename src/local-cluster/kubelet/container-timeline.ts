import type { Container, ContainerState, ContainerStatus, PodSpec } from '../../api/builtin/index.ts';
import { after, assertNever, formatDuration, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Program } from './container-program.ts';
import type { Script } from './container-script.ts';
import type { ProcessState } from './process-table.ts';
import { readyAt } from './readiness.ts';
import { announcedDelay, restartDelay } from './restart-backoff.ts';
import { configuredId, startedProgram } from './started-program.ts';

/** All that decides what becomes of a container next. */
export interface ContainerSeen {
  readonly container: Container;
  readonly before: ContainerStatus | undefined;
  readonly program: Program;
  /** What is known of the pod's process, and of which life that is; only looked at where the program is one. */
  readonly process: ProcessState;
  readonly life: string;
  readonly restartPolicy: NonNullable<PodSpec['restartPolicy']>;
  /** When the node took the pod on. */
  readonly podStartedAt: Instant;
  /** `name_namespace(uid)`, as the kubelet names a pod in messages. */
  readonly podText: string;
}

/** The container's next status, and when it will change by itself. */
export interface ContainerNext {
  readonly status: ContainerStatus;
  readonly wakeAt?: Instant;
}

/** What happens to a container shows about a second later, as on a real node; times in a status have no fractions. */
const NOTICED_AFTER_MS = SECOND;
/** How long the first failure to pull an image is shown before the back-off is. */
const PULL_RETRY_MS = 10 * SECOND;
const KILLED = 137;

type Terminated = NonNullable<ContainerState['terminated']>;

/**
 * One step along the life of a container, from nothing but its last status, its program and the time:
 *
 *   waiting ContainerCreating ─▶ running ─▶ terminated ─▶ waiting CrashLoopBackOff ─▶ running …
 *
 * A container that exits at once is never shown running; one that ends for the first time runs again without a back-off.
 */
export function nextOfContainer(seen: ContainerSeen, now: Instant): ContainerNext {
  return withReadiness(seen.container, stepOf(seen, now), now);
}

function stepOf(seen: ContainerSeen, now: Instant): ContainerNext {
  const before = seen.before ?? created(seen);
  if (before.state?.running) return seen.program.kind === 'process' ? followProcess(seen, before, now) : followScript(seen, before, now);
  if (before.state?.terminated) return afterEnd(seen, before, now);
  if (before.state?.waiting?.reason === 'CrashLoopBackOff') return waitForRestart(seen, before, now);
  return begin(seen, before, now);
}

/** Whether the container is over for good. */
export function isFinal({ state }: ContainerStatus, { program, restartPolicy }: Pick<ContainerSeen, 'program' | 'restartPolicy'>): boolean {
  if (!state?.terminated) return false;
  return program.kind === 'process' || restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && state.terminated.exitCode === 0);
}

/** The container as it is when its pod is taken away. */
export function killed(status: ContainerStatus, now: Instant): ContainerStatus {
  const { running } = status.state ?? {};
  return running
    ? ended(status, { exitCode: KILLED, reason: 'Error', startedAt: running.startedAt ?? toTime(now), finishedAt: toTime(now) })
    : status;
}

const created = ({ container }: ContainerSeen): ContainerStatus => waiting(firstStatus(container), { reason: 'ContainerCreating' });

const firstStatus = ({ name, image }: Container): ContainerStatus => ({
  name,
  ...(image !== undefined && { image }),
  ready: false,
  started: false,
  restartCount: 0,
  lastState: {},
});

function begin(seen: ContainerSeen, before: ContainerStatus, now: Instant): ContainerNext {
  const { program, podStartedAt, container } = seen;
  const startsAt = after(podStartedAt, NOTICED_AFTER_MS);
  if (now < startsAt) return { status: before, wakeAt: startsAt };
  switch (program.kind) {
    case 'script':
      return { status: startedAgain(seen, before, now), wakeAt: after(now, NOTICED_AFTER_MS) };
    case 'process':
      return { status: { ...running(before, now), containerID: `process://${seen.life}` }, wakeAt: after(now, NOTICED_AFTER_MS) };
    case 'refused':
      return refused(before, refusal(program, container.image ?? '', now >= after(startsAt, PULL_RETRY_MS)), now);
    default:
      return assertNever(program);
  }
}

/** A container that is running is ready once its probe succeeds. */
function withReadiness(container: Container, next: ContainerNext, now: Instant): ContainerNext {
  const startedAt = parseTime(next.status.state?.running?.startedAt);
  if (startedAt === undefined || container.readinessProbe === undefined) return next;
  const at = readyAt(container, startedAt);
  const ready = at !== undefined && at <= now;
  const wakeAt = at === undefined || ready ? next.wakeAt : earlier(at, next.wakeAt);
  return { status: { ...next.status, ready }, ...(wakeAt !== undefined && { wakeAt }) };
}

const earlier = (a: Instant, b: Instant | undefined): Instant => (b !== undefined && b < a ? b : a);

const refused = (before: ContainerStatus, why: NonNullable<ContainerState['waiting']>, now: Instant): ContainerNext => ({
  status: waiting(before, why),
  wakeAt: after(now, PULL_RETRY_MS),
});

function refusal(program: Extract<Program, { kind: 'refused' }>, image: string, isLate: boolean): NonNullable<ContainerState['waiting']> {
  const { reason, message } = program;
  if (reason !== 'ErrImagePull' || !isLate) return { reason, message };
  return { reason: 'ImagePullBackOff', message: `Back-off pulling image ${JSON.stringify(image)}: ErrImagePull: ${message}` };
}

/** Running, or over at once when the program takes no time. */
function startedAgain({ program }: ContainerSeen, before: ContainerStatus, now: Instant): ContainerStatus {
  const isInstant = program.kind === 'script' && program.durationMs === 0;
  if (isInstant) return ended(before, { ...exit(program), startedAt: toTime(now), finishedAt: toTime(now) });
  return { ...running(before, now), ...configuredId(program) };
}

function followScript(seen: ContainerSeen, before: ContainerStatus, now: Instant): ContainerNext {
  const program = startedProgram(before, seen.program);
  const startedAt = parseTime(before.state?.running?.startedAt);
  if (program.kind !== 'script' || program.durationMs === undefined || startedAt === undefined) return { status: before };
  const finishedAt = after(startedAt, program.durationMs);
  const noticedAt = after(finishedAt, NOTICED_AFTER_MS);
  if (now < noticedAt) return { status: before, wakeAt: noticedAt };
  const times = { startedAt: toTime(startedAt), finishedAt: toTime(finishedAt) };
  return { status: ended(before, { ...exit(program), ...times }), wakeAt: after(now, NOTICED_AFTER_MS) };
}

function followProcess({ process, life }: ContainerSeen, before: ContainerStatus, now: Instant): ContainerNext {
  const times = { startedAt: before.state?.running?.startedAt ?? toTime(now), finishedAt: toTime(now) };
  if (before.containerID !== `process://${life}`) {
    const message = 'The process could not be located: the local cluster was started again while it ran';
    return { status: ended(before, { exitCode: KILLED, reason: 'ContainerStatusUnknown', message, ...times }) };
  }
  if (process.kind !== 'ended') return { status: before, wakeAt: after(now, NOTICED_AFTER_MS) };
  const { exitCode, message } = process;
  return { status: ended(before, { ...exit({ exitCode }), ...(message !== '' && { message }), ...times }) };
}

/** Over for good, back at once, or waiting for its back-off. */
function afterEnd(seen: ContainerSeen, before: ContainerStatus, now: Instant): ContainerNext {
  const { terminated } = before.state ?? {};
  if (!terminated || isFinal(before, seen)) return { status: before };
  const shownUntil = after(parseTime(terminated.finishedAt) ?? now, 2 * NOTICED_AFTER_MS);
  if (now < shownUntil) return { status: before, wakeAt: shownUntil };
  const delayMs = restartDelay(before);
  if (delayMs === 0) return restart(seen, before, terminated, now);
  const message = `back-off ${formatDuration(delayMs)} restarting failed container=${before.name} pod=${seen.podText}`;
  const status = { ...waiting(before, { reason: 'CrashLoopBackOff', message }), lastState: { terminated } };
  return { status, wakeAt: after(parseTime(terminated.finishedAt) ?? now, delayMs) };
}

function waitForRestart(seen: ContainerSeen, before: ContainerStatus, now: Instant): ContainerNext {
  const { terminated } = before.lastState ?? {};
  const restartAt = after(parseTime(terminated?.finishedAt) ?? now, announcedDelay(before));
  return now < restartAt ? { status: before, wakeAt: restartAt } : restart(seen, before, terminated, now);
}

function restart(seen: ContainerSeen, before: ContainerStatus, last: Terminated | undefined, now: Instant): ContainerNext {
  const again = { ...before, restartCount: before.restartCount + 1, lastState: last ? { terminated: last } : {} };
  if (seen.program.kind === 'refused') return refused(again, refusal(seen.program, seen.container.image ?? '', false), now);
  return { status: startedAgain(seen, again, now), wakeAt: after(now, NOTICED_AFTER_MS) };
}

const running = (before: ContainerStatus, now: Instant): ContainerStatus => ({
  ...before,
  ready: true,
  started: true,
  state: { running: { startedAt: toTime(now) } },
});

const ended = (before: ContainerStatus, terminated: Terminated): ContainerStatus => ({
  ...before,
  ready: false,
  started: false,
  state: { terminated },
});

const waiting = (before: ContainerStatus, why: NonNullable<ContainerState['waiting']>): ContainerStatus => ({
  ...before,
  ready: false,
  started: false,
  state: { waiting: why },
});

function exit({ exitCode, isOutOfMemory }: Pick<Script, 'exitCode' | 'isOutOfMemory'>): Pick<Terminated, 'exitCode' | 'reason'> {
  if (isOutOfMemory) return { exitCode, reason: 'OOMKilled' };
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' };
}
