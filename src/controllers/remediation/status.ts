import type { RemediationPhase } from '../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, SECOND, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { RECHECK_INTERVAL_MS } from '../retry-times.ts';

export { referenceTo } from '../../kube/objects/owner-references.ts';

export type RemediationStatus = NonNullable<RemediationRequest['status']>;

/** Leaves phase and status as they are, and checks again at the latest at `deadline`. */
export function stayInPhase(
  { status }: RemediationRequest,
  { now, deadline }: { readonly now: Instant; readonly deadline?: Instant },
  also: { readonly status?: Partial<RemediationStatus>; readonly effects?: readonly Effect[] } = {},
): Decision {
  const left = deadline === undefined ? RECHECK_INTERVAL_MS : deadline - now;
  const wakeAt = after(now, Math.max(SECOND, Math.min(left, RECHECK_INTERVAL_MS)));
  return { status: { ...status, ...also.status }, effects: also.effects ?? [], wakeAt };
}

/** Enters a phase that is not terminal: one write, with all fields that the phase starts with. */
export function enterPhase(
  request: RemediationRequest,
  phase: RemediationPhase,
  now: Instant,
  also: Partial<RemediationStatus> & { readonly message: string },
): Decision {
  const status: RemediationStatus = {
    ...request.status,
    ...also,
    overallPhase: phase,
    ...generationOf(request),
    conditions: ready(request, { status: 'Unknown', reason: phase, message: also.message }, now),
  };
  return { status, effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

/** The conditions with an updated Ready. */
export const ready = (
  request: RemediationRequest,
  said: { readonly status: 'True' | 'False' | 'Unknown'; readonly reason: string; readonly message: string },
  now: Instant,
): NonNullable<RemediationStatus['conditions']> =>
  setCondition(request.status?.conditions, { type: 'Ready', ...said, ...generationOf(request) }, now);

export const generationOf = ({ metadata }: RemediationRequest): { readonly observedGeneration?: number } =>
  metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
