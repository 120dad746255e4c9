import { keyOf } from '../../../api/meta.ts';
import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { instanceOfLabels } from '../../../api/remediation-request/signal-instance.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Instant } from '../../../base/index.ts';
import type { JsonPatchOperation } from '../../../kube/client/client.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { cordonedBy } from './cordon.ts';
import { isOurs } from './draft-request.ts';
import type { PipelineSeen } from './observe.ts';
import { waitInDeletion } from './status.ts';

export const isRequestOpen = ({ status }: RemediationRequest): boolean => !isTerminal(remediationPhases, status?.overallPhase);

/** Why the request is cancelled, and the current time. */
interface Stopping {
  readonly why: string;
  readonly now: Instant;
}

/** Cancels a RemediationRequest that is no longer needed, as far as possible; undefined where there is nothing to wait for. */
export function cancelRequest(seen: PipelineSeen, request: RemediationRequest, stopping: Stopping): Decision | undefined {
  if (!isRequestOpen(request) || !isOurs(request, seen.object)) return undefined;
  const { name } = request.metadata;
  const { overallPhase } = request.status ?? {};
  // A run that is stopped half-way blocks the Node until an operator clears it; one that finishes can be undone. Another remediator may wait for
  // it too, but it may cordon the Node at any moment, and a request that is deleted by then cannot report the cordon.
  if (overallPhase === 'Executing') return waitInDeletion(seen, `${name} is running on the Node; waiting until it ends`, stopping.now);
  if (othersWaitFor(request)) return undefined;
  return overallPhase === 'Verifying' ? untilVerified(seen, request, stopping) : cancelled(seen, request, stopping);
}

/** The workflow has run, and its verification is useful. It is waited for only if the Node must be uncordoned. */
const untilVerified = (seen: PipelineSeen, { metadata }: RemediationRequest, { now }: Stopping): Decision | undefined =>
  cordonedBy(seen) === undefined
    ? undefined
    : waitInDeletion(seen, `${metadata.name} is still being verified; waiting until that ends`, now);

function cancelled(seen: PipelineSeen, request: RemediationRequest, { why, now }: Stopping): Decision {
  const { name, annotations } = request.metadata;
  const effects = annotations?.[ANNOTATIONS.cancel] === undefined ? [cancel(request, seen.account, why)] : [];
  return waitInDeletion(seen, `${name} is cancelled: ${why}`, now, { effects, reason: 'Cancelling' });
}

/** An alert about the Node joined it, and still fires. */
const othersWaitFor = (request: RemediationRequest): boolean =>
  (request.status?.deduplication?.alerts ?? []).some((alert) => alert.resolvedAt === undefined && !isOpener(alert, request));

/** The gateway keeps the signal that opened the request among its alerts. One of the same name has other labels. */
const isOpener = ({ name, instance }: { name: string; instance: string }, { spec }: RemediationRequest): boolean =>
  name === spec.signalName && instance === instanceOfLabels(spec.signalLabels ?? {});

/** Cancels with the same annotations that an operator uses. */
function cancel(request: RemediationRequest, account: string, why: string): Effect {
  const { uid, resourceVersion, annotations } = request.metadata;
  const value = { ...annotations, [ANNOTATIONS.cancel]: why, [ANNOTATIONS.cancelBy]: account };
  const operations: readonly JsonPatchOperation[] = [{ op: 'add', path: '/metadata/annotations', value }];
  return { kind: 'Patch', resource: RemediationRequest, key: keyOf(request), uid, resourceVersion, operations };
}
