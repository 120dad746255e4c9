import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import { LABELS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { Claim, OverJudge } from '../../budget/index.ts';
import { hasFinalizer } from '../engines/awx/index.ts';
import { RUN_ENGINES, engineOf } from '../engines/index.ts';
import { isPodActive } from '../engines/evidence/pod-evidence.ts';
import { executionUidOf } from '../names.ts';
import { joinLists, listOfEngine, podsOfEngine } from './read-run.ts';

/** How runs, their pods and locks are found by the UID of their execution. */
export const BY_EXECUTION = 'execution';
export const byExecution = { [BY_EXECUTION]: (marked: KubeObject): readonly string[] => [executionUidOf(marked) ?? ''] };

/**
 * When the run of an execution is really over, for the budget. A terminal phase is final, so any view of it will do; that an object does not
 * exist needs a live read. A failed execution may have a run that still continues, or is still to be deleted; and so it may in AWX, for as long
 * as it has the finalizer for that.
 */
export const runOver = (reader: Reader, runNamespace: string): OverJudge => ({
  look(claim) {
    const execution = ofClaim(reader.get(WorkflowExecution, keyOfClaim(claim)), claim);
    if (execution.kind !== 'value') return execution.kind === 'absent' ? 'unsure' : 'running';
    const phase = execution.value.status?.phase;
    if (phase === 'Failed') return hasFinalizer(execution.value) ? 'running' : lookAtRuns(reader, claim);
    return phase === 'Completed' || phase === 'Skipped' ? 'over' : 'running';
  },
  async ask(claim) {
    const execution = ofClaim(await reader.fetch(WorkflowExecution, keyOfClaim(claim)), claim);
    if (execution.kind === 'unreadable') return false;
    const phase = execution.kind === 'value' ? execution.value.status?.phase : 'gone';
    if (phase === 'Completed' || phase === 'Skipped') return true;
    if (execution.kind === 'value' && hasFinalizer(execution.value)) return false;
    return (phase === 'Failed' || phase === 'gone') && (await isNothingLeft(reader, claim, { runNamespace, isGone: phase === 'gone' }));
  },
});

function lookAtRuns(reader: Reader, { uid }: Claim): 'over' | 'running' | 'unsure' {
  const runs = joinLists(RUN_ENGINES.map(({ resource }) => reader.list(resource, { index: BY_EXECUTION, value: uid })));
  if (runs.kind === 'unreadable') return 'running';
  if (runs.value.length === 0) return 'unsure';
  return runs.value.every(isEnded) ? 'over' : 'running';
}

const isEnded = (run: KubeObject): boolean => engineOf(run).endOf(run) !== undefined;

/** A held run whose execution is gone stays until the next execution on its target deletes it: it will never be released. */
async function isNothingLeft(
  reader: Reader,
  { uid }: Claim,
  { runNamespace, isGone }: { readonly runNamespace: string; readonly isGone: boolean },
): Promise<boolean> {
  const where = { namespace: runNamespace, labelSelector: `${LABELS.workflowExecutionUid}=${uid}` };
  const runs = joinLists(
    await Promise.all(RUN_ENGINES.map((engine) => listOfEngine(reader, engine, { resource: engine.resource, ...where }))),
  );
  if (runs.kind === 'unreadable' || runs.value.some((run) => !isEnded(run) && !(isGone && engineOf(run).isSuspended(run)))) return false;
  // Deleting a run leaves its parts, which act on until they are collected.
  const pods = joinLists(await Promise.all(RUN_ENGINES.map((engine) => podsOfEngine(reader, engine, where))));
  return pods.kind === 'value' && !pods.value.some(isPodActive);
}

/** Another object of the name is not the one that claimed. */
const ofClaim = (read: Read<WorkflowExecution>, { uid }: Claim): Read<WorkflowExecution> =>
  read.kind === 'value' && read.value.metadata.uid !== uid ? { kind: 'absent' } : read;

function keyOfClaim({ key }: Claim): ObjectKey {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}
