import { after, HOUR, instant, type Instant } from '../../base/index.ts';
import type { BudgetSettings } from '../settings.ts';
import { nameOf, type Claim, type Waiter } from './claim.ts';
import { isClaimed, isOpen, queueOf } from './queue.ts';
import { limitsOf, Tally, type Limit, type Use } from './tally.ts';

export interface BudgetQuestion {
  /** What the ledger says, and what runs without being on it. */
  readonly claims: readonly Claim[];
  /** UIDs of claims without an end on the ledger whose work is really over. */
  readonly over: ReadonlySet<string>;
  readonly waiting: readonly Waiter[];
  readonly settings: BudgetSettings;
  readonly now: Instant;
}

/** A limit that is used up. */
export interface Block extends Limit {
  readonly uses: readonly Use[];
  /** When there is room again at the latest; undefined when that depends on the end of a run. */
  readonly until?: Instant;
}

/** May it start? */
export type BudgetVerdict =
  /** Its claim is on the ledger. */
  | { readonly kind: 'Claimed' }
  /** There is room: this is the ledger with its claim. Nothing may start before that is written. */
  | { readonly kind: 'Granted'; readonly claims: readonly Claim[] }
  | { readonly kind: 'Wait'; readonly place: number; readonly blocks: readonly Block[] }
  /** The operator paused all work. */
  | { readonly kind: 'Held'; readonly why: string; readonly running: readonly string[] };

/** Whether the asker may start, given the ledger and who else waits. */
export function judgeBudget(question: BudgetQuestion & { readonly asking: Waiter }): BudgetVerdict {
  const { claims, asking, settings } = question;
  if (settings.paused !== undefined) return { kind: 'Held', why: settings.paused, running: runningBut(question, asking.uid) };
  if (isClaimed(claims, asking)) return { kind: 'Claimed' };
  for (const standing of judgeQueue(question, asking)) if (standing.waiter.uid === asking.uid) return conclude(question, standing);
  return grant(question);
}

const conclude = (question: BudgetQuestion & { readonly asking: Waiter }, standing: Standing): BudgetVerdict =>
  standing.blocks.length > 0 ? { kind: 'Wait', place: placeOf(standing), blocks: standing.blocks } : grant(question);

/** One who waits, with what is in the way; nothing when it may start now. */
export interface Standing {
  readonly waiter: Waiter;
  readonly blocks: readonly Block[];
  readonly queue: readonly Waiter[];
  /** Where in the queue it stands. */
  readonly index: number;
}

/** Its place among those who wait for the same, counted from 1. */
export const placeOf = ({ queue, index, blocks }: Standing): number =>
  1 + queue.slice(0, index).filter((other) => blocks.some((block) => isWithin(other, block))).length;

/**
 * Goes through the queue. A waiter that has room gets it before all that came later. A waiter without room blocks later ones only on its
 * node: a namespace is part of the cluster, so an end within it makes room in both, but a node is not, and a waiter that needs room both in
 * a namespace and on a node could be overtaken for ever, once in the one and once on the other.
 */
export function* judgeQueue(question: BudgetQuestion, asking?: Waiter): Generator<Standing> {
  const { claims, over, settings, now } = question;
  const tally = new Tally(settings);
  for (const claim of claims) tally.addClaim(claim, !isOpen(claim) || over.has(claim.uid), now);
  const queue = queueOf(question.waiting, claims, asking);
  for (const [index, waiter] of queue.entries()) {
    const blocks = limitsOf(waiter, settings).flatMap((limit) => blockOf(limit, tally.uses(limit)) ?? []);
    yield { waiter, blocks, queue, index };
    tally.reserve(waiter, blocks.length > 0 ? ['node'] : ['cluster', 'namespace', 'node']);
  }
}

function blockOf(limit: Limit, uses: readonly Use[]): Block | undefined {
  if (uses.length < limit.allowed) return undefined;
  // So many must stop counting before there is room for one more.
  const until = uses.flatMap((use) => use.until ?? []).toSorted((a, b) => a - b)[uses.length - limit.allowed];
  return { ...limit, uses, ...(until === undefined ? {} : { until }) };
}

const isWithin = ({ namespace, node }: Waiter, { scope, name }: Limit): boolean =>
  scope === 'cluster' || (scope === 'namespace' ? namespace : node) === name;

/** The ledger with one claim more, without what no longer counts for anything. */
function grant({ claims, over, now, asking }: BudgetQuestion & { readonly asking: Waiter }): BudgetVerdict {
  const { createdAt: _, ...asker } = asking;
  const kept = claims.flatMap((claim) => carryOver(claim, over.has(claim.uid), now) ?? []);
  return {
    kind: 'Granted',
    claims: [...kept.map((claim) => (claim.uid === asking.uid ? setAside(claim) : claim)), { ...asker, claimedAt: now }],
  };
}

/** What the asker did before counts for its hour too, and must not be overwritten by what it does now. */
const setAside = (claim: Claim): Claim => ({ ...claim, uid: `${claim.uid}.${claim.claimedAt}` });

/** A claim of the future was written by a clock that was ahead; it counts from now on, or it might count for ever. */
function carryOver(claim: Claim, isOver: boolean, now: Instant): Claim | undefined {
  const endedAt = claim.endedAt ?? (isOver ? now : undefined);
  if (endedAt !== undefined && now >= after(claim.claimedAt, HOUR)) return undefined;
  return { ...claim, claimedAt: instant(Math.min(claim.claimedAt, now)), ...(endedAt === undefined ? {} : { endedAt }) };
}

/** Names of what has leave and is not known to be over. */
export const runningNow = ({ claims, over }: Pick<BudgetQuestion, 'claims' | 'over'>): readonly Claim[] =>
  claims.filter((claim) => isOpen(claim) && !over.has(claim.uid));

const runningBut = (question: BudgetQuestion, uid: string): readonly string[] =>
  runningNow(question)
    .filter((claim) => claim.uid !== uid)
    .map(nameOf)
    .toSorted();
