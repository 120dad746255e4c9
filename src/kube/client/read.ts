/** A read, three ways: 403 and a broken connection are `unreadable`, never `absent`. */
export type Read<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'absent'; /** Set where the server does not know its kind either. */ readonly isKindUnknown?: true }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** What an observation did not read, because it was not needed or not due. Distinct from `unreadable`: nothing was asked of the server. */
export interface NotRead {
  readonly kind: 'not-read';
}

export const NOT_READ: NotRead = { kind: 'not-read' };

/** A list, two ways: an empty list is a value, a kind that cannot be read is not an empty list. */
export type Listed<T> = Exclude<Read<readonly T[]>, { readonly kind: 'absent' }>;

/** Why a value is not known, for messages. */
export const whyUnknown = (read: Exclude<OptionalRead<unknown>, { readonly kind: 'value' | 'absent' }>): string =>
  read.kind === 'not-read' ? 'it was not read in this pass' : read.reason;

/** A read that is made only where a decision needs it. */
export type OptionalRead<T> = Read<T> | NotRead;
