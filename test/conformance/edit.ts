import { clone, isObject, type JsonObject } from '../../src/base/index.ts';

/** A change of a body: a value at a path; undefined takes away. */
export interface Edit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** A copy with the changes. What is in the way of a path gives way. */
export function edited(object: JsonObject, edits: readonly Edit[]): JsonObject {
  const copy = clone(object) as Record<string, unknown>;
  for (const { path, value } of edits) set(copy, path, value);
  return copy;
}

function set(root: Record<string, unknown>, path: readonly (string | number)[], value: unknown): void {
  let here: Record<string | number, unknown> = root;
  for (const step of path.slice(0, -1)) {
    if (!isObject(here[step]) && !Array.isArray(here[step])) here[step] = {};
    here = here[step] as Record<string | number, unknown>;
  }
  const last = path.at(-1)!;
  if (value === undefined) delete here[last];
  else here[last] = clone(value);
}
