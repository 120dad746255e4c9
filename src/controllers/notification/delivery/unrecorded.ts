import type { MadeAttempt } from './record-attempts.ts';

/** So many notifications may wait for their results to be recorded; the oldest gives way to the next. */
const MOST = 1_000;

/** Results that status does not have yet, because the write failed: they are recorded later, and nothing is sent again for it. */
export class Unrecorded {
  readonly #made = new Map<string, readonly MadeAttempt[]>();

  of(uid: string): readonly MadeAttempt[] {
    return this.#made.get(uid) ?? [];
  }

  keep(uid: string, made: MadeAttempt): void {
    this.#made.set(uid, [...this.of(uid), made]);
    const [oldest] = this.#made.keys();
    if (this.#made.size > MOST && oldest !== undefined) this.#made.delete(oldest);
  }

  /** These are recorded. */
  forget(uid: string, recorded: readonly MadeAttempt[]): void {
    const left = this.of(uid).filter((made) => !recorded.includes(made));
    if (left.length === 0) this.#made.delete(uid);
    else this.#made.set(uid, left);
  }
}
