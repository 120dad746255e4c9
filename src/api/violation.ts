/**
 * An object that one CEL rule of a kind must refuse, as edits of the kind's sample. Each rule has at least one, which is tried on every
 * server that we claim to work with.
 */
export interface Violation {
  /** Message of the rule. */
  readonly rule: string;
  /** Where the server sees the fault, e.g. `spec.selector`. */
  readonly field: string;
  /** For rules about changes: edits of the sample that are stored first. */
  readonly from?: Edits;
  /** Edits (on top of `from`) that the rule refuses. */
  readonly to: Edits;
}

/** New values by JSON pointer; undefined removes the member. */
export type Edits = Readonly<Record<string, unknown>>;

/** The violation of a spec that may not change at all. */
export const changedSpec = (to: Edits): Violation => ({ rule: 'spec is immutable', field: 'spec', from: {}, to });

/** The two ways to break a rule made by `onceSet` or `frozenSince`: by another value, and by taking it away. */
export function changedOrRemoved(
  rule: string,
  { field, pointer, value }: { readonly field: string; readonly pointer: string; readonly value: unknown },
): Violation[] {
  return [
    { rule, field, from: {}, to: { [pointer]: value } },
    { rule, field, from: {}, to: { [pointer]: undefined } },
  ];
}
