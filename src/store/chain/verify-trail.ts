import type { AuditKey } from './audit-keys.ts';
import type { Checkpoint } from './checkpoint.ts';
import { CHAIN_START, hashOf, type ChainEnd, type TrailRow } from './trail-row.ts';

export const FINDING_KINDS = ['Changed', 'Missing', 'OutOfOrder', 'UnknownKey', 'OlderKey', 'Truncated', 'Rewritten'] as const;

/** Something that shows that the trail is not what was recorded. */
export interface Finding {
  readonly kind: (typeof FINDING_KINDS)[number];
  /** The events that it is about, by their sequence. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** What a trail proves about itself. */
export interface Verification {
  /** None when everything fits. */
  readonly findings: readonly Finding[];
  readonly events: number;
  /** Of these, how many were recorded before the trail had a chain. */
  readonly adopted: number;
  /** The last event; undefined where there is none. */
  readonly end: ChainEnd | undefined;
  /** The newest checkpoint that fits: what was recorded until then is complete. */
  readonly checkpoint: Checkpoint | undefined;
}

export interface Proof {
  /** The oldest first. */
  readonly keys: readonly AuditKey[];
  readonly checkpoints: readonly Checkpoint[];
}

/** More are not listed: what is wrong is known by then. */
const MOST_FINDINGS = 1_000;

/** Checks every event of a trail, in its order. */
export function verifyTrail(rows: Iterable<TrailRow>, proof: Proof): Verification {
  const check = new TrailCheck(proof);
  for (const row of rows) check.next(row);
  return check.end();
}

/** Checks the events of a trail one after the other. */
export class TrailCheck {
  readonly #keys: ReadonlyMap<string, { readonly key: AuditKey; readonly rank: number }>;
  readonly #checkpoints: ReadonlyMap<number, readonly Checkpoint[]>;
  readonly #findings: Found[] = [];
  readonly #newest: Checkpoint | undefined;
  #last: ChainEnd = CHAIN_START;
  #events = 0;
  #adopted = 0;
  /** Of the newest key so far. */
  #rank = 0;
  #confirmed: Checkpoint | undefined;

  constructor({ keys, checkpoints }: Proof) {
    this.#keys = new Map(keys.map((key, rank) => [key.id, { key, rank }]));
    this.#checkpoints = Map.groupBy(checkpoints, ({ sequence }) => sequence);
    this.#newest = checkpoints.toSorted((a, b) => b.sequence - a.sequence)[0];
  }

  next(row: TrailRow): void {
    const { sequence } = row;
    this.#events++;
    if (row.adopted) this.#adopted++;
    // Below 1 the first one is already.
    if (sequence <= this.#last.sequence) return this.#find({ kind: 'OutOfOrder', from: sequence, to: sequence });
    const follows = sequence === this.#last.sequence + 1;
    if (!follows) this.#find({ kind: 'Missing', from: this.#last.sequence + 1, to: sequence - 1 });
    this.#judge(row, follows);
    for (const checkpoint of this.#checkpoints.get(sequence) ?? []) this.#compare(row, checkpoint);
    this.#last = { sequence, hash: row.hash };
  }

  end(): Verification {
    const { sequence } = this.#last;
    if (this.#newest && this.#newest.sequence > sequence)
      this.#find({ kind: 'Truncated', from: sequence + 1, to: this.#newest.sequence, since: this.#newest });
    return {
      findings: this.#findings.map(withMessage),
      events: this.#events,
      adopted: this.#adopted,
      end: this.#events === 0 ? undefined : this.#last,
      checkpoint: this.#confirmed,
    };
  }

  /** Without the event before it, the hash of an event proves nothing: that one is missing is the finding then. */
  #judge(row: TrailRow, follows: boolean): void {
    const { sequence } = row;
    const known = this.#keys.get(row.keyId);
    if (!known) return this.#find({ kind: 'UnknownKey', from: sequence, to: sequence, keyId: row.keyId });
    if (known.rank < this.#rank) this.#find({ kind: 'OlderKey', from: sequence, to: sequence, keyId: row.keyId });
    this.#rank = Math.max(this.#rank, known.rank);
    if (follows && hashOf(row, this.#last.hash, known.key) !== row.hash) this.#find({ kind: 'Changed', from: sequence, to: sequence });
  }

  #compare({ sequence, hash }: TrailRow, checkpoint: Checkpoint): void {
    if (hash !== checkpoint.hash) this.#find({ kind: 'Rewritten', from: 1, to: sequence, since: checkpoint });
    // After something that does not fit nothing is known to be complete.
    else if (this.#findings.length > 0) return;
    else if (!this.#confirmed || checkpoint.sequence > this.#confirmed.sequence) this.#confirmed = checkpoint;
  }

  /** Neighbours with the same finding are one. */
  #find(found: Found): void {
    const before = this.#findings.at(-1);
    if (before?.kind === found.kind && before.to + 1 === found.from && before.keyId === found.keyId)
      this.#findings.splice(-1, 1, { ...found, from: before.from });
    else if (this.#findings.length < MOST_FINDINGS) this.#findings.push(found);
  }
}

interface Found extends Omit<Finding, 'message'> {
  readonly keyId?: string;
  readonly since?: Checkpoint;
}

const withMessage = (found: Found): Finding => {
  const { kind, from, to } = found;
  return { kind, from, to, message: MESSAGES[kind](found) };
};

const range = ({ from, to }: Found): string => (from === to ? `event ${from}` : `events ${from} to ${to}`);

const plural = ({ from, to }: Found, one: string, many: string): string => (from === to ? one : many);

const MESSAGES: Readonly<Record<Finding['kind'], (found: Found) => string>> = {
  Changed: (found) =>
    `${range(found)} ${plural(found, 'does not fit its hash: it was', 'do not fit their hashes: they were')} changed, moved or replaced`,
  Missing: (found) => `${range(found)} ${plural(found, 'is missing: it was', 'are missing: they were')} deleted`,
  OutOfOrder: (found) =>
    found.from < 1
      ? `${range(found)} ${plural(found, 'was', 'were')} made up: numbers begin with 1`
      : `${range(found)} ${plural(found, 'stands', 'stand')} after a later one`,
  UnknownKey: (found) => `${range(found)} ${plural(found, 'is', 'are')} sealed with key ${found.keyId ?? ''}, which is not in the key file`,
  OlderKey: (found) =>
    `${range(found)} ${plural(found, 'is', 'are')} sealed with key ${found.keyId ?? ''}, which had been replaced by then`,
  Truncated: (found) =>
    `${range(found)} ${plural(found, 'is', 'are')} missing at the end: the checkpoint of ${found.since?.at ?? ''} knows of event ${found.to}`,
  Rewritten: (found) =>
    `the trail up to event ${found.to} is not the one that the checkpoint of ${found.since?.at ?? ''} knows: it was rewritten`,
};
