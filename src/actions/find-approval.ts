import type { KubeClient } from '../kube/client/client.ts';
import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { closedBecause } from '../controllers/approval/index.ts';
import { hasCode, parseTime, PlatformError, type Instant } from '../base/index.ts';

/** The approval request of that name, or of the RemediationRequest of that name, that can be decided now. */
export async function findApproval(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  now: Instant,
): Promise<RemediationApprovalRequest> {
  const named = await byName(client, { namespace, name });
  const all = named ? [named] : await ofRequest(client, { namespace, name });
  const open = all.find(({ status }) => !status?.decision) ?? all[0];
  if (!open) throw problem('NotFound', `no request called ${name} waits for approval in the namespace ${namespace}`);
  demandOpen(open, now);
  return open;
}

type Place = Parameters<typeof findApproval>[1];

async function byName(client: KubeClient, key: Place): Promise<RemediationApprovalRequest | undefined> {
  try {
    return await client.get(RemediationApprovalRequest, key);
  } catch (error) {
    if (hasCode(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Newest first: a stale plan is followed by a new approval request. */
async function ofRequest(client: KubeClient, { namespace, name }: Place): Promise<readonly RemediationApprovalRequest[]> {
  const fieldSelector = `spec.remediationRequestRef.name=${name}`;
  const { items } = await client.list(RemediationApprovalRequest, { namespace, fieldSelector });
  return items.toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1));
}

function demandOpen({ metadata, spec, status = {} }: RemediationApprovalRequest, now: Instant): void {
  const { decision, decidedBy = 'an unnamed approver', decidedAt } = status;
  const closed = closedBecause({ status });
  if (closed !== undefined) throw problem('Conflict', `${metadata.name} was closed: ${closed}. Nothing was decided`);
  if (decision === 'Expired') throw problem('Conflict', `${metadata.name} expired at ${spec.requiredBy}: nothing ran`);
  if (decision)
    throw problem(
      'Conflict',
      `${metadata.name} was ${decision.toLowerCase()} by ${decidedBy}${decidedAt ? ` at ${decidedAt}` : ''}: that is final`,
    );
  const requiredBy = parseTime(spec.requiredBy);
  if (requiredBy !== undefined && now >= requiredBy)
    throw problem('Conflict', `the deadline of ${metadata.name} passed at ${spec.requiredBy}`);
}

const problem = (code: 'NotFound' | 'Conflict', message: string): PlatformError => new PlatformError(code, message, { retry: 'never' });
