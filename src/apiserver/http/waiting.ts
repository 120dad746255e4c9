import type { ServerResponse } from 'node:http';

/**
 * The bytes that wait for clients, of all together: of answers that clients do not read, or of requests that they do not finish. When they are too
 * many, the client that has waited longest is hung up on; one alone may be as slow as its own limits allow.
 */
export class Waiting {
  readonly #limitBytes: number;
  /** Oldest first. */
  readonly #bytes = new Map<ServerResponse, number>();
  #all = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Says how much waits for a client now; a client that has more than before keeps its place. */
  set(response: ServerResponse, bytes: number): void {
    this.#all += bytes - (this.#bytes.get(response) ?? 0);
    this.#bytes.set(response, bytes);
    for (const [oldest] of this.#bytes) {
      if (this.#all <= this.#limitBytes || this.#bytes.size === 1) return;
      this.delete(oldest);
      oldest.destroy();
    }
  }

  /** Nothing waits for a client any more. */
  delete(response: ServerResponse): void {
    this.#all -= this.#bytes.get(response) ?? 0;
    this.#bytes.delete(response);
  }
}
