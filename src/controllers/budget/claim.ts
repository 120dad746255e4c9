import type { Instant } from '../../base/index.ts';

/** Where something is done, as far as it is known: what is not known is not limited. */
export interface Place {
  /** Namespace of the target; undefined when it lives in none. */
  readonly namespace?: string;
  /** The node that is the target, or that the target runs on. */
  readonly node?: string;
}

/** Who may start something: what is on the ledger, or wants to be. */
export interface Asker extends Place {
  readonly uid: string;
  /** Kind, namespace and name of the object that acts. */
  readonly kind: string;
  readonly key: string;
  /** What it acts on, for people. */
  readonly target: string;
}

/** Leave to start one thing. It counts as running until its end is known, and for the hour from `claimedAt` on. */
export interface Claim extends Asker {
  readonly claimedAt: Instant;
  /** When the work is known to have ended; kept on the ledger so that it need not be checked again. */
  readonly endedAt?: Instant;
}

/** Who waits in the queue. */
export interface Waiter extends Asker {
  readonly createdAt: Instant;
}

/** The name that messages use: people know an object by it. */
export const nameOf = ({ key }: Pick<Asker, 'key'>): string => key.slice(key.indexOf('/') + 1);
