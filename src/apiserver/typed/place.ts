/** Where a value stands in what is decoded. Paths are put together only when somebody must be told. */
export interface Place {
  readonly up: Place | undefined;
  /** The field or key, or the index in a list. */
  readonly step: string | number;
  /** The struct whose field this is; undefined for items and keys. */
  readonly owner: string | undefined;
  /** Receives the paths of what nobody knows. */
  readonly unknown: string[];
}

/** `spec.containers[0].name`, as unknown fields are told. */
export function pathOf({ up, step }: Place): string {
  if (!up) return '';
  const before = pathOf(up);
  if (typeof step === 'number') return `${before}[${step}]`;
  return before === '' ? step : `${before}.${step}`;
}

/** `spec.containers.name`, as wrong types are told. */
export function goPathOf({ up, step, owner }: Place): string {
  if (!up) return '';
  const before = goPathOf(up);
  if (owner === undefined) return before;
  return before === '' ? String(step) : `${before}.${step}`;
}

/** The struct that the nearest field is in. */
export const ownerOf = ({ up, owner }: Place): string | undefined => owner ?? (up && ownerOf(up));
