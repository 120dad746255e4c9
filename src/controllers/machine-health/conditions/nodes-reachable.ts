import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { EvaluatedTarget } from '../verdict/health-evaluator.ts';
import type { HealthTarget } from '../targets/target.ts';
import type { DesiredCondition } from './cluster-api-conditions.ts';

const TYPE = 'NodesReachable';
/** Limits the message: each reason names a cluster, and there may be many. */
const MOST_REASONS = 5;

/**
 * The condition NodesReachable: whether the Nodes of the targets can be read, and if not, why. It is set only where a target belongs to
 * another cluster, a Node cannot be read, or it was set before.
 */
export function nodesReachable(targets: readonly EvaluatedTarget[], { status }: MachineHealthCheck): readonly DesiredCondition[] {
  const unseen = targets.filter(({ target }) => isUnseen(target));
  if (unseen.length > 0) return [{ type: TYPE, holds: false, reason: reasonOf(unseen), message: messageOf(unseen.map(whyUnseen)) }];
  const wasSaid = status?.conditions?.some(({ type }) => type === TYPE) ?? false;
  const isAsked = wasSaid || targets.some(({ target: { cluster } }) => cluster.kind === 'other');
  return isAsked ? [{ type: TYPE, holds: true, reason: TYPE, message: '' }] : [];
}

/** Whether the Cluster or the Node of a Machine cannot be read. */
export const isUnseen = ({ cluster, node }: HealthTarget): boolean => cluster.kind === 'unknown' || node.kind === 'unreadable';

function whyUnseen({ target: { cluster, node } }: EvaluatedTarget): string {
  if (cluster.kind === 'unknown') return cluster.why;
  return node.kind === 'unreadable' ? node.why : '';
}

/** The reason that all of them share: that their Cluster is gone, or that their Nodes cannot be read. */
function reasonOf(unseen: readonly EvaluatedTarget[]): string {
  const reasons = new Set(unseen.map(({ target: { cluster } }) => (cluster.kind === 'unknown' ? cluster.reason : 'NodesUnreachable')));
  const [only = 'NodesUnreachable'] = reasons;
  return reasons.size === 1 && only !== 'ClusterUnreadable' ? only : 'NodesUnreachable';
}

function messageOf(whys: readonly string[]): string {
  const reasons = [...new Set(whys)].toSorted();
  const more = reasons.length > MOST_REASONS ? [`and ${reasons.length - MOST_REASONS} more`] : [];
  return `${whys.length} of its Machines cannot be evaluated: ${[...reasons.slice(0, MOST_REASONS), ...more].join('; ')}. They are not marked, and no remediation is requested for them until that changes`;
}
