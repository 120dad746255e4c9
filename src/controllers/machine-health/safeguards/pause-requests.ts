import type { RemediationBlock } from './remediation-block.ts';

/** As long as anybody asks for it no new remediation begins; what is under way goes on. */
export const pauseRequested = (requests: readonly string[]): RemediationBlock | undefined =>
  requests.length === 0
    ? undefined
    : {
        reason: 'PauseRequested',
        message: `no new remediation starts while spec.safeguards.pauseRequests has entries: ${requests.join('; ')}`,
      };
