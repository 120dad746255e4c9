import { after, HOUR, type Instant } from '../../base/index.ts';
import type { BudgetSettings } from '../settings.ts';
import { nameOf, type Asker, type Claim, type Place } from './claim.ts';

/** One of the limits that bind an asker. */
export interface Limit {
  readonly counts: 'running' | 'perHour';
  readonly scope: 'cluster' | 'namespace' | 'node';
  /** Which namespace or node. */
  readonly name?: string;
  readonly allowed: number;
}

/** Who uses a limit up. */
export interface Use {
  readonly name: string;
  /** When it stops counting by itself; only uses of the hour do. */
  readonly until?: Instant;
  /** It is not on the ledger, but waits before the asker, and what it needs is kept for it. */
  readonly waits: boolean;
}

/** The limits for work in that place. Without a namespace or a known node, the limits for those do not apply. */
export function limitsOf({ namespace, node }: Place, { running, perHour }: BudgetSettings): readonly Limit[] {
  return [
    { counts: 'running', scope: 'cluster', allowed: running.cluster },
    ...(namespace === undefined ? [] : [{ counts: 'running', scope: 'namespace', name: namespace, allowed: running.namespace } as const]),
    ...(node === undefined ? [] : [{ counts: 'running', scope: 'node', name: node, allowed: running.node } as const]),
    { counts: 'perHour', scope: 'cluster', allowed: perHour.cluster },
    ...(namespace === undefined ? [] : [{ counts: 'perHour', scope: 'namespace', name: namespace, allowed: perHour.namespace } as const]),
  ];
}

/** How far each limit is used up. */
export class Tally {
  readonly #settings: BudgetSettings;
  readonly #uses = new Map<string, Use[]>();

  constructor(settings: BudgetSettings) {
    this.#settings = settings;
  }

  /** Counts a claim: as running until it is over, and for an hour as started. */
  addClaim(claim: Claim, isOver: boolean, now: Instant): void {
    const until = after(claim.claimedAt, HOUR);
    for (const limit of limitsOf(claim, this.#settings)) {
      if (limit.counts === 'running' && !isOver) this.#add(limit, { name: nameOf(claim), waits: false });
      if (limit.counts === 'perHour' && now < until) this.#add(limit, { name: nameOf(claim), until, waits: false });
    }
  }

  /** Keeps for one who waits what it will use; `scopes` is what it may keep others from. */
  reserve(asker: Asker, scopes: readonly Limit['scope'][]): void {
    for (const limit of limitsOf(asker, this.#settings))
      if (scopes.includes(limit.scope)) this.#add(limit, { name: nameOf(asker), waits: true });
  }

  uses(limit: Limit): readonly Use[] {
    return this.#uses.get(keyOf(limit)) ?? [];
  }

  #add(limit: Limit, use: Use): void {
    const uses = this.#uses.get(keyOf(limit));
    if (uses) uses.push(use);
    else this.#uses.set(keyOf(limit), [use]);
  }
}

const keyOf = ({ counts, scope, name = '' }: Limit): string => `${counts} ${scope} ${name}`;
