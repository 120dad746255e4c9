import { MINUTE, SECOND } from '../../../src/base/index.ts';
import { DEFAULT_SETTINGS } from '../../../src/controllers/default-settings.ts';
import type { Settings } from '../../../src/controllers/settings.ts';

const LONG_MS = 2 * MINUTE;

/** Nothing runs out by itself; what holds a request back does so for seconds. */
const calm: Settings = {
  ...DEFAULT_SETTINGS,
  gateway: { ...DEFAULT_SETTINGS.gateway, resolvedGraceMs: 2 * SECOND },
  timeouts: {
    globalMs: LONG_MS,
    processingMs: LONG_MS,
    analyzingMs: LONG_MS,
    awaitingApprovalMs: LONG_MS,
    executingMs: LONG_MS,
    verifyingMs: LONG_MS,
  },
  routing: {
    ...DEFAULT_SETTINGS.routing,
    recentlyRemediatedCooldownMs: 4 * SECOND,
    exponentialBackoffBaseMs: 5 * SECOND,
    exponentialBackoffMaxMs: 5 * SECOND,
    scopeBackoffBaseMs: 200,
    scopeBackoffMaxMs: SECOND,
    requeueGenericErrorMs: SECOND,
    noActionRequiredDelayMs: MINUTE,
  },
  dryRunHoldMs: MINUTE,
  retentionMs: 0,
  stabilizationMs: 0,
  validityMs: LONG_MS,
};

/** Every phase has two seconds. */
const hasty: Settings = {
  ...calm,
  timeouts: {
    ...calm.timeouts,
    processingMs: 2 * SECOND,
    analyzingMs: 2 * SECOND,
    awaitingApprovalMs: 2 * SECOND,
    executingMs: 2 * SECOND,
    verifyingMs: SECOND,
  },
  validityMs: SECOND,
};

/** The next request may come at once; two in a row are enough. */
const eager: Settings = {
  ...calm,
  routing: {
    ...calm.routing,
    consecutiveFailureThreshold: 2,
    consecutiveFailureCooldownMs: 5 * SECOND,
    recentlyRemediatedCooldownMs: 0,
    exponentialBackoffBaseMs: 0,
    exponentialBackoffMaxMs: 0,
    ineffectiveChainThreshold: 2,
    ineffectiveTimeWindowMs: 10 * SECOND,
  },
};

/** What has ended is forgotten soon, and speaks for its duplicates. */
const brief: Settings = { ...calm, retentionMs: 2 * SECOND, routing: { ...calm.routing, onDuplicateResolved: 'Inherit' } };

const dry: Settings = { ...calm, dryRun: true };

/** One orchestrator each; all on one server. */
export const STAGES = { calm, hasty, eager, brief, dry };
export type StageName = keyof typeof STAGES;
