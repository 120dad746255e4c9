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
import { wait } from './status.ts';

export const isOpen = ({ status }: RemediationRequest): boolean => !isTerminal(remediationPhases, status?.overallPhase);

/** Why it is stopped, and when that is. */
interface Stopping {
  readonly why: string;
  readonly now: Instant;
}

/** Stops a request that is not wanted any more, as far as it can be stopped; undefined where nothing of it has to be waited for. */
export function stop(seen: PipelineSeen, request: RemediationRequest, stopping: Stopping): Decision | undefined {
  if (!isOpen(request) || !isOurs(request, seen.object)) return undefined;
  const { name } = request.metadata;
  const { overallPhase } = request.status ?? {};
  // A run that is stopped half-way blocks the Node until a person clears it; one that comes to its end can be taken back. Whoever else waits for
  // it, it may close the Node at any moment, and who has gone by then tells nobody.
  if (overallPhase === 'Executing') return wait(seen, `${name} is at work on the Node, which is waited for`, stopping.now);
  if (othersWaitFor(request)) return undefined;
  return overallPhase === 'Verifying' ? untilVerified(seen, request, stopping) : cancelled(seen, request, stopping);
}

/** What runs has run; the verdict on it is worth having, and nobody is held up by it unless the Node is to be opened. */
const untilVerified = (seen: PipelineSeen, { metadata }: RemediationRequest, { now }: Stopping): Decision | undefined =>
  cordonedBy(seen) === undefined ? undefined : wait(seen, `${metadata.name} is still being verified, which is waited for`, now);

function cancelled(seen: PipelineSeen, request: RemediationRequest, { why, now }: Stopping): Decision {
  const { name, annotations } = request.metadata;
  const effects = annotations?.[ANNOTATIONS.cancel] === undefined ? [cancel(request, seen.account, why)] : [];
  return wait(seen, `${name} is cancelled: ${why}`, now, { effects, reason: 'Cancelling' });
}

/** An alert about the Node joined it, and still fires. */
const othersWaitFor = (request: RemediationRequest): boolean =>
  (request.status?.deduplication?.alerts ?? []).some((alert) => alert.resolvedAt === undefined && !isOpener(alert, request));

/** The gateway keeps the signal that opened the request among its alerts. One of the same name has other labels. */
const isOpener = ({ name, instance }: { name: string; instance: string }, { spec }: RemediationRequest): boolean =>
  name === spec.signalName && instance === instanceOfLabels(spec.signalLabels ?? {});

/** The way people cancel, and signed like them. */
function cancel(request: RemediationRequest, account: string, why: string): Effect {
  const { uid, resourceVersion, annotations } = request.metadata;
  const value = { ...annotations, [ANNOTATIONS.cancel]: why, [ANNOTATIONS.cancelBy]: account };
  const operations: readonly JsonPatchOperation[] = [{ op: 'add', path: '/metadata/annotations', value }];
  return { kind: 'Patch', resource: RemediationRequest, key: keyOf(request), uid, resourceVersion, operations };
}
