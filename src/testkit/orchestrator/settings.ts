import { MINUTE, SECOND } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings } from '../../controllers/settings.ts';

/** Minutes instead of hours: what takes long in the field is seen here in a few steps. */
export const SHORT_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  timeouts: {
    globalMs: 5 * MINUTE,
    processingMs: 40 * SECOND,
    analyzingMs: 50 * SECOND,
    awaitingApprovalMs: 60 * SECOND,
    executingMs: 60 * SECOND,
    verifyingMs: 50 * SECOND,
  },
  routing: {
    ...DEFAULT_SETTINGS.routing,
    consecutiveFailureThreshold: 2,
    consecutiveFailureCooldownMs: MINUTE,
    recentlyRemediatedCooldownMs: 40 * SECOND,
    exponentialBackoffBaseMs: 10 * SECOND,
    exponentialBackoffMaxMs: 40 * SECOND,
    scopeBackoffBaseMs: 5 * SECOND,
    scopeBackoffMaxMs: 20 * SECOND,
    ineffectiveChainThreshold: 2,
    ineffectiveTimeWindowMs: 3 * MINUTE,
    requeueResourceBusyMs: 10 * SECOND,
    noActionRequiredDelayMs: MINUTE,
    maxBlockedMs: 4 * MINUTE,
  },
  dryRunHoldMs: MINUTE,
  retentionMs: 0,
  cooldownMs: 5 * SECOND,
  stabilizationMs: 0,
  validityMs: 40 * SECOND,
};

/** Later than every phase lasts. */
export const TOO_LATE_MS = 70 * SECOND;
