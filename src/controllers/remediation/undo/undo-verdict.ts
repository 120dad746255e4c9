import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../../api/effectiveness-assessment/overall-score.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { OptionalRead, Read } from '../../../kube/client/read.ts';
import { freshness, undoRecordOn, type SeenTarget } from '../../target/index.ts';
import { dryRunOf } from '../plan/dry-run.ts';
import type { RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;
export type Undo = NonNullable<RemediationStatus['undo']>;

/** What the decision to undo a change rests on. */
export interface UndoSeen {
  /** The run that made the change. */
  readonly run: WorkflowExecution;
  /** Its workflow as the catalogue has it now: its owner may have removed the undo since. */
  readonly workflow: Read<RemediationWorkflow>;
  /** What was changed, from a live read, and its namespace; `NOT_READ` where the workflow does not require an undo. */
  readonly target: OptionalRead<SeenTarget>;
  readonly namespace: OptionalRead<KubeObject>;
}

/** Whether a change that did not help is undone. */
export type UndoVerdict =
  | { readonly kind: 'wanted'; readonly undo: Undo }
  /** `why` is set where the workflow requires an undo and none is possible. */
  | { readonly kind: 'none'; readonly why?: string }
  | { readonly kind: 'unknown'; readonly why: string };

const NOT_REQUESTED: UndoVerdict = { kind: 'none' };
const impossible = (why: string): UndoVerdict => ({ kind: 'none', why });
const unknown = (why: string): UndoVerdict => ({ kind: 'unknown', why });

/**
 * Whether the change of an Inconclusive remediation is undone. The workflow must require it, the score must be known and low, and the
 * target must be exactly what was verified, with an undo record by this run. An undo is not undone itself.
 */
export function undoVerdict(seen: RemediationSeen, assessed: Assessed): UndoVerdict {
  const { undo, object } = seen;
  if (!undo || object.spec.undoOf) return NOT_REQUESTED;
  if (undo.workflow.kind === 'unreadable') return unknown(undo.workflow.reason);
  if (!isUndoRequested(undo, assessed)) return NOT_REQUESTED;
  const dryRun = dryRunOf({ ...seen, namespace: undo.namespace, workflow: undo.workflow });
  if (dryRun.kind === 'yes') return impossible(`dry run, set by ${dryRun.by}`);
  return dryRun.kind === 'unreadable' ? unknown('its namespace cannot be read') : onTarget(undo, object, assessed);
}

/** Whether the workflow requires an undo for this score. An unknown score is not low. */
function isUndoRequested({ workflow }: UndoSeen, { components, assessmentReason }: Assessed): boolean {
  const limit = workflow.kind === 'value' ? workflow.value.spec.undo?.onScoreBelow : undefined;
  const score = overallScore(components, assessmentReason);
  return limit !== undefined && score !== undefined && score < limit;
}

/** A target that another client has changed since is not undone: that could undo the other change too. */
function onTarget({ run, target }: UndoSeen, { status, metadata }: RemediationRequest, assessed: Assessed): UndoVerdict {
  const verified = status?.remediationTarget;
  const specHash = assessed.components?.currentSpecHash;
  if (assessed.assessmentReason === 'SpecDrift') return impossible('another client changed the target in the meantime');
  if (!verified || specHash === undefined) return impossible('the target could not be read completely');
  const state = freshness({ ...verified, specHash }, target);
  if (state.kind === 'unknown') return unknown(state.reason);
  if (state.kind === 'stale' || target.kind !== 'value') return impossible('the target is no longer what was verified');
  const way = undoPlan(target.value, run);
  return typeof way === 'string' ? impossible(way) : { kind: 'wanted', undo: { requestRef: refOf(metadata), ...way, specHash } };
}

/** The workflow and parameters that undo the run's change, from its undo record; or why nothing undoes it. */
function undoPlan(target: SeenTarget, { metadata, spec }: WorkflowExecution): Pick<Undo, 'workflow' | 'parameters' | 'did'> | string {
  // Without a spec, as in a ConfigMap, other changes cannot be detected.
  if (target.spec === undefined) return 'a target without a spec does not show whether another client changed it since';
  const record = undoRecordOn(target);
  if (!record) return 'the workflow wrote no undo record';
  const { workflowName, workflowId } = spec.workflowRef;
  const isOurs = record.execution === metadata.name && record.workflow === (workflowName ?? workflowId);
  if (!isOurs) return `the last change of the target is by ${record.execution}`;
  return 'none' in record.undo ? record.undo.none : { ...record.undo, did: record.did };
}

/** The name derives from the request that is undone, so that there is one undo request at most. */
const refOf = ({ uid, namespace }: RemediationRequest['metadata']): Undo['requestRef'] => ({
  apiVersion: apiVersionOf(RemediationRequest),
  kind: RemediationRequest.kind,
  namespace: namespace ?? '',
  name: `rr-undo-${uid}`,
});
