import { turn } from '../../base/index.ts';
import type { Row } from './sqlite-database.ts';
import type { Write } from './storage.ts';

/** So many rows are worth a press onto the disk of their own. */
const ENOUGH = 8;

interface Batch {
  readonly rows: Row[];
  readonly outcome: PromiseWithResolvers<void>;
}

/**
 * Collects writes while the batch before them is committed, so that one press onto the disk serves all that came meanwhile.
 * One batch is on its way at a time; the first failure refuses it and everything after it, for good.
 */
export class GroupCommit {
  readonly #send: (rows: readonly Row[]) => void;
  #collecting: Batch | undefined;
  #sent: Batch | undefined;
  #refusal: Error | undefined;

  constructor(send: (rows: readonly Row[]) => void) {
    this.#send = send;
  }

  /** Resolves when the writes are durable; rejects when they never will be. */
  commit(writes: readonly Write[]): Promise<void> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    if (!this.#collecting) {
      this.#collecting = { rows: [], outcome: Promise.withResolvers() };
      // Whatever else arrived in this turn comes along.
      if (!this.#sent) void turn().then(() => this.#next());
    }
    const { rows, outcome } = this.#collecting;
    for (const write of writes) rows.push(rowOf(write));
    // In a long turn the disk need not stand still until it is over.
    if (rows.length >= ENOUGH) this.#next();
    return outcome.promise;
  }

  /** The batch that was sent is durable. */
  committed(): void {
    const batch = this.#sent;
    this.#sent = undefined;
    batch?.outcome.resolve();
    this.#next();
  }

  /** Refuses what is on its way and all that comes. */
  refuse(error: Error): void {
    this.#refusal ??= error;
    this.#sent?.outcome.reject(error);
    this.#collecting?.outcome.reject(error);
    this.#sent = undefined;
    this.#collecting = undefined;
  }

  /** Takes no more writes; resolves when none is on its way any more, whatever became of it. */
  async finish(why: Error): Promise<void> {
    this.#refusal ??= why;
    for (let last = this.#last(); last; last = this.#last()) await last.outcome.promise.catch(ignoreRefusal);
  }

  #last(): Batch | undefined {
    return this.#collecting ?? this.#sent;
  }

  #next(): void {
    if (this.#sent || !this.#collecting) return;
    this.#sent = this.#collecting;
    this.#collecting = undefined;
    this.#send(this.#sent.rows);
  }
}

/** Told to whoever asked for the commit. */
const ignoreRefusal = (): void => {};

const rowOf = ({ table, key, revision, object }: Write): Row => ({ table, key, revision, json: object && JSON.stringify(object) });
