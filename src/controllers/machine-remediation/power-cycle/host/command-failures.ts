import type { HostFault } from '../observed.ts';

const MAX_FAILURES = 1_000;

/** Why the last command for a request was not carried out, by the UID of the request. It is only reported and never decided on, so that it may be lost. */
export class CommandFailures {
  readonly #failures = new Map<string, HostFault>();

  of(uid: string): HostFault | undefined {
    return this.#failures.get(uid);
  }

  set(uid: string, failure: HostFault | undefined): void {
    this.#failures.delete(uid);
    if (!failure) return;
    this.#failures.set(uid, failure);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest);
  }
}
