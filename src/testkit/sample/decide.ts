import { ConfigMap, Job, type PodTemplate } from '../../api/builtin/index.ts';
import { keyOf, type Draft } from '../../api/meta.ts';
import { after, assertNever, SECOND, toTime, type Instant } from '../../base/index.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import type { Decision, Effect, Read } from '../../runtime/reconcile/controller.ts';
import { HELD_JOB, isJobHeld, releaseJob } from '../../runtime/reconcile/release-suspended-runs.ts';
import { twoStepStart, type SeenRun, type Start } from '../../runtime/reconcile/two-step-start.ts';
import { deadlineOf, ERRAND_LABEL, reportName, runName, type Errand, type ErrandPhase } from './errand.ts';
import type { ErrandSeen } from './observe.ts';

/** How soon to look again where only an event is awaited, should it never come. */
const LOOK_AGAIN_MS = 5 * SECOND;

/** The life of an errand: wait for the target, run once, report. */
export function decide(seen: ErrandSeen, now: Instant): Decision {
  const phase = seen.object.status?.phase;
  switch (phase) {
    case undefined:
      return move(seen, 'Pending', now);
    case 'Pending':
      return begin(seen, now);
    case 'Running':
      return run(seen, now);
    case 'Succeeded':
    case 'Failed':
      return finish(seen, now);
    default:
      return assertNever(phase);
  }
}

/** Takes the target by creating the run, held; goes on once it sees the run and knows its UID. */
function begin(seen: ErrandSeen, now: Instant): Decision {
  const start = twoStepStart(undefined, seenRun(seen));
  switch (start.kind) {
    case 'CreateHeld':
      return stay(seen, after(now, LOOK_AGAIN_MS), [createHeldRun(seen.object)]);
    case 'RecordThenRelease':
      return move(seen, 'Running', now, { status: { runUid: start.uid }, effects: releaseSeen(seen) });
    case 'ReleasedUnrecorded':
      return move(seen, 'Running', now, { status: { runUid: start.uid } });
    default:
      return stay(seen, after(now, LOOK_AGAIN_MS));
  }
}

/** Keeps the one run that is recorded going until it ends. Gone is lost: it is never started again. */
function run(seen: ErrandSeen, now: Instant): Decision {
  const start = twoStepStart(seen.object.status?.runUid ?? '', seenRun(seen));
  const deadline = deadlineOf(seen.object, now);
  const end = endOf(seen.run, start, now >= deadline);
  if (end) return move(seen, end.phase, now, { status: end.reason === undefined ? {} : { reason: end.reason } });
  const wakeAt = after(now, Math.max(SECOND, Math.min(deadline - now, LOOK_AGAIN_MS)));
  return stay(seen, wakeAt, start.kind === 'Release' ? releaseSeen(seen) : []);
}

/** How the run ended, if it has. A run that cannot be read has not ended, however late it is. */
function endOf(run: Read<Job>, start: Start, isLate: boolean): { readonly phase: ErrandPhase; readonly reason?: string } | undefined {
  if (start.kind === 'Lost') return { phase: 'Failed', reason: 'RunLost' };
  if (run.kind !== 'value') return undefined;
  if (hasCondition(run.value, 'Complete')) return { phase: 'Succeeded' };
  if (hasCondition(run.value, 'Failed')) return { phase: 'Failed', reason: 'RunFailed' };
  return isLate ? { phase: 'Failed', reason: 'DeadlineExceeded' } : undefined;
}

/** The run as far as starting it is concerned. */
function seenRun({ object, run }: ErrandSeen): Read<SeenRun> {
  if (run.kind !== 'value') return run;
  const job = run.value;
  const isOver = hasCondition(job, 'Complete') || hasCondition(job, 'Failed');
  const state = isOver ? 'finished' : isJobHeld(job) ? 'held' : 'running';
  return { kind: 'value', value: { uid: job.metadata.uid, state, ours: belongsTo(object, job) } };
}

const releaseSeen = ({ run }: ErrandSeen): readonly Effect[] => (run.kind === 'value' ? [releaseJob(Job, run.value)] : []);

/** Frees the target, then leaves a report behind. */
function finish(seen: ErrandSeen, now: Instant): Decision {
  const left = seen.run.kind === 'value' && belongsTo(seen.object, seen.run.value) ? seen.run.value : undefined;
  const effects: Effect[] = [];
  if (left && left.metadata.deletionTimestamp === undefined) {
    effects.push({ kind: 'Delete', resource: Job, key: keyOf(left), uid: left.metadata.uid });
  }
  if (seen.report.kind === 'absent') effects.push(createReport(seen.object));
  const done = !left && seen.report.kind === 'value' && seen.run.kind !== 'unreadable';
  return stay(seen, done ? undefined : after(now, LOOK_AGAIN_MS), effects);
}

const belongsTo = (errand: Errand, job: Job): boolean => job.metadata.labels?.[ERRAND_LABEL] === errand.metadata.uid;

const hasCondition = (job: Job, type: string): boolean =>
  job.status?.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;

function stay(seen: ErrandSeen, wakeAt: Instant | undefined, effects: readonly Effect[] = []): Decision {
  return { status: seen.object.status, effects, ...(wakeAt !== undefined && { wakeAt }) };
}

function move(
  seen: ErrandSeen,
  phase: ErrandPhase,
  now: Instant,
  also: { readonly status?: Partial<Errand['status']>; readonly effects?: readonly Effect[] } = {},
): Decision {
  const status = { ...seen.object.status, ...also.status, phase, since: toTime(now) };
  return { status, effects: also.effects ?? [], wakeAt: after(now, LOOK_AGAIN_MS) };
}

/** Created held: it does nothing until its UID is recorded. */
function createHeldRun(errand: Errand): Effect {
  const template: PodTemplate = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'errand', image: 'sickbay.test/busybox:1', command: ['/bin/true'] }] },
  };
  const object: Draft<Job> = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: runName(errand),
      namespace: errand.metadata.namespace ?? 'default',
      labels: { [ERRAND_LABEL]: errand.metadata.uid },
      ownerReferences: [ownerReference(errand, { controller: true, blockOwnerDeletion: true })],
    },
    spec: { ...HELD_JOB, backoffLimit: 0, template },
  };
  return { kind: 'Create', resource: Job, object };
}

function createReport(errand: Errand): Effect {
  const object: Draft<ConfigMap> = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: reportName(errand),
      namespace: errand.metadata.namespace ?? 'default',
      labels: { [ERRAND_LABEL]: errand.metadata.uid },
      ownerReferences: [ownerReference(errand, { controller: true, blockOwnerDeletion: false })],
    },
    data: { phase: errand.status?.phase ?? '', reason: errand.status?.reason ?? '' },
  };
  return { kind: 'Create', resource: ConfigMap, object };
}
