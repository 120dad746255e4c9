import { keyOf } from '../api/meta.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { suppressesOnlyJudged } from '../api/remediation-request/suppression.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { hasCode, parseTime, type Instant } from '../base/index.ts';
import { targetText } from '../controllers/target/index.ts';
import type { KubeClient } from '../kube/client/client.ts';

/** The requests that suppress the signals about a target that they judged; none for a user who may not read requests. */
export async function requestsSuppressing(
  client: KubeClient,
  { namespace, target }: { readonly namespace: string; readonly target: string },
  now: Instant,
): Promise<readonly RemediationRequest[]> {
  try {
    const { items } = await client.list(RemediationRequest, { namespace });
    return items.filter((request) => targetText(request.spec.targetResource) === target && isSuppressing(request, now));
  } catch (error) {
    if (hasCode(error, 'Forbidden') || hasCode(error, 'NotFound')) return [];
    throw error;
  }
}

const isSuppressing = (request: RemediationRequest, now: Instant): boolean =>
  suppressesOnlyJudged(request) && now < (parseTime(request.status?.nextAllowedExecution) ?? 0);

/** Records on the request that its suppression is lifted; the orchestrator then ends it. A conflict means that the request changed. */
export async function liftSuppression(
  client: KubeClient,
  request: RemediationRequest,
  { by, reason, at }: { readonly by: string; readonly reason: string; readonly at: string },
): Promise<void> {
  const { uid, resourceVersion } = request.metadata;
  const annotations = { [ANNOTATIONS.blockClearedBy]: by, [ANNOTATIONS.blockClearReason]: reason, [ANNOTATIONS.blockClearedAt]: at };
  await client.patch(RemediationRequest, keyOf(request), { type: 'merge', body: { metadata: { uid, resourceVersion, annotations } } });
}
