import { nodeFaults } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { fingerprintStateOf, type FingerprintState } from '../../../api/remediation-request/fingerprint-state.ts';
import { after, HOUR, parseTime, SECOND, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { referenceTo } from '../../../kube/objects/owner-references.ts';
import { cordonedBy, cordonedForOthers } from './cordon.ts';
import { fingerprintOfNode } from './draft-request.ts';
import { releaseRequest } from './finalizer.ts';
import { ownMachine, failsHealthCheck, type EligibleTarget } from './eligibility.ts';
import type { PipelineSeen } from './observe.ts';
import { createRequest, namedRequest, findReferenced } from './create-request.ts';
import { inFull, updatePipeline, waitInDeletion } from './status.ts';
import { isRequestOpen, cancelRequest } from './cancel-request.ts';
import { warningEvent } from '../../kubernetes-events.ts';

type Suppressing = Extract<FingerprintState, { kind: 'suppressing' }>;

/** Everything that uncordoning a Node depends on could be read, and the Node exists. */
interface Facing extends PipelineSeen {
  readonly node: Extract<PipelineSeen['node'], { kind: 'value' }>;
  readonly requests: Extract<PipelineSeen['requests'], { kind: 'value' }>;
}

/** The request is being deleted. Its finalizer stays until what it started is stopped and a Node that it cordoned is uncordoned. */
export function decidePipelineDeletion(seen: PipelineSeen, now: Instant): Decision {
  const { object, requests, node } = seen;
  if (requests.kind === 'unreadable')
    return waitInDeletion(seen, `RemediationRequests about the Node cannot be read: ${requests.reason}`, now);
  if (node.kind === 'unreadable') return waitInDeletion(seen, `whether the Node is still cordoned cannot be read: ${node.reason}`, now);
  const reference = object.status?.remediationRequestRef;
  const remediation = reference && findReferenced(requests.value, reference);
  const { namespace, name } = object.metadata;
  const stopping = remediation && cancelRequest(seen, remediation, { why: `PipelineRemediation ${namespace}/${name} was deleted`, now });
  if (stopping) return stopping;
  return node.kind === 'value' ? uncordonNode({ ...seen, node, requests }, now) : finishDeletion(seen, NOTHING_LEFT, now);
}

const NOTHING_LEFT = 'nothing is left to do';

/** Uncordons a Node that a workflow cordoned for this Machine, by a RemediationRequest like any other. It is tried once; a failure is reported. */
function uncordonNode(seen: Facing, now: Instant): Decision {
  if (cordonedBy(seen) === undefined) return leaveToOthers(seen, now);
  const reference = seen.object.status?.reopeningRef;
  const opening = reference && findReferenced(seen.requests.value, reference);
  if (opening && isRequestOpen(opening)) return followUncordonRequest(seen, opening, now);
  if (reference && (opening || reference.uid !== undefined)) return leaveCordoned(seen, `${reference.name} did not uncordon it`, now);
  return uncordonIfHealthy(seen, now);
}

function uncordonIfHealthy(seen: Facing, now: Instant): Decision {
  // The Machine may be healthy: an unreadable Machine must not leave its Node cordoned for good.
  if (seen.machine.kind === 'unreadable')
    return waitInDeletion(seen, `whether the Machine is healthy cannot be read: ${seen.machine.reason}`, now);
  const eligible = recovered(seen);
  return typeof eligible === 'string' ? leaveCordoned(seen, eligible, now) : uncordonByRequest(seen, eligible, now);
}

/** A Node that was cordoned for an alert or an operator is not uncordoned here, but reported: the Machine may have been the cause. */
function leaveToOthers(seen: Facing, now: Instant): Decision {
  const other = cordonedForOthers(seen);
  return other === undefined
    ? finishDeletion(seen, NOTHING_LEFT, now)
    : leaveCordoned(seen, `it was cordoned by ${other}, which was not for this Machine`, now);
}

function uncordonByRequest(seen: Facing, eligible: EligibleTarget, now: Instant): Decision {
  const node = eligible.node.metadata.name;
  const { ineffectiveTimeWindowMs: chainIntervalMs } = seen.settings.routing;
  const fingerprintState = fingerprintStateOf(fingerprintOfNode(node, seen.settings), seen.requests.value, { now, chainIntervalMs });
  if (fingerprintState.kind === 'active') return leaveCordoned(seen, `${fingerprintState.request.metadata.name} is active on it`, now);
  if (fingerprintState.kind === 'suppressing') return waitForBlock(seen, fingerprintState, now);
  const { name } = fingerprintState;
  return updatePipeline(
    seen,
    {
      phase: 'Ending',
      reason: 'Reopening',
      message: `${name} is created, to uncordon Node ${node}, which a workflow cordoned`,
      change: { reopeningRef: namedRequest(name, seen) },
      effects: [createRequest(seen, eligible, { name, purpose: 'uncordon', now })],
    },
    now,
  );
}

/** The request waits no longer than this before it is gone: longer waits are reported to operators instead. */
const LONGEST_WAIT_MS = HOUR;

/** A remediation that has just ended blocks the next one for a short while. */
function waitForBlock(seen: Facing, { request, until }: Suppressing, now: Instant): Decision {
  const why = `${request.metadata.name} blocks further remediation of it until ${until}`;
  const end = parseTime(until) ?? now;
  return end > after(now, LONGEST_WAIT_MS)
    ? leaveCordoned(seen, why, now)
    : waitInDeletion(seen, `the Node is uncordoned later: ${why}`, now, { until: end });
}

function followUncordonRequest(seen: Facing, opening: RemediationRequest, now: Instant): Decision {
  const machine = healthyMachine(seen);
  // An unreadable Machine is no objection.
  if (typeof machine === 'string' && seen.machine.kind !== 'unreadable')
    return cancelRequest(seen, opening, { why: machine, now }) ?? leaveCordoned(seen, machine, now);
  const { overallPhase = 'Pending', message } = opening.status ?? {};
  return updatePipeline(
    seen,
    {
      phase: 'Ending',
      reason: 'Reopening',
      message: inFull(`${opening.metadata.name}, which uncordons the Node, is ${overallPhase}`, message),
      change: { reopeningRef: referenceTo(opening) },
    },
    now,
  );
}

/** Only a Node that is known to be healthy is uncordoned. */
function recovered(seen: Facing): EligibleTarget | string {
  const machine = healthyMachine(seen);
  if (typeof machine === 'string') return machine;
  const node = seen.node.value;
  const [fault] = nodeFaults(node);
  return fault ? `it is not healthy: ${fault.text}` : { machine, node };
}

/** The Machine, if its state permits uncordoning its Node; otherwise the objection. */
function healthyMachine(seen: PipelineSeen): Machine | string {
  const machine = ownMachine(seen);
  if ('reason' in machine) return machine.message;
  if (machine.metadata.deletionTimestamp !== undefined) return `Machine ${machine.metadata.name} is being deleted`;
  return failsHealthCheck(machine) ? `Machine ${machine.metadata.name} fails its health check` : machine;
}

/** The Node stays cordoned, which is reported as a warning. */
function leaveCordoned(seen: Facing, why: string, now: Instant): Decision {
  const { name } = seen.node.value.metadata;
  const message = `Node ${name} stays cordoned: ${why}. To uncordon it: kubectl uncordon ${name}`;
  return finishDeletion(seen, message, now, warningEvent('NodeLeftCordoned', message));
}

/** Status records the message before the finalizer is removed. */
function finishDeletion(seen: PipelineSeen, message: string, now: Instant, event?: Effect): Decision {
  const { object } = seen;
  if (object.status?.message !== message)
    return updatePipeline(seen, { phase: 'Ending', reason: 'Ending', message, wakeAt: after(now, SECOND) }, now);
  return { status: object.status, effects: [...(event ? [event] : []), releaseRequest(object)], wakeAt: after(now, SECOND) };
}
