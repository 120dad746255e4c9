/** What becomes of a name that a write claims to be its author's. */
export type Claim = { readonly kind: 'name'; readonly name: string } | { readonly kind: 'forged'; readonly name: string };

/**
 * The author of a change is who asks for it. A name that was there before the change, or none, is replaced; another person's,
 * put there by this very write, is a forgery.
 */
export const claimedName = (username: string, claimed: unknown, before: unknown): Claim =>
  claimed === undefined || claimed === '' || claimed === username || claimed === before
    ? { kind: 'name', name: username }
    : { kind: 'forged', name: typeof claimed === 'string' ? claimed : JSON.stringify(claimed) };
