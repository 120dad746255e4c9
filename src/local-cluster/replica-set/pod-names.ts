import { numberOf, safeLetters, wordsOf } from '../safe-letters.ts';

const LENGTH = 5;
/** Prime to the number of words, so that no two slots of a ReplicaSet share one. */
const STRIDE = 5_801_237;

/** The name of the pod in a ReplicaSet's slot: always the same for the same slot, and never that of another. */
export const podName = (replicaSet: { readonly name: string; readonly uid: string }, slot: number): string =>
  `${replicaSet.name}-${safeLetters((numberOf(replicaSet.uid) + slot * STRIDE) % wordsOf(LENGTH), LENGTH)}`;

/** Names for so many new pods: those of the first free slots; a terminating pod still holds its slot. */
export function freePodNames(
  replicaSet: { readonly name: string; readonly uid: string },
  taken: ReadonlySet<string>,
  count: number,
): readonly string[] {
  const names: string[] = [];
  for (let slot = 0; names.length < count; slot++) {
    const name = podName(replicaSet, slot);
    if (!taken.has(name)) names.push(name);
  }
  return names;
}
