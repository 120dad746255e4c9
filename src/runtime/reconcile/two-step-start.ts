import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { assertNever } from '../../base/index.ts';
import type { Read, Reader } from './controller.ts';

/** A run as far as starting it is concerned. */
export interface SeenRun {
  readonly uid: string;
  readonly state: 'held' | 'running' | 'finished';
  /** False when another owner has a run of this name. */
  readonly ours: boolean;
}

/** What to do about a run that must act at most once. */
export type Start =
  /** Not known whether it exists: do nothing, read again. */
  | { readonly kind: 'Wait'; readonly reason: string }
  /** Create it suspended; the next pass will see it. */
  | { readonly kind: 'CreateHeld' }
  /** Put the UID into the status, and release the run in the same decision: the status is written first, or nothing happens. */
  | { readonly kind: 'RecordThenRelease'; readonly uid: string }
  /** It is recorded and still suspended: a crash came between. Release it. */
  | { readonly kind: 'Release'; readonly uid: string }
  /** Recorded and released. */
  | { readonly kind: 'Released'; readonly uid: string; readonly state: 'running' | 'finished' }
  /** Ours and already acting, though it is not recorded: another controller or an operator released it. It must not be started again. */
  | { readonly kind: 'ReleasedUnrecorded'; readonly uid: string; readonly state: 'running' | 'finished' }
  /** The recorded run is gone. That is a failure, never a reason to create another. */
  | { readonly kind: 'Lost'; readonly uid: string }
  /** Another owner has the name, and nothing of ours was started. */
  | { readonly kind: 'Taken'; readonly uid: string; readonly state: SeenRun['state'] };

/**
 * The two-step start, as a table. A run is created suspended, its UID is written into our status under the observed version, and only
 * then is it released, so that a process that was replaced while it stood still cannot get past the second step.
 *
 *   recorded  │ absent      │ held               │ running, finished   │ another's │ unreadable
 *   ──────────┼─────────────┼────────────────────┼─────────────────────┼───────────┼───────────
 *   no        │ CreateHeld  │ RecordThenRelease  │ ReleasedUnrecorded  │ Taken     │ Wait
 *   yes       │ Lost        │ Release            │ Released            │ Lost      │ Wait
 *
 * With a record, a run of another UID counts as absent. Absence must come from a live read, not the cache: see `readRun`.
 */
export function twoStepStart(recordedUid: string | undefined, run: Read<SeenRun>): Start {
  if (run.kind === 'unreadable') return { kind: 'Wait', reason: run.reason };
  if (recordedUid === undefined) return run.kind === 'absent' ? { kind: 'CreateHeld' } : unrecorded(run.value);
  if (run.kind === 'absent' || run.value.uid !== recordedUid) return { kind: 'Lost', uid: recordedUid };
  return run.value.state === 'held'
    ? { kind: 'Release', uid: recordedUid }
    : { kind: 'Released', uid: recordedUid, state: run.value.state };
}

function unrecorded({ uid, state, ours }: SeenRun): Start {
  if (!ours) return { kind: 'Taken', uid, state };
  switch (state) {
    case 'held':
      return { kind: 'RecordThenRelease', uid };
    case 'running':
    case 'finished':
      return { kind: 'ReleasedUnrecorded', uid, state };
    default:
      return assertNever(state);
  }
}

/**
 * Reads the run for an observation. Each kind has a watch of its own, so the cache can know the record before it knows the run:
 * a recorded run that the cache does not have is read live before it is reported lost, and so is one whose deadline
 * has passed (`isLate`) before it is reported too slow.
 */
export async function readRun<T extends KubeObject>(
  reader: Reader,
  run: { readonly resource: Resource<T>; readonly key: ObjectKey; readonly recordedUid: string | undefined; readonly isLate?: boolean },
): Promise<Read<T>> {
  const cached = reader.get(run.resource, run.key);
  if (run.recordedUid === undefined || cached.kind === 'unreadable') return cached;
  const isTheOne = cached.kind === 'value' && cached.value.metadata.uid === run.recordedUid;
  return isTheOne && run.isLate !== true ? cached : reader.fetch(run.resource, run.key);
}
