import { SECOND, within, type Clock } from '../base/index.ts';
import type { RemediationHistory } from './remediation-history.ts';

/** Nobody who works on a target waits longer for a disk. */
export const HISTORY_PATIENCE_MS = 5 * SECOND;

/** History that is given up on in time: who asks goes on without it. */
export function patientHistory(history: RemediationHistory, steady: Clock): RemediationHistory {
  const inTime = <T>(work: () => Promise<T>): Promise<T> => within(steady, HISTORY_PATIENCE_MS, work);
  return {
    ofTarget: (target, window) => inTime(() => history.ofTarget(target, window)),
    bySpecHash: (specHash, window) => inTime(() => history.bySpecHash(specHash, window)),
    preRemediationSpecHash: (remediation) => inTime(() => history.preRemediationSpecHash(remediation)),
  };
}
