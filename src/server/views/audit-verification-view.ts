import { given } from '../../base/index.ts';
import type { TrailState } from '../../store/index.ts';
import type { AuditVerification } from '../contract/index.ts';

/** How many findings are listed. */
const MOST = 100;

/** What is known of the trail's proof, as the API shows it. */
export function verificationView(trail: TrailState): AuditVerification {
  if (trail.state === 'NotChained' || trail.state === 'Pending') return { state: trail.state, findings: [] };
  const { state, at } = trail;
  if (state === 'Unreadable') return { state, at, message: trail.message, findings: [] };
  const { events, adopted, end, checkpoint, findings } = trail.verification;
  const [first] = findings;
  return {
    state,
    at,
    events,
    adopted,
    findings: findings.slice(0, MOST),
    ...given({ message: first?.message, end, checkpoint }),
  };
}
