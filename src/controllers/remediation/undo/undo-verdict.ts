import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../../api/effectiveness-assessment/overall-score.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Read } from '../../../runtime/reconcile/controller.ts';
import { freshness, undoRecordOn, type SeenTarget } from '../../target/index.ts';
import { dryRunOf } from '../plan/dry-run.ts';
import type { RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;
export type Undo = NonNullable<RemediationStatus['undo']>;

/** What taking a change back rests on. */
export interface UndoSeen {
  /** The run that made the change. */
  readonly run: WorkflowExecution;
  /** Its workflow as the catalogue has it now: whoever looks after it may have thought better of it. */
  readonly workflow: Read<RemediationWorkflow>;
  /** What was changed, as the server has it, and its namespace; not looked at where the workflow does not ask for it. */
  readonly target: Read<SeenTarget>;
  readonly namespace: Read<KubeObject>;
}

/** Whether a change that did not help is taken back. */
export type UndoVerdict =
  | { readonly kind: 'wanted'; readonly undo: Undo }
  /** `why` is there where it was wished for and cannot be. */
  | { readonly kind: 'none'; readonly why?: string }
  | { readonly kind: 'unknown'; readonly why: string };

const NOT_WISHED: UndoVerdict = { kind: 'none' };
const impossible = (why: string): UndoVerdict => ({ kind: 'none', why });
const unknown = (why: string): UndoVerdict => ({ kind: 'unknown', why });

/**
 * Whether what an Inconclusive remediation changed is to be taken back. The workflow must ask for it, the score must be known and low, and the
 * target must be exactly what was verified, with a record by this very run of how it is taken back. What takes back is not taken back itself.
 */
export function undoVerdict(seen: RemediationSeen, assessed: Assessed): UndoVerdict {
  const { undo, object } = seen;
  if (!undo || object.spec.undoOf) return NOT_WISHED;
  if (undo.workflow.kind === 'unreadable') return unknown(undo.workflow.reason);
  if (!isWished(undo, assessed)) return NOT_WISHED;
  const dryRun = dryRunOf({ ...seen, namespace: undo.namespace, workflow: undo.workflow });
  if (dryRun.kind === 'yes') return impossible(`dry run, as ${dryRun.by} asks`);
  return dryRun.kind === 'unreadable' ? unknown('its namespace cannot be read') : onTarget(undo, object, assessed);
}

/** A score that is not known is not low. */
function isWished({ workflow }: UndoSeen, { components, assessmentReason }: Assessed): boolean {
  const limit = workflow.kind === 'value' ? workflow.value.spec.undo?.onScoreBelow : undefined;
  const score = overallScore(components, assessmentReason);
  return limit !== undefined && score !== undefined && score < limit;
}

/** A target that somebody has changed since is somebody else's: taking our change back could take theirs. */
function onTarget({ run, target }: UndoSeen, { status, metadata }: RemediationRequest, assessed: Assessed): UndoVerdict {
  const verified = status?.remediationTarget;
  const specHash = assessed.components?.currentSpecHash;
  if (assessed.assessmentReason === 'SpecDrift') return impossible('somebody else changed the target meanwhile');
  if (!verified || specHash === undefined) return impossible('the target was not seen whole');
  const state = freshness({ ...verified, specHash }, target);
  if (state.kind === 'unknown') return unknown(state.reason);
  if (state.kind === 'stale' || target.kind !== 'value') return impossible('the target is no longer what was verified');
  const way = wayBack(target.value, run);
  return typeof way === 'string' ? impossible(way) : { kind: 'wanted', undo: { requestRef: refOf(metadata), ...way, specHash } };
}

/** What takes back what the run did, as it left it on record; or why nothing does. */
function wayBack(target: SeenTarget, { metadata, spec }: WorkflowExecution): Pick<Undo, 'workflow' | 'parameters' | 'did'> | string {
  // What has no spec, such as a ConfigMap, looks the same whatever others do to it.
  if (target.spec === undefined) return 'nobody could tell whether somebody else changed the target since';
  const record = undoRecordOn(target);
  if (!record) return 'the workflow left no record of how';
  const { workflowName, workflowId } = spec.workflowRef;
  const isOurs = record.execution === metadata.name && record.workflow === (workflowName ?? workflowId);
  if (!isOurs) return `the last change there is by ${record.execution}`;
  return 'none' in record.undo ? record.undo.none : { ...record.undo, did: record.did };
}

/** Named by what it takes back, and by nothing else: however often it is asked for, there is one. */
const refOf = ({ uid, namespace }: RemediationRequest['metadata']): Undo['requestRef'] => ({
  apiVersion: apiVersionOf(RemediationRequest),
  kind: RemediationRequest.kind,
  namespace: namespace ?? '',
  name: `rr-undo-${uid}`,
});
