/** How a name is judged that a write gives as its author. */
export type ClaimedName = { readonly kind: 'name'; readonly name: string } | { readonly kind: 'forged'; readonly name: string };

/**
 * The author of a change is the user who sends it. A name that was there before the change, or none, is replaced; the name of another
 * user, added by this very write, is a forgery.
 */
export const claimedName = (username: string, claimed: unknown, before: unknown): ClaimedName =>
  claimed === undefined || claimed === '' || claimed === username || claimed === before
    ? { kind: 'name', name: username }
    : { kind: 'forged', name: typeof claimed === 'string' ? claimed : JSON.stringify(claimed) };
