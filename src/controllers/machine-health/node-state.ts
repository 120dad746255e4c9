import type { Node, NodeCondition } from '../../api/builtin/index.ts';

/** What of a Node checks go by: its conditions, without when they were last confirmed. */
export const stateOf = ({ status }: Node): unknown =>
  (status?.conditions ?? []).map(({ type, status: holds, reason, lastTransitionTime }: NodeCondition) => [
    type,
    holds,
    reason,
    lastTransitionTime,
  ]);
