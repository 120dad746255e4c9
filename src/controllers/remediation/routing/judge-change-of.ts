import type { Instant } from '../../../base/index.ts';
import { judgeChange, type ChangeVerdict } from '../../change-windows/index.ts';
import type { Target } from '../../target/index.ts';
import { severityOfRequest } from '../urgency.ts';
import type { ChangeEvidence, RoutingEvidence } from './evidence.ts';

interface Planned extends Pick<RoutingEvidence, 'request'> {
  readonly planned?: { readonly target: Target } | undefined;
}

/** What is to be changed: what is recorded of a request that a freeze blocks, else the planned target, else that of the signal. */
export const changedTarget = ({ request, planned }: Planned): Target =>
  request.status?.changeWindow?.target ?? planned?.target ?? request.spec.targetResource;

/** Whether its target may be changed now, with the severity that the request has now. An override does not count here. */
export const judgeChangeOf = (
  evidence: Pick<RoutingEvidence, 'request' | 'planned'>,
  { windows, labels }: ChangeEvidence,
  now: Instant,
): ChangeVerdict =>
  judgeChange(windows, { namespace: changedTarget(evidence).namespace, labels, severity: severityOfRequest(evidence.request) }, now);
