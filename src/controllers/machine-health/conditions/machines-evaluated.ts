import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { EvaluatedTarget } from '../verdict/health-evaluator.ts';
import type { DesiredCondition } from './cluster-api-conditions.ts';
import { isUnseen } from './nodes-reachable.ts';

const TYPE = 'MachinesEvaluated';
/** Limits the message: each Machine may have a reason of its own. */
const MOST_NAMED = 5;

/**
 * The condition MachinesEvaluated: which Machines can be called neither healthy nor unhealthy, and why. Such a Machine waits without any
 * other sign. It is set only where there is one, or where it was set before; NodesReachable reports Nodes that cannot be read.
 */
export function machinesEvaluated(targets: readonly EvaluatedTarget[], { status }: MachineHealthCheck): readonly DesiredCondition[] {
  const reasons = targets.flatMap(whyNotEvaluated).toSorted();
  if (reasons.length > 0) return [{ type: TYPE, holds: false, reason: 'HealthUnknown', message: messageOf(reasons) }];
  const wasSaid = status?.conditions?.some(({ type }) => type === TYPE) ?? false;
  return wasSaid ? [{ type: TYPE, holds: true, reason: TYPE, message: '' }] : [];
}

function whyNotEvaluated({ verdict, target }: EvaluatedTarget): readonly string[] {
  const { metadata } = target.machine;
  if (verdict.kind !== 'unjudged' || isUnseen(target) || metadata.deletionTimestamp !== undefined) return [];
  return [`${metadata.name}: ${verdict.why}`];
}

function messageOf(reasons: readonly string[]): string {
  const more = reasons.length > MOST_NAMED ? [`and ${reasons.length - MOST_NAMED} more`] : [];
  const named = [...reasons.slice(0, MOST_NAMED), ...more].join('; ');
  return `${reasons.length} of its Machines can be called neither healthy nor unhealthy, and count as not healthy: ${named}`;
}
