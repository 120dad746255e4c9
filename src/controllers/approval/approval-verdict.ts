import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { assertNever, instant, parseTime, type Instant } from '../../base/index.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import { whyUnknown, type OptionalRead } from '../../kube/client/read.ts';
import { planSpecOf, type RemediationPlan } from '../plan/remediation-plan.ts';
import type { Settings } from '../settings.ts';
import { planDigest } from '../target/index.ts';
import { applyOverride, changesPlan, overridingWorkflow } from './override-plan.ts';

/** What the decision about a plan means. */
export type ApprovalVerdict =
  /** There is no decision yet; at `until` the request expires. */
  | { readonly kind: 'undecided'; readonly until: Instant }
  /** It was approved, but something that this rests on cannot be read now: check again. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** The plan to execute; `changes` says what the approver changed about the proposed one. */
  | { readonly kind: 'approved'; readonly plan: RemediationPlan; readonly by: string; readonly changes?: string }
  | { readonly kind: 'rejected'; readonly by: string; readonly why: string }
  | { readonly kind: 'expired'; readonly why: string }
  /** The decision does not count: it is about another plan, the approver cannot be trusted, or the changed plan cannot run. */
  | { readonly kind: 'void'; readonly because: VoidReason; readonly why: string };

export type VoidReason = 'OtherPlan' | 'NotTrusted' | 'BadOverride';

export interface ApprovalSeen {
  readonly approval: RemediationApprovalRequest;
  readonly request: RemediationRequest;
  /** The plan as it would be executed now. */
  readonly plan: RemediationPlan;
  /** The workflow that `workflowToRead` names; read it in the system namespace. */
  readonly workflow: OptionalRead<RemediationWorkflow>;
  /** Whether the API server verifies the names of approvers. */
  readonly identityIsChecked: boolean;
  readonly settings: Pick<Settings, 'namespace' | 'approval'>;
}

/** Who requested a remediation by hand; undefined for one that an alert opened. */
export const requesterOf = ({ metadata }: RemediationRequest): string | undefined =>
  metadata.annotations?.[ANNOTATIONS.requestedBy] || undefined;

/** The workflow that must be read before an approval can be judged; undefined when the proposal was approved unchanged. */
export function workflowToRead({ status }: RemediationApprovalRequest, plan: RemediationPlan): string | undefined {
  const override = status?.workflowOverride;
  return status?.decision === 'Approved' && changesPlan(override) ? overridingWorkflow(plan, override) : undefined;
}

/** Judges a decision. An approval counts only for exactly the plan that it names, in time, and by an approver who is allowed to give it. */
export function judgeApproval(seen: ApprovalSeen, now: Instant): ApprovalVerdict {
  const { approval } = seen;
  const other = otherPlan(seen);
  if (other !== undefined) return { kind: 'void', because: 'OtherPlan', why: `${approval.metadata.name} ${other}` };
  const decision = approval.status?.decision ?? '';
  const requiredBy = deadlineOf(approval);
  switch (decision) {
    case '':
      return now >= requiredBy ? expired(approval) : { kind: 'undecided', until: requiredBy };
    case 'Expired':
      return expired(approval);
    case 'Rejected':
      return rejected(approval);
    case 'Approved':
      return judgeYes(seen, requiredBy);
    default:
      return assertNever(decision);
  }
}

/** A rejection counts without verification: it changes nothing. */
const rejected = ({ status = {} }: RemediationApprovalRequest): ApprovalVerdict => ({
  kind: 'rejected',
  by: status.decidedBy ?? 'an unknown user',
  why: status.decisionMessage ?? '',
});

/** An approval request without a deadline has expired. */
const deadlineOf = ({ spec }: RemediationApprovalRequest): Instant => parseTime(spec.requiredBy) ?? instant(0);

const expired = ({ metadata, spec, status }: RemediationApprovalRequest): ApprovalVerdict => ({
  kind: 'expired',
  why:
    (status?.decisionMessage ?? '') === ''
      ? `no approver decided about ${metadata.name} before ${spec.requiredBy}`
      : `${metadata.name} was closed: ${status?.decisionMessage ?? ''}`,
});

/** Why a decision is not about this plan of this request. */
function otherPlan({ approval, request, plan, settings }: ApprovalSeen): string | undefined {
  const { metadata, spec } = approval;
  if (metadata.namespace !== settings.namespace) return `is in the namespace ${metadata.namespace ?? ''}, where no approval counts`;
  if (controllerOf(approval)?.uid !== request.metadata.uid) return `does not belong to ${request.metadata.name}`;
  if (spec.planDigest !== planDigest(planSpecOf(plan.workflow, plan.target))) return 'is about another plan';
  if (spec.remediationTarget?.uid !== plan.target.uid) return 'is about another object of the same name';
  return spec.remediationTarget?.specHash === plan.target.specHash ? undefined : 'is about an earlier state of the target';
}

function judgeYes(seen: ApprovalSeen, requiredBy: Instant): ApprovalVerdict {
  const { approval, plan } = seen;
  const by = approval.status?.decidedBy ?? '';
  const doubt = doubtAbout(seen);
  if (doubt !== undefined) return { kind: 'void', because: 'NotTrusted', why: `the approval ${approval.metadata.name} ${doubt}` };
  const decidedAt = parseTime(approval.status?.decidedAt) ?? instant(Infinity);
  if (decidedAt >= requiredBy)
    return { kind: 'expired', why: `${by} approved ${approval.metadata.name} after ${approval.spec.requiredBy}` };
  return changesPlan(approval.status?.workflowOverride) ? judgeOverride(seen, by) : { kind: 'approved', plan, by };
}

/** Why the approver's name cannot be trusted, or is not enough. */
function doubtAbout({ approval, request, identityIsChecked, settings }: ApprovalSeen): string | undefined {
  const { decidedBy = '', decidedAt, decidedVia } = approval.status ?? {};
  if (!identityIsChecked)
    return 'does not count, because the cluster does not verify who decides: install the policies with sickbay run --install, or with kubectl apply -f deploy/policies';
  if (decidedBy === '') return 'does not name the approver';
  if (parseTime(decidedAt) === undefined) return 'does not say when it was decided';
  const requester = requesterOf(request);
  const isOwn = requester !== undefined && [decidedBy, decidedVia].includes(requester);
  return isOwn && !settings.approval.requesterMayApprove
    ? `is by ${requester}, who asked for the remediation: another person has to approve it`
    : undefined;
}

function judgeOverride({ approval, plan, workflow, settings }: ApprovalSeen, by: string): ApprovalVerdict {
  const override = approval.status?.workflowOverride ?? {};
  const name = overridingWorkflow(plan, override);
  if (workflow.kind === 'unreadable' || workflow.kind === 'not-read')
    return { kind: 'unknown', reason: `the workflow ${name} cannot be read: ${whyUnknown(workflow)}` };
  const bad = (why: string): ApprovalVerdict => ({ kind: 'void', because: 'BadOverride', why: `${by} asked for another plan, but ${why}` });
  const found = workflow.kind === 'value' ? workflow.value : undefined;
  if (found?.metadata.name !== name || found.metadata.namespace !== settings.namespace) return bad(`the catalogue has no workflow ${name}`);
  const overridden = applyOverride(plan, override, found);
  return overridden.kind === 'refused' ? bad(overridden.why) : { kind: 'approved', plan: overridden.plan, by, changes: overridden.changes };
}
