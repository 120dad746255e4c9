import { isActive } from '../../../../api/remediation-request/is-active.ts';
import type { RemediationRequest } from '../../../../api/remediation-request/remediation-request.ts';
import { after, SECOND, type Instant } from '../../../../base/index.ts';
import type { Evidence } from '../evidence.ts';
import type { Verdict } from '../check-verdict.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'DuplicateInProgress';

/** How soon a duplicate looks again, should it not be told that its original is over. */
export const LOOK_AT_ORIGINAL_MS = 30 * SECOND;

/**
 * Check 3: of the requests of a fingerprint that are not over, the oldest goes on and the others wait. One that is being deleted is not over
 * before it is gone: what it has set going may still run.
 */
export function duplicateInProgress({ request, others, routing }: Evidence, now: Instant): Verdict {
  if (others.kind === 'unreadable') return unknown(CHECK, others.reason);
  const active = others.value.filter((other) => isActive(other, now, routing.ineffectiveTimeWindowMs));
  const [oldest] = active.filter((other) => comesBefore(other, request)).toSorted((a, b) => (comesBefore(a, b) ? -1 : 1));
  const inputs = { active: active.length, ...(oldest && { original: oldest.metadata.name }) };
  if (!oldest) return pass(CHECK, inputs);
  return {
    kind: 'block',
    check: CHECK,
    inputs,
    message: `RemediationRequest ${oldest.metadata.name} is at work on the same problem (${oldest.status?.overallPhase ?? 'Pending'}): this one waits until it is over`,
    blocker: { kind: oldest.kind, name: oldest.metadata.name },
    lookAgainAt: after(now, LOOK_AT_ORIGINAL_MS),
  };
}

/** By age, then by name: no two ever come before each other. */
const comesBefore = (a: RemediationRequest, b: RemediationRequest): boolean =>
  a.metadata.creationTimestamp === b.metadata.creationTimestamp
    ? a.metadata.name < b.metadata.name
    : a.metadata.creationTimestamp < b.metadata.creationTimestamp;
