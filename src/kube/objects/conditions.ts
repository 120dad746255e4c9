import type { Condition } from '../../api/meta.ts';
import { clip, toTime, type Instant } from '../../base/index.ts';

/** A condition as it is to be; when it last changed follows from what was there. */
export type WantedCondition = Omit<Condition, 'lastTransitionTime'>;

/** The longest message that the API takes: a status with a longer one would be refused, and tried again for ever. */
const LONGEST_MESSAGE = 32_768;

/**
 * The conditions with one of them set. The transition time moves only when the status does, in whole seconds as the API keeps
 * it; when nothing differs the same array comes back. Ready comes first, the others by name.
 */
export function setCondition(conditions: readonly Condition[] | undefined, wanted: WantedCondition, now: Instant): readonly Condition[] {
  const before = getCondition(conditions, wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? before.lastTransitionTime : toTime(now);
  const next: Condition = { ...wanted, message: clip(wanted.message, LONGEST_MESSAGE), lastTransitionTime };
  if (conditions && before && isSame(before, next)) return conditions;
  const others = (conditions ?? []).filter((condition) => condition.type !== wanted.type);
  return [...others, next].toSorted(readyFirst);
}

export const getCondition = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Whether the condition is there and True; Unknown is not. */
export const isTrue = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  getCondition(conditions, type)?.status === 'True';

const isSame = (a: Condition, b: Condition): boolean =>
  a.status === b.status && a.reason === b.reason && a.message === b.message && a.observedGeneration === b.observedGeneration;

function readyFirst(a: Condition, b: Condition): number {
  if (a.type === 'Ready' || b.type === 'Ready') return a.type === 'Ready' ? -1 : 1;
  return a.type < b.type ? -1 : 1;
}
