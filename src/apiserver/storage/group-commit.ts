import { turn } from '../../base/index.ts';
import type { Row } from './sqlite-database.ts';
import type { StorageWrite } from './storage.ts';

/** A batch with so many rows is committed without waiting for more. */
const ENOUGH = 8;

interface Batch {
  readonly rows: Row[];
  readonly outcome: PromiseWithResolvers<void>;
}

/**
 * Collects writes while the previous batch is committed, so that one fsync serves all writes that arrive meanwhile.
 * One batch is committed at a time; the first failure rejects it and every later write, permanently.
 */
export class GroupCommit {
  readonly #send: (rows: readonly Row[]) => void;
  #collecting: Batch | undefined;
  #sent: Batch | undefined;
  #refusal: Error | undefined;

  constructor(send: (rows: readonly Row[]) => void) {
    this.#send = send;
  }

  /** Resolves when the writes are durable; rejects when they cannot become durable. */
  commit(writes: readonly StorageWrite[]): Promise<void> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    if (!this.#collecting) {
      this.#collecting = { rows: [], outcome: Promise.withResolvers() };
      // Other writes of this turn of the event loop join the batch.
      if (!this.#sent) void turn().then(() => this.#next());
    }
    const { rows, outcome } = this.#collecting;
    for (const write of writes) rows.push(rowOf(write));
    // In a long turn of the event loop, the disk does not have to wait for its end.
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

  /** Rejects the current batch and every later write. */
  refuse(error: Error): void {
    this.#refusal ??= error;
    this.#sent?.outcome.reject(error);
    this.#collecting?.outcome.reject(error);
    this.#sent = undefined;
    this.#collecting = undefined;
  }

  /** Accepts no more writes; resolves when none is pending any more, whether it succeeded or failed. */
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

/** The error for the callers of a commit. */
const ignoreRefusal = (): void => {};

const rowOf = ({ table, key, revision, object }: StorageWrite): Row => ({ table, key, revision, json: object && JSON.stringify(object) });
