import type { Edits } from '../../api/violation.ts';
import { clone } from '../../base/index.ts';

/** A copy of the object with new values at the given JSON pointers; undefined removes. */
export function applyEdits<T>(object: T, edits: Edits): T {
  const copy = clone(object);
  for (const [pointer, value] of Object.entries(edits)) setAt(copy, pointer, value);
  return copy as T;
}

function setAt(root: unknown, pointer: string, value: unknown): void {
  const steps = pointer.split('/').slice(1).map(unescape);
  const last = steps.pop() ?? '';
  const parent = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], root) as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = clone(value);
}

const unescape = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** One more step of a JSON pointer. */
export const below = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
