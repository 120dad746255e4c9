import type { Trouble } from '../observed.ts';

/** Requests that troubles are remembered of. */
const MOST_NOTES = 1_000;

/** What went wrong with the last command for a request, by UID. It is told to people and never decided on, so that it may be lost. */
export class PowerNotes {
  readonly #notes = new Map<string, Trouble>();

  of(uid: string): Trouble | undefined {
    return this.#notes.get(uid);
  }

  set(uid: string, trouble: Trouble | undefined): void {
    this.#notes.delete(uid);
    if (!trouble) return;
    this.#notes.set(uid, trouble);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > MOST_NOTES && oldest !== undefined) this.#notes.delete(oldest);
  }
}
