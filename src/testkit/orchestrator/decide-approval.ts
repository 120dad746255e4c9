import { keyOf, type Draft } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { parseTime, toTime, type Instant } from '../../base/index.ts';
import { digest } from '../../controllers/target/index.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import { OVERRIDE } from './child-results.ts';
import type { ApprovalEnd } from './scripted-results.ts';
import type { Place } from './watch-kind.ts';
import type { Ledger, Yes } from './ledger.ts';
import { remove, unlessOvertaken } from './fake-controller.ts';

/** A person decides. What is decided, or gone, stays so. */
export async function decideApproval(place: Place, ledger: Ledger, asked: RemediationApprovalRequest, end: ApprovalEnd): Promise<void> {
  if (end === 'ApprovedAnother') return asked.spec.planDigest === ANOTHER ? undefined : approveAnother(place, asked);
  const isYes = end !== 'Rejected';
  // Before the server knows: from the moment it does, the plan may be carried out.
  if (isYes) ledger.noteYes(yesTo(asked, end, place.clock.now()));
  await say(place, asked, {
    decision: isYes ? 'Approved' : 'Rejected',
    decisionMessage: isYes ? 'go ahead' : 'not now',
    ...(end === 'Overridden' && { workflowOverride: { parameters: OVERRIDE, rationale: 'revision 7 is known to be good' } }),
  });
}

function yesTo(asked: RemediationApprovalRequest, end: ApprovalEnd, now: Instant): Yes {
  const limit = parseTime(asked.spec.requiredBy);
  return {
    requestUid: controllerOf(asked)?.uid ?? '',
    planDigest: asked.spec.planDigest ?? '',
    ...(end === 'Overridden' && { parameters: OVERRIDE }),
    isInTime: limit === undefined || now < limit,
  };
}

/** Marks an approval request that replaced another, so that it is not replaced repeatedly. */
const ANOTHER = digest('another plan');

/** An attacker replaces the approval request with one about another plan, and approves that. */
async function approveAnother(place: Place, asked: RemediationApprovalRequest): Promise<void> {
  const { metadata, apiVersion, kind, spec } = asked;
  const { name, namespace = '', ownerReferences = [] } = metadata;
  await remove(place, RemediationApprovalRequest, asked);
  const another: Draft<RemediationApprovalRequest> = {
    apiVersion,
    kind,
    metadata: { name, namespace, ownerReferences },
    spec: { ...spec, planDigest: ANOTHER },
  };
  await unlessOvertaken(async () => {
    const created = await place.client.create(RemediationApprovalRequest, another);
    await say(place, created, { decision: 'Approved' });
  });
}

async function say(place: Place, asked: RemediationApprovalRequest, decision: object): Promise<void> {
  const current = await place.client.get(RemediationApprovalRequest, keyOf(asked)).catch(() => undefined);
  if (current?.metadata.uid !== asked.metadata.uid || current.status?.decision) return;
  const status = { decidedBy: 'alex@example.com', decidedAt: toTime(place.clock.now()), ...decision };
  await unlessOvertaken(() =>
    place.client.patchStatus(RemediationApprovalRequest, keyOf(asked), {
      type: 'merge',
      body: { metadata: { resourceVersion: current.metadata.resourceVersion }, status },
    }),
  );
}
