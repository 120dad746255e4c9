import { isControlPlaneNode, isCordoned, nodeFaults, type NodeFault } from '../../api/builtin/index.ts';
import { undoRecordOn, type ExecutionUndoRecord } from '../../api/undo-record.ts';
import { MINUTE, parseTime, type Instant } from '../../base/index.ts';
import { drainObstacle, podNames, type DrainObstacle } from '../../kube/objects/drain.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { describeCommand, targetName, type NodeEvidence, type Target } from '../evidence.ts';

/** For so long a fault must have lasted, and a Node must have been ready before it is called well. */
const LASTING_MS = MINUTE;
/** The Node says so itself. */
const SEEN = 0.9;
/** Only the check of its Machine says so. */
const REPORTED = 0.8;

/** Pods are moved away from a Node that is ill, and a Node that is well again takes pods again if it was a workflow that closed it. */
export function illNode(evidence: NodeEvidence, now: Instant): Diagnosis {
  const { node, target, reported } = evidence;
  if (isControlPlaneNode(node)) return controlPlane(evidence);
  const faults = nodeFaults(node);
  if (faults.length > 0)
    return faults.some((fault) => isLasting(fault, now))
      ? drain(
          evidence,
          faults.map(({ text }) => text),
          SEEN,
        )
      : soon(evidence);
  if (reported !== undefined) return drain(evidence, [reported], REPORTED);
  const closed = undoRecordOn(node);
  if (isCordoned(node) && closed && isWayBack(closed)) return isCalm(evidence, now) ? open(evidence, closed) : justBack(evidence);
  const closedBy = isCordoned(node) ? ', and was cordoned by somebody, which is theirs to take back' : '';
  return { kind: 'NothingWrong', reason: `${targetName(target)} is ready${closedBy}` };
}

const controlPlane = ({ target }: NodeEvidence): Diagnosis => ({
  kind: 'Unclear',
  reason: `${targetName(target)} belongs to the control plane, which no rule touches`,
  advice: `look at it yourself: ${describeCommand(target)}`,
});

const isLasting = ({ since }: NodeFault, now: Instant): boolean => now - (parseTime(since) ?? 0) >= LASTING_MS;

const soon = ({ target }: NodeEvidence): Diagnosis => ({ kind: 'NotYet', reason: `${targetName(target)} has only just become ill` });

function drain({ node, target, movable }: NodeEvidence, faults: readonly string[], confidence: number): Diagnosis {
  const cause = `${targetName(target)} is ill: ${faults.join(', ')}`;
  // Nothing that a drain could do is left to do.
  if (isCordoned(node) && movable.length === 0)
    return {
      kind: 'Unclear',
      reason: `${cause}. It is cordoned, and no pods are left on it that could be moved`,
      advice: `mend it, restart it or replace its Machine: ${describeCommand(target)}`,
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

/** A drain would be refused, and that would keep everything else from the Node. */
function undrainable(cause: string, target: Target, { kind, pods }: DrainObstacle): Diagnosis {
  const drainIt = `kubectl drain ${target.name} --ignore-daemonsets`;
  return kind === 'orphans'
    ? {
        kind: 'Unclear',
        reason: `${cause}. It is not drained: nothing would make these pods again elsewhere: ${podNames(pods)}`,
        advice: `see what they are for, delete those that may go or give them a controller, then: ${drainIt}`,
      }
    : {
        kind: 'Unclear',
        reason: `${cause}. It is not drained: these pods would lose what they keep in an emptyDir: ${podNames(pods)}`,
        advice: `if that may be lost: ${drainIt} --delete-emptydir-data`,
      };
}

/** Only what a workflow closed, and wrote down how to open: whatever else is cordoned may be so on purpose. */
const isWayBack = ({ workflow, undo }: ExecutionUndoRecord): boolean =>
  workflow === 'drain-node' && 'workflow' in undo && undo.workflow === 'uncordon-node';

function isCalm({ node }: NodeEvidence, now: Instant): boolean {
  const ready = (node.status?.conditions ?? []).find(({ type }) => type === 'Ready');
  return now - (parseTime(ready?.lastTransitionTime) ?? 0) >= LASTING_MS;
}

const justBack = ({ target }: NodeEvidence): Diagnosis => ({
  kind: 'NotYet',
  reason: `${targetName(target)} is ready, but has only just become so`,
});

const open = ({ target }: NodeEvidence, { execution }: ExecutionUndoRecord): Diagnosis => ({
  kind: 'Diagnosed',
  fault: 'LeftCordoned',
  cause: `${targetName(target)} is ready again, but still cordoned by ${execution}`,
  actionType: 'UncordonNode',
  target,
  parameters: {},
  confidence: SEEN,
  evidence: ['it says that it is ready, and shows no fault', `it was ${execution} that cordoned it, not a person`],
});
