/** The position of a value in a decoded object. Paths are only built for warnings and errors. */
export interface FieldPosition {
  readonly up: FieldPosition | undefined;
  /** The field or key, or the index in a list. */
  readonly step: string | number;
  /** The struct whose field this is; undefined for items and keys. */
  readonly owner: string | undefined;
  /** Receives the paths of unknown fields. */
  readonly unknown: string[];
}

/** `spec.containers[0].name`, the form for unknown fields. */
export function pathOf({ up, step }: FieldPosition): string {
  if (!up) return '';
  const before = pathOf(up);
  if (typeof step === 'number') return `${before}[${step}]`;
  return before === '' ? step : `${before}.${step}`;
}

/** `spec.containers.name`, the form for wrong types. */
export function goPathOf({ up, step, owner }: FieldPosition): string {
  if (!up) return '';
  const before = goPathOf(up);
  if (owner === undefined) return before;
  return before === '' ? String(step) : `${before}.${step}`;
}

/** The struct of the nearest field. */
export const structOf = ({ up, owner }: FieldPosition): string | undefined => owner ?? (up && structOf(up));
