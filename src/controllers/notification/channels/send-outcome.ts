/** How one attempt to send ended. */
export type SendOutcome =
  | { readonly kind: 'delivered'; /** What the provider calls the message. */ readonly reference?: string }
  /** Another attempt would end the same way. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Another attempt may succeed. */
  | ({ readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs?: number } & Doubt)
  /** No answer in time. */
  | ({ readonly kind: 'timeout'; readonly reason: string } & Doubt);

/** Set where the message went out and no answer says what became of it: another attempt may show it twice. */
interface Doubt {
  readonly mayHaveArrived?: boolean;
}

/** One request to a provider. It contains credentials: it is never logged. */
export interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to it, with any status code. */
export interface ProviderAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}
