import type { RemediationBlock } from './remediation-block.ts';

/** While the list has entries no new remediation starts; running ones continue. */
export const pauseRequested = (requests: readonly string[]): RemediationBlock | undefined =>
  requests.length === 0
    ? undefined
    : {
        reason: 'PauseRequested',
        message: `no new remediation starts while spec.safeguards.pauseRequests has entries: ${requests.join('; ')}`,
      };
