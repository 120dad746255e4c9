import { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { approvalFor, judgeApproval, type ApprovalVerdict } from '../../approval/index.ts';
import { freshness, targetAddress } from '../../target/index.ts';
import { childOf, type Child } from '../children/read-child.ts';
import { executionFor } from '../children/draft-children.ts';
import type { AnalysisResult } from './plan-from-analysis.ts';
import { dryRunEnding, dryRunOf } from './dry-run.ts';
import { endRequest, manualReviewRequired, type RequestEnding } from '../end/end-request.ts';
import { refusedEnding } from '../end/refusal.ts';
import { enterNextPhase, type Waiting } from '../phases/await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { objectionAt } from '../routing/pass-checks.ts';
import { describePlan, describeTarget, describeWorkflow, offLimits, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { planAgain } from './plan-again.ts';
import { enterPhase, referenceTo, stayInPhase } from '../status.ts';
import { deadlineIfEntered } from '../timeouts.ts';

type Planned = Extract<AnalysisResult, { kind: 'Plan' }>;

/**
 * From a plan to its run. Each step is taken only if those before it pass:
 *
 *   protected target? ─▶ dry run? ─▶ target unchanged? ─▶ refused before? ─▶ approval required? request it ─▶ the routing checks ─▶ the WorkflowExecution
 *
 * The routing checks run before an approval is requested, so that no approver decides about a plan that cannot run, and again after the
 * decision.
 */
export function requestApprovalOrExecute({ plan, needsApproval }: Planned, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const held = stopOrReplan(plan, waiting);
  if (held !== 'free') return held;
  const refused = refusedEnding(plan, seen, now);
  if (refused) return endRequest(seen, refused, now);
  if (!needsApproval) return execute(plan, waiting);
  const approval = approvalOf(seen);
  const verdict = approval.kind === 'ours' ? approvalVerdictOn(approval.object, plan, seen, now) : undefined;
  return verdict?.kind === 'approved' ? executeApproved(verdict, waiting) : requestApproval(plan, approval, waiting);
}

/** The approval request of the current plan; one whose UID is recorded is never created again. */
export const approvalOf = ({ object, approval }: RemediationSeen): Child<RemediationApprovalRequest> =>
  childOf(approval, { owner: object, recordedUid: object.status?.approvalRequestRef?.uid });

export const approvalVerdictOn = (
  approval: RemediationApprovalRequest,
  plan: RemediationPlan,
  { object, overriding, settings, identityIsChecked }: RemediationSeen,
  now: Instant,
): ApprovalVerdict => judgeApproval({ approval, request: object, plan, workflow: overriding, identityIsChecked, settings }, now);

/** What stops a plan whether it is approved or not: it ends the request or analyses again. `free` continues; undefined waits for a read. */
export function stopOrReplan(plan: RemediationPlan, waiting: Waiting): Decision | 'free' | undefined {
  const { seen, now } = waiting;
  const objection = offLimits(plan, seen.object, seen.settings) ?? unreadableKind(plan);
  if (objection !== undefined) return endRequest(seen, notRunEnding(plan, objection, seen), now);
  const dryRun = dryRunOf(seen);
  if (dryRun.kind === 'yes') return endRequest(seen, dryRunEnding(plan, dryRun.by, seen.settings.dryRunHoldMs), now);
  const state = freshness(plan.target, seen.target);
  if (state.kind === 'unknown' || dryRun.kind === 'unreadable') return undefined;
  return state.kind === 'stale' ? planAgain(plan, state.why, waiting) : 'free';
}

/** A kind that Sickbay cannot read can never be found unchanged. */
const unreadableKind = ({ target }: RemediationPlan): string | undefined =>
  targetAddress(target) ? undefined : `is of the kind ${target.kind}, which Sickbay cannot read`;

const notRunEnding = (plan: RemediationPlan, why: string, { settings }: RemediationSeen): RequestEnding =>
  manualReviewRequired(
    `${describeTarget(plan.target)} ${why}, so ${describeWorkflow(plan.workflow)} was not run: check whether it still needs remediation`,
    settings.routing,
  );

function requestApproval(plan: RemediationPlan, child: Child<RemediationApprovalRequest>, waiting: Waiting): Decision | undefined {
  const { seen, now, deadline } = waiting;
  const { object, settings, analysis } = seen;
  if (child.kind === 'none') {
    const objection = objectionAt('post-analysis', seen, { now, deadline });
    if (objection !== undefined) return objection === 'too late' ? undefined : objection;
  }
  return enterNextPhase(waiting, {
    stage: 'Approval',
    resource: RemediationApprovalRequest,
    child,
    draft: () => {
      const requiredBy = deadlineIfEntered('AwaitingApproval', object, settings, now).at;
      const attempt = object.status?.analysisAttempt ?? 1;
      return analysis.kind === 'value' ? approvalFor(object, analysis.value, plan, { attempt, requiredBy }) : undefined;
    },
    enter: (approval) => enterAwaiting(approval, plan, waiting),
  });
}

function enterAwaiting(approval: RemediationApprovalRequest, plan: RemediationPlan, { seen, now }: Waiting): Decision {
  const { object } = seen;
  return enterPhase(object, 'AwaitingApproval', now, {
    ...planStatus(plan),
    ...analysisReference(seen),
    // The time limit runs from the creation of the approval request, so that both have one deadline.
    awaitingApprovalStartTime: approval.metadata.creationTimestamp,
    approvalRequestRef: referenceTo(approval),
    message: `${describePlan(plan)} waits for approval until ${approval.spec.requiredBy}: ${approval.spec.reason}`,
  });
}

/** Executes the plan that was approved, with the changes that the approver made. */
export function executeApproved(
  { plan, by, changes }: Extract<ApprovalVerdict, { kind: 'approved' }>,
  waiting: Waiting,
): Decision | undefined {
  return execute(plan, waiting, `${by} approved it${changes === undefined ? '' : ` as ${changes}`}; `);
}

/** Runs the checks and creates the WorkflowExecution; then records its UID and the plan's digest in status, which starts it. */
function execute(plan: RemediationPlan, waiting: Waiting, approved = ''): Decision | undefined {
  const { seen, now, deadline } = waiting;
  const { object, settings, execution } = seen;
  const child = childOf(execution, { owner: object });
  if (child.kind === 'ours' && child.object.spec.planDigest !== plan.digest) return deleteOtherExecution(child.object, waiting);
  if (child.kind === 'none') {
    const objection = objectionAt('post-analysis', seen, { now, deadline });
    if (objection !== undefined) return objection === 'too late' ? undefined : objection;
  }
  const next = deadlineIfEntered('Executing', object, settings, now);
  return enterNextPhase(waiting, {
    stage: 'WorkflowExecution',
    resource: WorkflowExecution,
    child,
    draft: () => executionFor(object, plan, { timesOutAt: next.at, limitMs: next.limitMs }),
    enter: (run) =>
      enterPhase(object, 'Executing', now, {
        ...planStatus(plan),
        ...analysisReference(seen),
        executingStartTime: toTime(now),
        workflowExecutionRef: referenceTo(run),
        message: `${approved}running ${describePlan(plan)}: ${plan.workflow.rationale}`,
        // Recorded once: it is there already only if the phase was set back by hand.
        ...(plan.target.specHash !== undefined && {
          preRemediationSpecHash: object.status?.preRemediationSpecHash ?? plan.target.specHash,
        }),
      }),
  });
}

/**
 * Deletes an execution of another plan that has the name: of a plan that was replaced before its execution was recorded, or one that
 * another client created with our owner reference. It was never released, and never can be.
 */
const deleteOtherExecution = (other: WorkflowExecution, { seen, now, deadline }: Waiting): Decision =>
  stayInPhase(seen.object, { now, deadline: deadline.at }, { effects: [remove(WorkflowExecution, other)] });

/** The analysis that made the plan: it differs from the recorded one where that was deleted and created again. */
const analysisReference = ({ analysis }: RemediationSeen) =>
  analysis.kind === 'value' ? { aiAnalysisRef: referenceTo(analysis.value) } : {};

/** The status fields that show the plan. */
function planStatus({ workflow, target, digest }: RemediationPlan) {
  const { workflowId, version, executionBundle, executionBundleDigest } = workflow;
  return {
    selectedWorkflowRef: {
      workflowId,
      version,
      executionBundle,
      ...(executionBundleDigest !== undefined && { executionBundleDigest }),
    },
    planDigest: digest,
    remediationTarget: target,
    targetDisplay: `${target.kind}/${target.name}`,
    workflowDisplayName: describeWorkflow(workflow),
    confidence: workflow.confidence.toFixed(2),
  };
}
