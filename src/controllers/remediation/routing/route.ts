import type { BlockReason } from '../../../api/remediation-request/status.ts';
import { after, type Instant } from '../../../base/index.ts';
import { changeFreezeCheck } from './checks/change-freeze.ts';
import { consecutiveFailuresCheck } from './checks/consecutive-failures.ts';
import { duplicateInProgressCheck } from './checks/duplicate-in-progress.ts';
import { exponentialBackoffCheck } from './checks/exponential-backoff.ts';
import { ineffectiveChainCheck } from './checks/ineffective-chain.ts';
import { recentlyRemediatedCheck } from './checks/recently-remediated.ts';
import { resourceBusyCheck } from './checks/resource-busy.ts';
import { unmanagedResourceCheck } from './checks/unmanaged-resource.ts';
import type { RoutingEvidence } from './evidence.ts';
import type { CheckObjection, CheckUndecided, CheckVerdict } from './check-verdict.ts';

export type RoutingCheck = (evidence: RoutingEvidence, now: Instant) => CheckVerdict;

const BEFORE_ANALYSIS: readonly RoutingCheck[] = [
  unmanagedResourceCheck,
  consecutiveFailuresCheck,
  duplicateInProgressCheck,
  exponentialBackoffCheck,
];

/** The checks in their order, at each check point. After an approval all of the second list run again. */
export const CHECKS = {
  'pre-analysis': BEFORE_ANALYSIS,
  'post-analysis': [...BEFORE_ANALYSIS, resourceBusyCheck, recentlyRemediatedCheck, ineffectiveChainCheck, changeFreezeCheck],
} as const satisfies Readonly<Record<string, readonly RoutingCheck[]>>;

export type CheckPoint = keyof typeof CHECKS;

/** The names of all checks, in their order. */
export const CHECK_ORDER = [
  'UnmanagedResource',
  'ConsecutiveFailures',
  'DuplicateInProgress',
  'ExponentialBackoff',
  'ResourceBusy',
  'RecentlyRemediated',
  'IneffectiveChain',
  'ChangeFreeze',
] as const satisfies readonly BlockReason[];

/** Whether a request may continue, is blocked, or cannot be judged before `recheckAt`. */
export type RoutingVerdict = { readonly kind: 'pass' } | CheckObjection | (CheckUndecided & { readonly lookAgainAt: Instant });

/**
 * The first check that does not pass decides. A check that cannot be judged is waited for, even if a later one objects: nothing is done
 * in the meantime, and the recorded reason, which decides how the block ends, is always that of the first objection.
 */
export function firstObjection(point: CheckPoint, evidence: RoutingEvidence, now: Instant): RoutingVerdict {
  for (const check of CHECKS[point]) {
    const verdict = check(evidence, now);
    if (verdict.kind === 'block') return verdict;
    if (verdict.kind === 'unknown') return { ...verdict, lookAgainAt: after(now, evidence.routing.requeueGenericErrorMs) };
  }
  return { kind: 'pass' };
}

/** The verdict of every check, for explanations. */
export const judgeAll = (point: CheckPoint, evidence: RoutingEvidence, now: Instant): readonly CheckVerdict[] =>
  CHECKS[point].map((check) => check(evidence, now));
