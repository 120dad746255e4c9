import { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { assertNever, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { approvalFor, judgeApproval, type ApprovalVerdict } from '../../approval/index.ts';
import { freshness, targetAddress } from '../../target/index.ts';
import { childOf, type Child } from '../children/read-child.ts';
import { executionFor } from '../children/draft-children.ts';
import type { Conclusion } from './plan-from-analysis.ts';
import { dryRunEnding, dryRunOf } from './dry-run.ts';
import { end, failed, handedOver, type Ending } from '../end/end-request.ts';
import { begin, type Waiting } from '../phases/await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { passes } from '../routing/pass-checks.ts';
import { describePlan, describeTarget, describeWorkflow, offLimits, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { planAnew } from './plan-again.ts';
import { enter, referenceTo, stay } from '../status.ts';
import { deadlineIfEntered } from '../timeouts.ts';

type Planned = Extract<Conclusion, { kind: 'Plan' }>;

/**
 * From a plan to its run. In this order, and each step only if those before it let it through:
 *
 *   off limits? ─▶ dry run? ─▶ still what was analysed? ─▶ does it need approval? ask ─▶ the checks ─▶ the WorkflowExecution
 *
 * The checks run before a person is asked, so that nobody is asked about what cannot be run, and again after the answer.
 */
export function askOrCarryOut({ plan, needsApproval }: Planned, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const held = heldBack(plan, waiting);
  if (held !== 'free') return held;
  if (!needsApproval) return carryOut(plan, waiting);
  const approval = approvalOf(seen);
  const verdict = approval.kind === 'ours' ? verdictOn(approval.object, plan, seen, now) : undefined;
  return verdict?.kind === 'approved' ? followYes(verdict, waiting) : ask(plan, approval, waiting);
}

/** The approval of the plan at hand; one that is on record is never asked for twice. */
export const approvalOf = ({ object, approval }: RemediationSeen): Child<RemediationApprovalRequest> =>
  childOf(approval, { owner: object, recordedUid: object.status?.approvalRequestRef?.uid });

export const verdictOn = (
  approval: RemediationApprovalRequest,
  plan: RemediationPlan,
  { object, overriding, settings, identityIsChecked }: RemediationSeen,
  now: Instant,
): ApprovalVerdict => judgeApproval({ approval, request: object, plan, workflow: overriding, identityIsChecked, settings }, now);

/** What keeps a plan from being carried out whatever anybody says; undefined waits. */
export function heldBack(plan: RemediationPlan, waiting: Waiting): Decision | 'free' | undefined {
  const { seen, now } = waiting;
  const objection = offLimits(plan, seen.object, seen.settings) ?? unknownKind(plan);
  if (objection !== undefined) return end(seen, notRun(plan, objection, seen), now);
  const dryRun = dryRunOf(seen);
  if (dryRun.kind === 'yes') return end(seen, dryRunEnding(plan, dryRun.by, seen.settings.dryRunHoldMs), now);
  const state = freshness(plan.target, seen.target);
  if (state.kind === 'unknown' || dryRun.kind === 'unreadable') return undefined;
  return state.kind === 'stale' ? planAnew(plan, state.why, waiting) : 'free';
}

/** What cannot be read back cannot be found unchanged, however often it is analysed. */
const unknownKind = ({ target }: RemediationPlan): string | undefined =>
  targetAddress(target) ? undefined : `is of the kind ${target.kind}, which cannot be read back`;

const notRun = (plan: RemediationPlan, why: string, { settings }: RemediationSeen): Ending =>
  handedOver(
    `${describeTarget(plan.target)} ${why}, so ${describeWorkflow(plan.workflow)} was not run: see whether it still needs help`,
    settings.routing,
  );

function ask(plan: RemediationPlan, child: Child<RemediationApprovalRequest>, waiting: Waiting): Decision | undefined {
  const { seen, now, deadline } = waiting;
  const { object, settings, analysis } = seen;
  if (child.kind === 'none') {
    const objection = passes('post-analysis', seen, { now, deadline });
    if (objection !== undefined) return objection === 'too late' ? undefined : objection;
  }
  return begin(waiting, {
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
  return enter(object, 'AwaitingApproval', now, {
    ...inView(plan),
    ...askedBy(seen),
    // The clock runs from the question, so that question and answer have one deadline.
    awaitingApprovalStartTime: approval.metadata.creationTimestamp,
    approvalRequestRef: referenceTo(approval),
    message: `${describePlan(plan)} waits for approval until ${approval.spec.requiredBy}: ${approval.spec.reason}`,
  });
}

/** Somebody said yes: that counts for the plan it was given for, as it is now. */
export function followYes({ plan, by, changes }: Extract<ApprovalVerdict, { kind: 'approved' }>, waiting: Waiting): Decision | undefined {
  return carryOut(plan, waiting, `${by} approved it${changes === undefined ? '' : ` as ${changes}`}; `);
}

/** What anything else than a yes leads to, while the answer is awaited; undefined waits. */
export function followNo(verdict: Exclude<ApprovalVerdict, { kind: 'approved' }>, plan: RemediationPlan): Ending | undefined {
  const what = describePlan(plan);
  switch (verdict.kind) {
    case 'undecided':
    case 'unknown':
      return undefined;
    case 'rejected':
      return failed('Approval', `${verdict.by} rejected ${what}${verdict.why === '' ? '' : `: ${verdict.why}`}; nothing was run`);
    case 'expired':
    case 'void':
      return failed('Approval', `${what} was not run: ${verdict.why}`);
    default:
      return assertNever(verdict);
  }
}

/** Runs it: the checks, the WorkflowExecution, and once that is there, its UID and the digest of the plan on our record, which starts it. */
function carryOut(plan: RemediationPlan, waiting: Waiting, approved = ''): Decision | undefined {
  const { seen, now, deadline } = waiting;
  const { object, settings, execution } = seen;
  const child = childOf(execution, { owner: object });
  if (child.kind === 'ours' && child.object.spec.planDigest !== plan.digest) return makeRoom(child.object, waiting);
  if (child.kind === 'none') {
    const objection = passes('post-analysis', seen, { now, deadline });
    if (objection !== undefined) return objection === 'too late' ? undefined : objection;
  }
  const next = deadlineIfEntered('Executing', object, settings, now);
  return begin(waiting, {
    stage: 'WorkflowExecution',
    resource: WorkflowExecution,
    child,
    draft: () => executionFor(object, plan, { timesOutAt: next.at, limitMs: next.limitMs }),
    enter: (run) =>
      enter(object, 'Executing', now, {
        ...inView(plan),
        ...askedBy(seen),
        executingStartTime: toTime(now),
        workflowExecutionRef: referenceTo(run),
        message: `${approved}running ${describePlan(plan)}: ${plan.workflow.rationale}`,
        // Never changed once it is there, which it is only where somebody set the phase back.
        ...(plan.target.specHash !== undefined && {
          preRemediationSpecHash: object.status?.preRemediationSpecHash ?? plan.target.specHash,
        }),
      }),
  });
}

/**
 * An execution of another plan is in the way: of one that was overtaken before it was put on record, or of somebody who wrote our name under it.
 * It was never let go, and never can be.
 */
const makeRoom = (other: WorkflowExecution, { seen, now, deadline }: Waiting): Decision =>
  stay(seen.object, { now, deadline: deadline.at }, { effects: [remove(WorkflowExecution, other)] });

/** The analysis that made the plan: not the one on record where that was deleted and asked for again. */
const askedBy = ({ analysis }: RemediationSeen) => (analysis.kind === 'value' ? { aiAnalysisRef: referenceTo(analysis.value) } : {});

/** The plan as the status shows it. */
function inView({ workflow, target, digest }: RemediationPlan) {
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
