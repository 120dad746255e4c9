import type { Node, NodeCondition } from '../../../api/builtin/index.ts';
import { sameJson } from '../../../base/index.ts';

/** Whether a condition of that type is of interest to any check. */
export type IsAsked = (type: string) => boolean;

/** Whether a Node says something else that a check goes by than before: when a condition was last confirmed is nothing of the kind. */
export const saysOther = (before: Node, now: Node, isAsked: IsAsked): boolean => !sameJson(stateOf(before, isAsked), stateOf(now, isAsked));

const stateOf = ({ status }: Node, isAsked: IsAsked): unknown =>
  (status?.conditions ?? [])
    .filter(({ type }) => isAsked(type))
    .map(({ type, status: holds, reason, lastTransitionTime }: NodeCondition) => [type, holds, reason, lastTransitionTime]);
