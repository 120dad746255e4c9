import { nodeFaults } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { fingerprintStateOf, type FingerprintState } from '../../../api/remediation-request/fingerprint-state.ts';
import { after, HOUR, parseTime, SECOND, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { referenceTo } from '../../../kube/objects/owner-references.ts';
import { cordonedBy, cordonedForOthers } from './cordon.ts';
import { fingerprintOfNode } from './draft-request.ts';
import { letGo } from './finalizer.ts';
import { ownMachine, saysItFails, type Cleared } from './eligibility.ts';
import type { PipelineSeen } from './observe.ts';
import { creation, namedRequest, referred } from './create-request.ts';
import { inFull, stand, wait } from './status.ts';
import { isOpen, stop } from './cancel-request.ts';
import { warningEvent } from '../../kubernetes-events.ts';

type Suppressing = Extract<FingerprintState, { kind: 'suppressing' }>;

/** All that opening a Node again rests on could be read, and the Node is there. */
interface Facing extends PipelineSeen {
  readonly node: Extract<PipelineSeen['node'], { kind: 'value' }>;
  readonly requests: Extract<PipelineSeen['requests'], { kind: 'value' }>;
}

/** The request was taken back: what it set going is stopped, and a Node that it closed is opened again, before it may go. */
export function decideEnding(seen: PipelineSeen, now: Instant): Decision {
  const { object, requests, node } = seen;
  if (requests.kind === 'unreadable') return wait(seen, `RemediationRequests about the Node cannot be read: ${requests.reason}`, now);
  if (node.kind === 'unreadable') return wait(seen, `whether the Node is still closed cannot be read: ${node.reason}`, now);
  const reference = object.status?.remediationRequestRef;
  const mending = reference && referred(requests.value, reference);
  const { namespace, name } = object.metadata;
  const stopping = mending && stop(seen, mending, { why: `PipelineRemediation ${namespace}/${name} was taken back`, now });
  if (stopping) return stopping;
  return node.kind === 'value' ? reopen({ ...seen, node, requests }, now) : go(seen, NOTHING_LEFT, now);
}

const NOTHING_LEFT = 'nothing is left to do';

/** Opens a Node that a workflow closed for the Machine's sake, by a request like any other; once, and if that fails people are told. */
function reopen(seen: Facing, now: Instant): Decision {
  if (cordonedBy(seen) === undefined) return notOurs(seen, now);
  const reference = seen.object.status?.reopeningRef;
  const opening = reference && referred(seen.requests.value, reference);
  if (opening && isOpen(opening)) return reopening(seen, opening, now);
  if (reference && (opening || reference.uid !== undefined)) return leave(seen, `${reference.name} did not open it`, now);
  return openIfWell(seen, now);
}

function openIfWell(seen: Facing, now: Instant): Decision {
  // It may be well: what is not known leaves nothing closed for good.
  if (seen.machine.kind === 'unreadable') return wait(seen, `whether the Machine is well cannot be read: ${seen.machine.reason}`, now);
  const cleared = recovered(seen);
  return typeof cleared === 'string' ? leave(seen, cleared, now) : openAgain(seen, cleared, now);
}

/** What was closed for others is not ours to open, but they may have no reason to: the Machine is why it was ill. */
function notOurs(seen: Facing, now: Instant): Decision {
  const other = cordonedForOthers(seen);
  return other === undefined ? go(seen, NOTHING_LEFT, now) : leave(seen, `it was closed by ${other}, for somebody else`, now);
}

function openAgain(seen: Facing, cleared: Cleared, now: Instant): Decision {
  const node = cleared.node.metadata.name;
  const { ineffectiveTimeWindowMs: chainIntervalMs } = seen.settings.routing;
  const standing = fingerprintStateOf(fingerprintOfNode(node, seen.settings), seen.requests.value, { now, chainIntervalMs });
  if (standing.kind === 'active') return leave(seen, `${standing.request.metadata.name} is at work on it`, now);
  if (standing.kind === 'suppressing') return heldBack(seen, standing, now);
  const { name } = standing;
  return stand(
    seen,
    {
      phase: 'Ending',
      reason: 'Reopening',
      message: `${name} is opened, to open Node ${node} again, which a workflow closed`,
      change: { reopeningRef: namedRequest(name, seen) },
      effects: [creation(seen, cleared, { name, purpose: 'reopen', now })],
    },
    now,
  );
}

/** Longer than this the request is not kept for it: what waits for a person is told to one. */
const LONGEST_WAIT_MS = HOUR;

/** A remediation that is only just over holds the next one back for a short while. */
function heldBack(seen: Facing, { request, until }: Suppressing, now: Instant): Decision {
  const why = `${request.metadata.name} lets nothing be tried on it before ${until}`;
  const end = parseTime(until) ?? now;
  return end > after(now, LONGEST_WAIT_MS)
    ? leave(seen, why, now)
    : wait(seen, `the Node is opened again later: ${why}`, now, { until: end });
}

function reopening(seen: Facing, opening: RemediationRequest, now: Instant): Decision {
  const machine = soundMachine(seen);
  // What cannot be read says nothing against it.
  if (typeof machine === 'string' && seen.machine.kind !== 'unreadable')
    return stop(seen, opening, { why: machine, now }) ?? leave(seen, machine, now);
  const { overallPhase = 'Pending', message } = opening.status ?? {};
  return stand(
    seen,
    {
      phase: 'Ending',
      reason: 'Reopening',
      message: inFull(`${opening.metadata.name}, which opens the Node again, is ${overallPhase}`, message),
      change: { reopeningRef: referenceTo(opening) },
    },
    now,
  );
}

/** Only what is known to be well again takes pods again. */
function recovered(seen: Facing): Cleared | string {
  const machine = soundMachine(seen);
  if (typeof machine === 'string') return machine;
  const node = seen.node.value;
  const [fault] = nodeFaults(node);
  return fault ? `it is not well: ${fault.text}` : { machine, node };
}

/** The Machine, as far as it speaks for opening its Node; otherwise what speaks against it. */
function soundMachine(seen: PipelineSeen): Machine | string {
  const machine = ownMachine(seen);
  if ('reason' in machine) return machine.message;
  if (machine.metadata.deletionTimestamp !== undefined) return `Machine ${machine.metadata.name} is being deleted`;
  return saysItFails(machine) ? `Machine ${machine.metadata.name} fails its health check` : machine;
}

/** The Node stays closed, which must not go unnoticed. */
function leave(seen: Facing, why: string, now: Instant): Decision {
  const { name } = seen.node.value.metadata;
  const message = `Node ${name} stays cordoned: ${why}. To open it: kubectl uncordon ${name}`;
  return go(seen, message, now, warningEvent('NodeLeftCordoned', message));
}

/** What there is to say is on record before the request goes. */
function go(seen: PipelineSeen, message: string, now: Instant, event?: Effect): Decision {
  const { object } = seen;
  if (object.status?.message !== message)
    return stand(seen, { phase: 'Ending', reason: 'Ending', message, wakeAt: after(now, SECOND) }, now);
  return { status: object.status, effects: [...(event ? [event] : []), letGo(object)], wakeAt: after(now, SECOND) };
}
