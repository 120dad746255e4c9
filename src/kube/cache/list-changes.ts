import { keyOf, keyText, type KubeObject } from '../../api/meta.ts';

export interface ListChanges<T> {
  readonly gone: readonly T[];
  readonly come: readonly T[];
}

/**
 * What lies between two lists of a kind: what went, and what came. An object that changed did both. Objects are shared between lists for as
 * long as they are the same, so that thousands cost little; lists in another order than that of their keys only cost more.
 */
export function listChanges<T extends KubeObject>(before: readonly T[], now: readonly T[]): ListChanges<T> {
  const gone: T[] = [];
  const come: T[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < now.length) {
    const old = before[i] as T;
    const present = now[j] as T;
    const order = old === present ? 'same' : orderOf(old, present);
    if (order !== 'second') i++;
    if (order !== 'first') j++;
    if (order === 'first' || order === 'both') gone.push(old);
    if (order === 'second' || order === 'both') come.push(present);
  }
  return { gone: [...gone, ...before.slice(i)], come: [...come, ...now.slice(j)] };
}

/** Which of two has its turn: both when they are of one key. */
function orderOf(old: KubeObject, present: KubeObject): 'first' | 'second' | 'both' {
  const [a, b] = [keyText(keyOf(old)), keyText(keyOf(present))];
  if (a === b) return 'both';
  return a < b ? 'first' : 'second';
}
