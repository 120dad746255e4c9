import { isActive } from '../../../../api/remediation-request/is-active.ts';
import type { RemediationRequest } from '../../../../api/remediation-request/remediation-request.ts';
import { after, SECOND, type Instant } from '../../../../base/index.ts';
import type { RoutingEvidence } from '../evidence.ts';
import type { CheckVerdict } from '../check-verdict.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'DuplicateInProgress';

/** How soon a duplicate checks its original again if no event reports its end. */
export const RECHECK_ORIGINAL_MS = 30 * SECOND;

/**
 * Check 3: of the active requests of a fingerprint the oldest continues and the others wait. A request that is being deleted is active
 * until it is gone: its run may still be active.
 */
export function duplicateInProgressCheck({ request, others, routing }: RoutingEvidence, now: Instant): CheckVerdict {
  if (others.kind === 'unreadable') return unknown(CHECK, others.reason);
  const active = others.value.filter((other) => isActive(other, now, routing.ineffectiveTimeWindowMs));
  const [oldest] = active.filter((other) => comesBefore(other, request)).toSorted((a, b) => (comesBefore(a, b) ? -1 : 1));
  const inputs = { active: active.length, ...(oldest && { original: oldest.metadata.name }) };
  if (!oldest) return pass(CHECK, inputs);
  return {
    kind: 'block',
    check: CHECK,
    inputs,
    message: `RemediationRequest ${oldest.metadata.name} works on the same problem (${oldest.status?.overallPhase ?? 'Pending'}): this one waits until it has ended`,
    blocker: { kind: oldest.kind, name: oldest.metadata.name },
    lookAgainAt: after(now, RECHECK_ORIGINAL_MS),
  };
}

/** By age, then by name: a total order. */
const comesBefore = (a: RemediationRequest, b: RemediationRequest): boolean =>
  a.metadata.creationTimestamp === b.metadata.creationTimestamp
    ? a.metadata.name < b.metadata.name
    : a.metadata.creationTimestamp < b.metadata.creationTimestamp;
