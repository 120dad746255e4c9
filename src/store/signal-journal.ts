/** A signal and what was decided about it. */
export interface SignalRecord {
  /** Identifies it in this process; later ones are larger. */
  readonly number: number;
  readonly at: string;
  readonly name?: string;
  readonly severity?: string;
  readonly verdict: string;
  readonly message: string;
  readonly target?: { readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly fingerprint?: string;
  readonly remediation?: string;
  readonly until?: string;
}

/** A day of a busy cluster; each is some 500 bytes. */
const MOST_KEPT = 20_000;

/** The last signals with their verdicts, and how many there were of each verdict. It ends with the process. */
export class SignalJournal {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Set<(record: SignalRecord) => void>();
  #records: SignalRecord[] = [];
  #next = 1;

  constructor({ most = MOST_KEPT }: { readonly most?: number } = {}) {
    this.#most = most;
  }

  add(signal: Omit<SignalRecord, 'number'>): void {
    const record = { number: this.#next++, ...signal };
    this.#records.push(record);
    // Cut rarely, so that adding stays cheap.
    if (this.#records.length > this.#most * 1.1) this.#records = this.#records.slice(-this.#most);
    this.#counts.set(signal.verdict, (this.#counts.get(signal.verdict) ?? 0) + 1);
    for (const listener of this.#listeners) listener(record);
  }

  /** The newest first. */
  newestFirst(): readonly SignalRecord[] {
    return this.#records.slice(-this.#most).toReversed();
  }

  /** Since the process began, by verdict. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** Returns how to stop. */
  onAdd(listener: (record: SignalRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
