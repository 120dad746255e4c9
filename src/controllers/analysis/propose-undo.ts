import { selectWorkflow, targetName } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { toTime, type Instant } from '../../base/index.ts';
import type { Listed, Read } from '../../runtime/reconcile/controller.ts';
import { freshness, undoRecordOn, type PinnedTarget, type SeenTarget } from '../target/index.ts';
import type { Conclusion, NotYet } from './conclude.ts';
import { snapshotWorkflow } from './snapshot-workflow.ts';
import { circumstances } from './workflow-requirements.ts';

type Undo = NonNullable<NonNullable<RemediationRequest['status']>['undo']>;

/** What a plan to take a change back rests on. */
export interface TakingBack {
  /** The request that made the change, as the server has it. */
  readonly original: Read<RemediationRequest>;
  /** What it changed, as the server has it. */
  readonly target: Read<SeenTarget>;
  readonly catalogue: Listed<RemediationWorkflow>;
}

/** What is taken back: nothing else than what the original has on record, from nothing else than what was verified. */
interface Order {
  readonly original: RemediationRequest;
  readonly undo: Undo;
  readonly target: PinnedTarget;
}

type Found<T> = { readonly kind: 'found'; readonly value: T } | { readonly kind: 'not'; readonly conclusion: Conclusion | NotYet };

/**
 * Proposes exactly the way back that the original request has on record. Nothing is diagnosed: whether it should be taken back was judged by
 * the score, and whether it may be is for the policy. Whatever is not as it was then goes to a person.
 */
export function proposeUndo(object: AIAnalysis, seen: TakingBack, now: Instant): Conclusion | NotYet {
  if (seen.catalogue.kind === 'unreadable') return notYet(`reading the catalogue of workflows: ${seen.catalogue.reason}`);
  const order = orderOf(object, seen.original);
  if (order.kind === 'not') return order.conclusion;
  const state = objectionTo(order.value, seen.target);
  return state ?? plan(object, order.value, { catalogue: seen.catalogue.value, now });
}

function orderOf({ spec }: AIAnalysis, original: Read<RemediationRequest>): Found<Order> {
  const { name, uid } = spec.undoOf ?? { name: 'what is to be taken back' };
  if (original.kind === 'unreadable') return not(notYet(`reading ${name}: ${original.reason}`));
  if (original.kind === 'absent' || original.value.metadata.uid !== uid) return not(toPerson(`${name} is gone`));
  return onRecord(original.value, spec.remediationRequestRef);
}

/** Only the one request that the original has on record takes it back, by its UID: never two, and never one that somebody made up. */
function onRecord(original: RemediationRequest, taker: AIAnalysis['spec']['remediationRequestRef']): Found<Order> {
  const { name } = original.metadata;
  const { undo, remediationTarget } = original.status ?? {};
  if (!undo || !remediationTarget || undo.requestRef.name !== taker.name)
    return not(toPerson(`${name} has no such request on record: an undo is opened by Sickbay, not by hand`));
  const { uid } = undo.requestRef;
  if (uid === undefined) return not(notYet(`waits until ${name} has it on record`));
  if (uid !== taker.uid) return not(toPerson(`${name} has another request on record`));
  return { kind: 'found', value: { original, undo, target: { ...remediationTarget, specHash: undo.specHash } } };
}

/** Why the target cannot be taken back from the state that it is in. */
function objectionTo({ original, target }: Order, seen: Read<SeenTarget>): Conclusion | NotYet | undefined {
  const state = freshness(target, seen);
  if (state.kind === 'unknown') return notYet(`reading ${targetName(target)}: ${state.reason}`);
  if (state.kind === 'stale' || seen.kind !== 'value') return toPerson(`${targetName(target)} is no longer what was verified`);
  const by = undoRecordOn(seen.value)?.execution;
  return by === original.status?.workflowExecutionRef?.name ? undefined : toPerson(`the last change there is by ${by ?? 'somebody else'}`);
}

/** The workflow must fit the target as any other would, and take every recorded value as it is. */
function plan(
  object: AIAnalysis,
  { original, undo, target }: Order,
  { catalogue, now }: { readonly catalogue: readonly RemediationWorkflow[]; readonly now: Instant },
): Conclusion {
  const entry = catalogue.find(({ metadata }) => metadata.name === undo.workflow);
  if (!entry) return toPerson(`the catalogue has no workflow ${undo.workflow}`, 'WorkflowNotFound');
  const { actionType } = entry.spec;
  const selection = selectWorkflow([entry], circumstances(object.spec, { actionType, parameters: undo.parameters, target }));
  if (selection.kind === 'None') return toPerson(selection.reason, 'ParameterValidationFailed');
  const { parameters } = selection;
  const changed = Object.entries(undo.parameters).find(([name, value]) => parameters[name] !== value);
  if (changed) return toPerson(`${undo.workflow} does not take ${changed[0]} as it is on record`, 'ParameterValidationFailed');
  const summary = `${original.metadata.name} did not help: ${undo.did}`;
  const chosen = { confidence: CERTAIN, rationale: `takes back: ${undo.did}`, parameters, selectedAt: toTime(now) };
  return {
    phase: 'Analyzing',
    status: {
      rootCause: summary,
      rootCauseAnalysis: { summary, signalType: 'RemediationDidNotHelp', remediationTarget: target },
      actionability: 'Actionable',
      selectedWorkflow: snapshotWorkflow(entry, chosen),
      message: `${summary}; ${undo.workflow} is proposed to take it back`,
    },
  };
}

/** What takes it back is on record, and not guessed. */
const CERTAIN = 1;

const not = <T>(conclusion: Conclusion | NotYet): Found<T> => ({ kind: 'not', conclusion });

const notYet = (reason: string): NotYet => ({ phase: 'Investigating', reason });

function toPerson(
  why: string,
  subReason: 'NotActionable' | 'WorkflowNotFound' | 'ParameterValidationFailed' = 'NotActionable',
): Conclusion {
  const message = `nothing is taken back: ${why}. Look at the target, and take it back by hand if it needs that`;
  return { phase: 'Completed', status: { reason: 'NoWorkflowSelected', subReason, needsHumanReview: true, message } };
}
