import { SECOND, within, type Clock } from '../base/index.ts';
import type { RemediationHistory } from './remediation-history.ts';

/** A remediation waits no longer than this for the disk. */
export const HISTORY_TIMEOUT_MS = 5 * SECOND;

/** History with a time limit: the caller continues without it. */
export function historyWithTimeout(history: RemediationHistory, steady: Clock): RemediationHistory {
  const inTime = <T>(work: () => Promise<T>): Promise<T> => within(steady, HISTORY_TIMEOUT_MS, work);
  return {
    ofTarget: (target, window) => inTime(() => history.ofTarget(target, window)),
    bySpecHash: (specHash, window) => inTime(() => history.bySpecHash(specHash, window)),
    preRemediationSpecHash: (remediation) => inTime(() => history.preRemediationSpecHash(remediation)),
  };
}
