import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { EvaluatedTarget } from '../verdict/health-evaluator.ts';
import type { DesiredCondition } from './cluster-api-conditions.ts';

const TYPE = 'NodesReachable';
/** Each names a cluster, and there may be many. */
const MOST_REASONS = 5;

/**
 * Whether the Nodes of its Machines can be seen at all, and where not, why: nobody is judged by what cannot be seen. Said only where that is
 * a question: some Machines are of another cluster, some cannot be seen, or it was said before.
 */
export function nodesReachable(targets: readonly EvaluatedTarget[], { status }: MachineHealthCheck): readonly DesiredCondition[] {
  const whys = targets.flatMap(({ target: { node } }) => (node.kind === 'unreadable' ? [node.why] : []));
  if (whys.length > 0) return [{ type: TYPE, holds: false, reason: 'NodesUnreachable', message: messageOf(whys) }];
  const wasSaid = status?.conditions?.some(({ type }) => type === TYPE) ?? false;
  const isAsked = wasSaid || targets.some(({ target: { cluster } }) => cluster.kind === 'other');
  return isAsked ? [{ type: TYPE, holds: true, reason: TYPE, message: '' }] : [];
}

function messageOf(whys: readonly string[]): string {
  const reasons = [...new Set(whys)].toSorted();
  const more = reasons.length > MOST_REASONS ? [`and ${reasons.length - MOST_REASONS} more`] : [];
  return `${whys.length} of its Machines cannot be evaluated: ${[...reasons.slice(0, MOST_REASONS), ...more].join('; ')}`;
}
