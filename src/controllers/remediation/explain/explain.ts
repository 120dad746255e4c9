import { blockerOf, nextStep } from './next-step.ts';
import type { Explanation, ExplainSeen } from './explanation.ts';
import { gatesOf } from './gates.ts';

/** Why a request is in its state: each gate with its inputs, what blocks the request now, and what moves it on. Pure. */
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
    next: nextStep(seen, phase, blocker),
  };
}
