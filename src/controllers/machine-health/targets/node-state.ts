import type { Node, NodeCondition } from '../../../api/builtin/index.ts';
import { sameJson } from '../../../base/index.ts';

/** Whether any check names a condition of that type. */
export type IsCheckedType = (type: string) => boolean;

/** Whether conditions that a check names have changed; heartbeats alone do not count. */
export const checkedConditionsChanged = (before: Node, now: Node, isCheckedType: IsCheckedType): boolean =>
  !sameJson(stateOf(before, isCheckedType), stateOf(now, isCheckedType));

const stateOf = ({ status }: Node, isCheckedType: IsCheckedType): unknown =>
  (status?.conditions ?? [])
    .filter(({ type }) => isCheckedType(type))
    .map(({ type, status: holds, reason, lastTransitionTime }: NodeCondition) => [type, holds, reason, lastTransitionTime]);
