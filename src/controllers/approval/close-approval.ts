import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { keyOf } from '../../api/meta.ts';
import { toTime, type Instant } from '../../base/index.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import { isPastDeadline } from '../retry-times.ts';
import { withStanding } from './decide.ts';

/** Why an approval request is closed, and who closes it: Sickbay's own account. */
export interface Closing {
  readonly why: string;
  readonly account: string;
}

/**
 * Closes an approval request whose remediation has ended: it expires at once, with the reason, and no decision about it is accepted any
 * more. Nothing where it is decided, or where its deadline has passed, which expires it anyway. The version that was read must still be the current one: a decision that came in between stays.
 */
export function closeApproval(approval: RemediationApprovalRequest, { why, account }: Closing, now: Instant): readonly Effect[] {
  const { metadata, spec, status } = approval;
  if ((status?.decision ?? '') !== '' || isPastDeadline(spec.requiredBy, now)) return [];
  const closed = {
    ...status,
    decision: 'Expired',
    decidedBy: account,
    decidedAt: toTime(now),
    expired: true,
    decisionMessage: why,
  } as const;
  return [
    {
      kind: 'PatchStatus',
      resource: RemediationApprovalRequest,
      key: keyOf(approval),
      resourceVersion: metadata.resourceVersion,
      status: withStanding(approval, closed, now),
    },
  ];
}

/** Why it was closed before its deadline; undefined where it was not. */
export const closedBecause = ({ status }: Pick<RemediationApprovalRequest, 'status'>): string | undefined =>
  status?.decision === 'Expired' ? status.decisionMessage || undefined : undefined;
