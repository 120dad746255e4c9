import type { BlockReason } from '../../../api/remediation-request/status.ts';
import { after, type Instant } from '../../../base/index.ts';
import { consecutiveFailures } from './checks/consecutive-failures.ts';
import { duplicateInProgress } from './checks/duplicate-in-progress.ts';
import { exponentialBackoff } from './checks/exponential-backoff.ts';
import { ineffectiveChain } from './checks/ineffective-chain.ts';
import { recentlyRemediated } from './checks/recently-remediated.ts';
import { resourceBusy } from './checks/resource-busy.ts';
import { unmanagedResource } from './checks/unmanaged-resource.ts';
import type { Evidence } from './evidence.ts';
import type { Objection, Undecided, Verdict } from './check-verdict.ts';

export type Check = (evidence: Evidence, now: Instant) => Verdict;

const BEFORE_ANALYSIS: readonly Check[] = [unmanagedResource, consecutiveFailures, duplicateInProgress, exponentialBackoff];

/** The checks, in their order, at each point where they are asked. After an approval all of the second list are asked again. */
export const CHECKS = {
  'pre-analysis': BEFORE_ANALYSIS,
  'post-analysis': [...BEFORE_ANALYSIS, resourceBusy, recentlyRemediated, ineffectiveChain],
} as const satisfies Readonly<Record<string, readonly Check[]>>;

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
] as const satisfies readonly BlockReason[];

/** Where a request may go on, is held back, or cannot be judged before `lookAgainAt`. */
export type Routing = { readonly kind: 'pass' } | Objection | (Undecided & { readonly lookAgainAt: Instant });

/**
 * The first check that does not pass has the word. One that cannot be judged is waited for, also when a later one objects: nothing is done
 * meanwhile, and the reason that goes on record, which decides how the block ends, is always that of the first objection.
 */
export function route(point: CheckPoint, evidence: Evidence, now: Instant): Routing {
  for (const check of CHECKS[point]) {
    const verdict = check(evidence, now);
    if (verdict.kind === 'block') return verdict;
    if (verdict.kind === 'unknown') return { ...verdict, lookAgainAt: after(now, evidence.routing.requeueGenericErrorMs) };
  }
  return { kind: 'pass' };
}

/** What each check says, for people. */
export const judgeAll = (point: CheckPoint, evidence: Evidence, now: Instant): readonly Verdict[] =>
  CHECKS[point].map((check) => check(evidence, now));
