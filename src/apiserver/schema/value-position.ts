/** A value with its path, and its old value where that is known. */
export interface ValuePosition {
  readonly value: unknown;
  readonly old: unknown;
  /** As kube-apiserver writes it: `spec.parts[0].name`. */
  readonly path: string;
  /** The field of errors that name none: `<nil>`, or the subresource that is written. */
  readonly nameless: string;
}

/** The spot of a member. */
export const memberOf = ({ path, nameless }: ValuePosition, name: string, value: unknown, old: unknown): ValuePosition => ({
  value,
  old,
  path: join(path, name),
  nameless,
});

/** The spot of a list item. */
export const itemOf = ({ path, nameless }: ValuePosition, index: number, value: unknown, old: unknown): ValuePosition => ({
  value,
  old,
  path: `${path}[${index}]`,
  nameless,
});

/** A member's path. */
export const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
