import { selectWorkflow, targetName } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { toTime, type Instant } from '../../base/index.ts';
import type { NotRead } from '../../kube/client/read.ts';
import type { Listed, Read } from '../../runtime/reconcile/controller.ts';
import { freshness, undoRecordOn, type PinnedTarget, type SeenTarget } from '../target/index.ts';
import type { Conclusion, NotYet } from './conclude.ts';
import { snapshotWorkflow } from '../plan/index.ts';
import { workflowRequirements } from './workflow-requirements.ts';

type Undo = NonNullable<NonNullable<RemediationRequest['status']>['undo']>;

/** What was read for a plan that undoes a change, all of it from the API server but the catalogue. */
export interface UndoFindings {
  readonly kind: 'undo';
  /** The request that made the change. */
  readonly original: Read<RemediationRequest>;
  /** What it changed; `not-read` while the original does not say what that is. */
  readonly target: Read<SeenTarget> | NotRead;
  readonly catalogue: Listed<RemediationWorkflow>;
}

/** What is undone: exactly what the original request recorded, and only from the state that was verified. */
interface UndoOrder {
  readonly original: RemediationRequest;
  readonly undo: Undo;
  readonly target: PinnedTarget;
}

type Found<T> = { readonly kind: 'found'; readonly value: T } | { readonly kind: 'not'; readonly conclusion: Conclusion | NotYet };

/**
 * Proposes exactly the undo that the original request recorded. Nothing is diagnosed: the score already decided that the change did not help,
 * and the approval policy decides whether the undo may run. If anything differs from what was recorded, the undo goes to manual review.
 */
export function proposeUndo(object: AIAnalysis, seen: UndoFindings, now: Instant): Conclusion | NotYet {
  if (seen.catalogue.kind === 'unreadable') return notYet(`reading the catalogue of workflows: ${seen.catalogue.reason}`);
  const order = orderOf(object, seen.original);
  if (order.kind === 'not') return order.conclusion;
  const state = objectionTo(order.value, seen.target);
  return state ?? plan(object, order.value, { catalogue: seen.catalogue.value, now });
}

function orderOf({ spec }: AIAnalysis, original: Read<RemediationRequest>): Found<UndoOrder> {
  const { name, uid } = spec.undoOf ?? { name: 'the request to undo' };
  if (original.kind === 'unreadable') return not(notYet(`reading ${name}: ${original.reason}`));
  if (original.kind === 'absent' || original.value.metadata.uid !== uid) return not(toReview(`${name} no longer exists`));
  return recordedOrder(original.value, spec.remediationRequestRef);
}

/** Only the one undo request that the original recorded, by UID, may undo it: never two requests, and never one created by hand. */
function recordedOrder(original: RemediationRequest, undoRequest: AIAnalysis['spec']['remediationRequestRef']): Found<UndoOrder> {
  const { name } = original.metadata;
  const { undo, remediationTarget } = original.status ?? {};
  if (!undo || !remediationTarget || undo.requestRef.name !== undoRequest.name)
    return not(toReview(`${name} does not record this request as its undo: only Sickbay creates undo requests`));
  const { uid } = undo.requestRef;
  if (uid === undefined) return not(notYet(`waiting until ${name} records the UID of this request`));
  if (uid !== undoRequest.uid) return not(toReview(`${name} records another request as its undo`));
  return { kind: 'found', value: { original, undo, target: { ...remediationTarget, specHash: undo.specHash } } };
}

/** Why the change cannot be undone from the state that the target is in. */
function objectionTo({ original, target }: UndoOrder, seen: UndoFindings['target']): Conclusion | NotYet | undefined {
  if (seen.kind === 'not-read') return notYet(`reading ${targetName(target)}`);
  const state = freshness(target, seen);
  if (state.kind === 'unknown') return notYet(`reading ${targetName(target)}: ${state.reason}`);
  if (state.kind === 'stale' || seen.kind !== 'value') return toReview(`${targetName(target)} changed after it was verified`);
  const by = undoRecordOn(seen.value)?.execution;
  return by === original.status?.workflowExecutionRef?.name
    ? undefined
    : toReview(`the last change to ${targetName(target)} was made by ${by ?? 'another controller or person'}`);
}

/** The workflow must match the target like any other, and accept every recorded value unchanged. */
function plan(
  object: AIAnalysis,
  { original, undo, target }: UndoOrder,
  { catalogue, now }: { readonly catalogue: readonly RemediationWorkflow[]; readonly now: Instant },
): Conclusion {
  const entry = catalogue.find(({ metadata }) => metadata.name === undo.workflow);
  if (!entry) return toReview(`the catalogue has no workflow ${undo.workflow}`, 'WorkflowNotFound');
  const { actionType } = entry.spec;
  const selection = selectWorkflow([entry], workflowRequirements(object.spec, { actionType, parameters: undo.parameters, target }));
  if (selection.kind === 'None') return toReview(selection.reason, 'ParameterValidationFailed');
  const { parameters } = selection;
  const changed = Object.entries(undo.parameters).find(([name, value]) => parameters[name] !== value);
  if (changed) return toReview(`${undo.workflow} does not accept the recorded value of ${changed[0]}`, 'ParameterValidationFailed');
  const summary = `${original.metadata.name} did not help: ${undo.did}`;
  const chosen = { confidence: CERTAIN, rationale: `undoes: ${undo.did}`, parameters, selectedAt: toTime(now) };
  return {
    phase: 'Analyzing',
    status: {
      rootCause: summary,
      rootCauseAnalysis: { summary, signalType: 'RemediationDidNotHelp', remediationTarget: target },
      actionability: 'Actionable',
      selectedWorkflow: snapshotWorkflow(entry, chosen),
      message: `${summary}; ${undo.workflow} is proposed to undo it`,
    },
  };
}

/** The undo is recorded, not inferred. */
const CERTAIN = 1;

const not = <T>(conclusion: Conclusion | NotYet): Found<T> => ({ kind: 'not', conclusion });

const notYet = (reason: string): NotYet => ({ phase: 'Investigating', reason });

function toReview(
  why: string,
  subReason: 'NotActionable' | 'WorkflowNotFound' | 'ParameterValidationFailed' = 'NotActionable',
): Conclusion {
  const message = `nothing is undone: ${why}. Next: examine the target, and undo the change by hand if needed`;
  return { phase: 'Completed', status: { reason: 'NoWorkflowSelected', subReason, needsHumanReview: true, message } };
}
