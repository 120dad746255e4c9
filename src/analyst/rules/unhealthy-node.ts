import { isControlPlaneNode, isCordoned, nodeFaults, type NodeFault } from '../../api/builtin/index.ts';
import { undoRecordOn, type ExecutionUndoRecord } from '../../api/undo-record.ts';
import { MINUTE, parseTime, type Instant } from '../../base/index.ts';
import { drainObstacle, podNames, type DrainObstacle } from '../../kube/objects/drain.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { describeCommand, targetName, type NodeEvidence, type Target } from '../evidence.ts';

/** How long a fault must last before it counts, and how long a Node must be ready before it counts as healthy. */
const LASTING_MS = MINUTE;
/** Confidence where the Node reports the fault itself. */
const SEEN = 0.9;
/** Confidence where only the health check of its Machine reports the fault. */
const REPORTED = 0.8;

/** Drains an unhealthy Node, and uncordons a Node that recovered if a workflow cordoned it. */
export function unhealthyNode(evidence: NodeEvidence, now: Instant): Diagnosis {
  const { node, reported, hasLasted = false } = evidence;
  if (isControlPlaneNode(node)) return controlPlane(evidence);
  const faults = nodeFaults(node);
  if (faults.length > 0)
    return hasLasted || faults.some((fault) => isLasting(fault, now))
      ? drain(
          evidence,
          faults.map(({ text }) => text),
          SEEN,
        )
      : soon(evidence);
  if (reported !== undefined) return drain(evidence, [reported], REPORTED);
  return isCalm(evidence, now) ? healthyNode(evidence) : justBack(evidence);
}

/** A Node without a fault is only uncordoned, if a workflow cordoned it. */
function healthyNode(evidence: NodeEvidence): Diagnosis {
  const { node, target } = evidence;
  const closed = undoRecordOn(node);
  if (isCordoned(node) && closed && isUncordonRecord(closed)) return open(evidence, closed);
  const closedBy = isCordoned(node) ? ', and was not cordoned by Sickbay, so it stays cordoned' : '';
  return { kind: 'NothingWrong', reason: `${targetName(target)} is ready${closedBy}` };
}

const controlPlane = ({ target }: NodeEvidence): Diagnosis => ({
  kind: 'Unclear',
  reason: `${targetName(target)} belongs to the control plane, which no rule remediates`,
  advice: `examine it: ${describeCommand(target)}`,
});

const isLasting = ({ since }: NodeFault, now: Instant): boolean => now - (parseTime(since) ?? 0) >= LASTING_MS;

const soon = ({ target }: NodeEvidence): Diagnosis => ({
  kind: 'NotYet',
  reason: `${targetName(target)} became unhealthy less than a minute ago`,
  advice: `examine it: ${describeCommand(target)}`,
});

function drain(evidence: NodeEvidence, faults: readonly string[], confidence: number): Diagnosis {
  const { node, target, movable } = evidence;
  const cause = `${targetName(target)} is unhealthy: ${faults.join(', ')}`;
  // A drain would change nothing.
  if (isCordoned(node) && movable.length === 0)
    return {
      kind: 'Unclear',
      reason: `${cause}. It is cordoned, and no pods are left on it that could be moved`,
      advice: `repair it, restart it or replace its Machine: ${describeCommand(target)}`,
    };
  const nowhere = nowhereToGo(evidence);
  if (nowhere !== undefined)
    return {
      kind: 'Unclear',
      reason: `${cause}. It is not drained: ${nowhere}`,
      advice: `see the state of all nodes: kubectl get nodes; then ${describeCommand(target)}`,
    };
  const obstacle = drainObstacle(movable);
  if (obstacle) return undrainable(cause, target, obstacle);
  return {
    kind: 'Diagnosed',
    fault: 'IllNode',
    cause,
    actionType: 'DrainNode',
    target,
    parameters: {},
    confidence,
    evidence: [...faults, `${movable.length} ${movable.length === 1 ? 'pod' : 'pods'} on it can run elsewhere`],
  };
}

/** Why its pods would not run elsewhere: no other node takes them, or most nodes fail alike, so that the cause is not this one. */
function nowhereToGo({ movable, others }: NodeEvidence): string | undefined {
  if (!others || movable.length === 0) return undefined;
  const pods = `${movable.length} ${movable.length === 1 ? 'pod' : 'pods'}`;
  const unhealthy = others.filter((node) => nodeFaults(node).length > 0).length;
  if (unhealthy > 0 && unhealthy + 1 > (others.length + 1) / 2)
    return `${unhealthy + 1} of ${others.length + 1} nodes are unhealthy, so that the cause is not this node alone, and its ${pods} would have nowhere to go`;
  const takers = others.filter((node) => nodeFaults(node).length === 0 && !isCordoned(node) && !isControlPlaneNode(node));
  return takers.length === 0 ? `no other node can take its ${pods}: none is ready and open for pods` : undefined;
}

/** The workflow would refuse the drain, and the failed run would block the Node. */
function undrainable(cause: string, target: Target, { kind, pods }: DrainObstacle): Diagnosis {
  const drainIt = `kubectl drain ${target.name} --ignore-daemonsets`;
  return kind === 'orphans'
    ? {
        kind: 'Unclear',
        reason: `${cause}. It is not drained: no controller would recreate these pods elsewhere: ${podNames(pods)}`,
        advice: `delete these pods or give them a controller, then: ${drainIt}`,
      }
    : {
        kind: 'Unclear',
        reason: `${cause}. It is not drained: these pods would lose their emptyDir data: ${podNames(pods)}`,
        advice: `if that data may be lost: ${drainIt} --delete-emptydir-data`,
      };
}

/** Only a Node that drain-node cordoned and recorded an undo for: any other may be cordoned on purpose. */
const isUncordonRecord = ({ workflow, undo }: ExecutionUndoRecord): boolean =>
  workflow === 'drain-node' && 'workflow' in undo && undo.workflow === 'uncordon-node';

function isCalm({ node }: NodeEvidence, now: Instant): boolean {
  const ready = (node.status?.conditions ?? []).find(({ type }) => type === 'Ready');
  return now - (parseTime(ready?.lastTransitionTime) ?? 0) >= LASTING_MS;
}

const justBack = ({ target }: NodeEvidence): Diagnosis => ({
  kind: 'NotYet',
  reason: `${targetName(target)} is ready, but only since less than a minute ago`,
  advice: `examine it: ${describeCommand(target)}`,
});

const open = ({ target }: NodeEvidence, { execution }: ExecutionUndoRecord): Diagnosis => ({
  kind: 'Diagnosed',
  fault: 'LeftCordoned',
  cause: `${targetName(target)} is ready again, but still cordoned by ${execution}`,
  actionType: 'UncordonNode',
  target,
  parameters: {},
  confidence: SEEN,
  evidence: ['it is ready and shows no fault', `${execution} cordoned it, not a person`],
});
