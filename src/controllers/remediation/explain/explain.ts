import { blockerOf, nextFor } from './next-step.ts';
import type { Explanation, ExplainSeen } from './explanation.ts';
import { gatesOf } from './gates.ts';

/** Why a request is where it is: each gate with what it judged, what holds the request up now, and what will take it on. Pure. */
export function explain(seen: ExplainSeen): Explanation {
  const { metadata, status } = seen.request;
  const phase = status?.overallPhase ?? 'Pending';
  const gates = gatesOf(seen);
  const blocker = blockerOf(seen, phase, gates);
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    phase,
    ...(status?.outcome !== undefined && { outcome: status.outcome }),
    ...(status?.message !== undefined && { message: status.message }),
    gates,
    ...(blocker && { blocker }),
    next: nextFor(seen, phase, blocker),
  };
}
