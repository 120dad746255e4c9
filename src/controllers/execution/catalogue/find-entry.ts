import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { PlanFault } from './fault.ts';

type WorkflowRef = WorkflowExecution['spec']['workflowRef'];

/** Index over the catalogue by the id that plans name. */
export const BY_WORKFLOW_ID = 'workflow-id';

/** The id of an entry: the one that it was registered under, else its name. */
export const workflowIdOf = ({
  metadata,
  status,
}: {
  readonly metadata: { readonly name: string };
  readonly status?: RemediationWorkflow['status'] | undefined;
}): string => status?.workflowId || metadata.name;

const PLAN_ANEW = 'Have the problem analysed again: the new plan uses the current catalogue.';

/** The entry that a plan was made of, by id and version, as long as it still stands for what was planned; otherwise why it does not. */
export function findEntry(ref: WorkflowRef, catalogue: readonly RemediationWorkflow[]): RemediationWorkflow | PlanFault {
  const known = catalogue.filter((entry) => workflowIdOf(entry) === ref.workflowId);
  if (known.length === 0) return unknown(ref);
  const current = known.filter(({ spec }) => spec.version === ref.version);
  if (current.length === 0) return replaced(ref, known);
  const named = current.length === 1 ? current : current.filter(({ metadata }) => metadata.name === ref.workflowName);
  const [entry, another] = named;
  if (!entry || another) return ambiguous(ref, current);
  const why = whyWithdrawn(entry) ?? whyOther(ref, entry);
  return why === undefined ? entry : { message: `RemediationWorkflow ${entry.metadata.name} ${why}`, advice: PLAN_ANEW, isUncounted: true };
}

/** Tells the two results apart. */
export const isFault = (found: RemediationWorkflow | PlanFault): found is PlanFault => !('metadata' in found);

const unknown = ({ workflowId }: WorkflowRef): PlanFault => ({
  message: `workflow ${workflowId} is not in the catalogue`,
  advice: 'Add a RemediationWorkflow of this id, or check why it was deleted.',
});

const replaced = ({ workflowId, version }: WorkflowRef, known: readonly RemediationWorkflow[]): PlanFault => ({
  message: `the catalogue has workflow ${workflowId} in version ${versionsOf(known)}, not in ${version}: a replaced version is not run`,
  advice: PLAN_ANEW,
  isUncounted: true,
});

const versionsOf = (entries: readonly RemediationWorkflow[]): string => [...new Set(entries.map(({ spec }) => spec.version))].join(', ');

const ambiguous = ({ workflowId, version }: WorkflowRef, entries: readonly RemediationWorkflow[]): PlanFault => ({
  message: `workflow ${workflowId} ${version} is ambiguous: ${entries.map(({ metadata }) => metadata.name).join(', ')} have this id`,
  advice: 'Give each RemediationWorkflow an id of its own.',
});

/** A withdrawn workflow runs no more, also where it was approved before. */
function whyWithdrawn({ metadata, spec, status }: RemediationWorkflow): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'is being deleted';
  if (status?.catalogStatus && status.catalogStatus !== 'Active') return `is ${status.catalogStatus}`;
  return spec.dryRun === true ? 'is marked dryRun, so it is never run' : undefined;
}

/** Edited under the same version: its declarations are no longer about what would run. */
function whyOther(ref: WorkflowRef, { spec: { execution } }: RemediationWorkflow): string | undefined {
  const { engine, bundle = '', bundleDigest } = execution;
  const since = 'it was changed under the same version since the plan was made';
  if (ref.executionEngine !== undefined && ref.executionEngine !== engine)
    return `runs on ${engine}, and the plan says ${ref.executionEngine}: ${since}`;
  if (ref.executionBundle !== bundle) return `runs ${bundle || 'no bundle'}, and the plan says ${ref.executionBundle}: ${since}`;
  return ref.executionBundleDigest === bundleDigest
    ? undefined
    : `pins its bundle to ${bundleDigest ?? 'no digest'}, and the plan to ${ref.executionBundleDigest ?? 'none'}: ${since}`;
}
