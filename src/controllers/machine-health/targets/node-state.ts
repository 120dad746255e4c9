import type { Node, NodeCondition } from '../../../api/builtin/index.ts';
import { sameJson } from '../../../base/index.ts';

/** Whether a condition of that type is of interest to any check. */
export type IsCheckedType = (type: string) => boolean;

/** Whether a Node says something else that a check goes by than before: when a condition was last confirmed is nothing of the kind. */
export const checkedConditionsChanged = (before: Node, now: Node, isCheckedType: IsCheckedType): boolean =>
  !sameJson(stateOf(before, isCheckedType), stateOf(now, isCheckedType));

const stateOf = ({ status }: Node, isCheckedType: IsCheckedType): unknown =>
  (status?.conditions ?? [])
    .filter(({ type }) => isCheckedType(type))
    .map(({ type, status: holds, reason, lastTransitionTime }: NodeCondition) => [type, holds, reason, lastTransitionTime]);
