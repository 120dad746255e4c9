/** How many verified tokens are kept. */
const KEPT = 1_000;

/**
 * The results of verified tokens, so that digests and signatures are computed once per token and not once per request. Only facts that
 * never change may be kept: whether a token has expired, or its account is deleted, is checked each time.
 */
export class VerifiedTokens<T> {
  readonly #proven = new Map<string, T>();
  readonly #prove: (token: string) => T | undefined;

  constructor(prove: (token: string) => T | undefined) {
    this.#prove = prove;
  }

  /** Undefined for an invalid token; invalid tokens are not kept, so that a client cannot fill the memory with them. */
  read(token: string): T | undefined {
    const known = this.#proven.get(token);
    if (known !== undefined) return known;
    const proof = this.#prove(token);
    if (proof === undefined) return undefined;
    if (this.#proven.size >= KEPT) this.#proven.clear();
    this.#proven.set(token, proof);
    return proof;
  }
}
