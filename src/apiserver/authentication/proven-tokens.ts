/** How many tokens are remembered. */
const KEPT = 1_000;

/**
 * What tokens were found to prove, so that digests and signatures are worked out once per token and not once per request. Only what
 * never changes may be remembered: that a token has run out, or what it stands for is gone, is judged each time.
 */
export class ProvenTokens<T> {
  readonly #proven = new Map<string, T>();
  readonly #prove: (token: string) => T | undefined;

  constructor(prove: (token: string) => T | undefined) {
    this.#prove = prove;
  }

  /** Undefined for a token that proves nothing; of those nothing is kept, so that nobody can fill the memory with them. */
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
