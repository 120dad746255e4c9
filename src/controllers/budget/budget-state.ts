import { HOUR, after, type Instant } from '../../base/index.ts';
import type { Claim } from './claim.ts';
import { judgeQueue, placeOf, runningNow, type Block, type BudgetQuestion } from './judge-budget.ts';

/** The budget as people and metrics see it. */
export interface BudgetState {
  /** Why nothing may start; undefined while things may. */
  readonly paused?: string;
  readonly running: readonly Claim[];
  /** First come, first served. A waiter with nothing ahead of it is about to start, unless everything is paused. */
  readonly waiting: readonly WaitingState[];
  readonly startedInHour: number;
  readonly allowed: { readonly running: number; readonly perHour: number };
}

export interface WaitingState {
  readonly uid: string;
  readonly key: string;
  readonly target: string;
  readonly since: Instant;
  readonly place: number;
  readonly blocks: readonly Block[];
}

/** Who runs, who waits, for what and at which place. */
export function budgetState(question: BudgetQuestion): BudgetState {
  const { claims, settings, now } = question;
  const waiting = [...judgeQueue(question)].map((standing): WaitingState => {
    const { uid, key, target, createdAt } = standing.waiter;
    return { uid, key, target, since: createdAt, place: placeOf(standing), blocks: standing.blocks };
  });
  return {
    ...(settings.paused === undefined ? {} : { paused: settings.paused }),
    running: runningNow(question).toSorted((a, b) => a.claimedAt - b.claimedAt),
    waiting,
    startedInHour: claims.filter(({ claimedAt }) => now < after(claimedAt, HOUR)).length,
    allowed: { running: settings.running.cluster, perHour: settings.perHour.cluster },
  };
}

/** Numbers for metrics: a fixed set, whatever namespaces and nodes there are. */
export const budgetSummary = ({ paused, running, waiting, startedInHour, allowed }: BudgetState) => ({
  paused: paused === undefined ? 0 : 1,
  running: running.length,
  waiting: waiting.length,
  startedInHour,
  runningLimit: allowed.running,
  perHourLimit: allowed.perHour,
});
