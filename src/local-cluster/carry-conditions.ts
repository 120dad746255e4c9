import type { PodCondition } from '../api/builtin/index.ts';
import { toTime, type Instant } from '../base/index.ts';

/** The wanted conditions, each with the time of its last transition: the one it had, unless its status changed. */
export const carryConditions = (
  before: readonly PodCondition[] | undefined,
  wanted: readonly PodCondition[],
  now: Instant,
): readonly PodCondition[] =>
  wanted.map((condition) => {
    const had = before?.find(({ type }) => type === condition.type);
    return { ...condition, lastTransitionTime: (had?.status === condition.status && had.lastTransitionTime) || toTime(now) };
  });

/** Whether the condition is there and True. */
export const holds = (conditions: readonly PodCondition[] | undefined, type: string): boolean =>
  conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
