import { isCordoned, nodeFaults } from '../../../api/builtin/index.ts';
import { keyOf } from '../../../api/meta.ts';
import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { standingOf, type Standing } from '../../../api/remediation-request/standing.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, HOUR, instant, parseTime, SECOND, type Instant } from '../../../base/index.ts';
import type { JsonPatchOperation } from '../../../kube/client.ts';
import type { Decision, Effect } from '../../../runtime/controller.ts';
import { referenceTo } from '../../remediation/status.ts';
import { cordonedBy } from './cordon.ts';
import { fingerprintOfNode, isOurs } from './draft.ts';
import { letGo } from './finalizer.ts';
import { ownMachine, saysItFails, type Cleared } from './objections.ts';
import type { PipelineSeen } from './observe.ts';
import { creation, namedRequest } from './opening.ts';
import { LOOK_AGAIN_MS, stand } from './status.ts';

type Suppressing = Extract<Standing, { kind: 'suppressing' }>;

/** The request was taken back: what it set going is stopped, and a Node that it closed is opened again, before it may go. */
export function decideEnding(seen: PipelineSeen, now: Instant): Decision {
  const { requests, node } = seen;
  if (requests.kind === 'unreadable') return wait(seen, `RemediationRequests about the Node cannot be read: ${requests.reason}`, now);
  if (node.kind === 'unreadable') return wait(seen, `whether the Node is still closed cannot be read: ${node.reason}`, now);
  const mending = named(seen, requests.value, 'remediationRequestRef');
  const stopping = mending && stop(seen, mending, now);
  return stopping ?? reopen(seen, requests.value, now);
}

interface Waiting {
  readonly effects?: readonly Effect[];
  readonly reason?: string;
  /** When it is over at the latest: somebody may open the Node before that. */
  readonly until?: Instant;
}

function wait(seen: PipelineSeen, message: string, now: Instant, { effects = [], reason = 'Ending', until }: Waiting = {}): Decision {
  const wakeAt = instant(Math.min(until ?? Infinity, after(now, LOOK_AGAIN_MS)));
  return stand(seen, { phase: 'Ending', reason, message, effects, wakeAt }, now);
}

function named(
  { object }: PipelineSeen,
  requests: readonly RemediationRequest[],
  ref: 'remediationRequestRef' | 'reopeningRef',
): RemediationRequest | undefined {
  const { name, uid } = object.status?.[ref] ?? {};
  return requests.find(({ metadata }) => metadata.name === name && (uid === undefined || metadata.uid === uid));
}

const isOpen = ({ status }: RemediationRequest): boolean => !isTerminal(remediationPhases, status?.overallPhase);

/** Undefined where nothing of it has to be waited for. */
function stop(seen: PipelineSeen, request: RemediationRequest, now: Instant): Decision | undefined {
  const { metadata, status } = request;
  if (!isOpen(request) || !isOurs(request, seen.object)) return undefined;
  if (othersWaitFor(request)) return undefined;
  const isAsked = metadata.annotations?.[ANNOTATIONS.cancel] !== undefined;
  const phase = status?.overallPhase;
  // What runs has run; the verdict on it is worth having, and nobody is held up by it unless the Node is to be opened.
  if (phase === 'Verifying' && cordonedBy(seen) === undefined) return undefined;
  // A drain that is stopped half-way blocks the Node until a person clears it; one that comes to its end can be taken back.
  if (phase === 'Verifying' || (phase === 'Executing' && !isAsked))
    return wait(seen, `${metadata.name} is still ${phase}, which is waited for before the Node is opened again`, now);
  const effects = isAsked ? [] : [cancel(request, seen)];
  return wait(seen, `${metadata.name} is cancelled: the Machine needs it no longer`, now, { effects, reason: 'Cancelling' });
}

/** An alert about the Node joined it, and still fires. */
function othersWaitFor({ spec, status }: RemediationRequest): boolean {
  const alerts = status?.deduplication?.alerts ?? [];
  return alerts.some(({ name, resolvedAt }) => resolvedAt === undefined && name !== spec.signalName);
}

/** The way people cancel, and signed like them. */
function cancel(request: RemediationRequest, { object, account }: PipelineSeen): Effect {
  const { uid, resourceVersion, annotations } = request.metadata;
  const value = {
    ...annotations,
    [ANNOTATIONS.cancel]: `PipelineRemediation ${object.metadata.namespace}/${object.metadata.name} was taken back`,
    [ANNOTATIONS.cancelBy]: account,
  };
  const operations: readonly JsonPatchOperation[] = [{ op: 'add', path: '/metadata/annotations', value }];
  return { kind: 'Patch', resource: RemediationRequest, key: keyOf(request), uid, resourceVersion, operations };
}

/** Opens a Node that a workflow closed for the Machine's sake, by a request like any other; once, and if that fails people are told. */
function reopen(seen: PipelineSeen, requests: readonly RemediationRequest[], now: Instant): Decision {
  if (cordonedBy(seen) === undefined) return go(seen, 'nothing is left to do', now);
  const { name = '', uid } = seen.object.status?.reopeningRef ?? {};
  const opening = named(seen, requests, 'reopeningRef');
  if (opening && isOpen(opening)) return reopening(seen, opening, now);
  if (opening || uid !== undefined) return leave(seen, `${name} did not open it`, now);
  // It may be well: what is not known leaves nothing closed for good.
  if (seen.machine.kind === 'unreadable') return wait(seen, `whether the Machine is well cannot be read: ${seen.machine.reason}`, now);
  const cleared = recovered(seen);
  return typeof cleared === 'string' ? leave(seen, cleared, now) : openAgain(seen, cleared, { requests, now });
}

function openAgain(
  seen: PipelineSeen,
  cleared: Cleared,
  { requests, now }: { requests: readonly RemediationRequest[]; now: Instant },
): Decision {
  const node = cleared.node.metadata.name;
  const { ineffectiveTimeWindowMs: chainIntervalMs } = seen.settings.routing;
  const standing = standingOf(fingerprintOfNode(node, seen.settings), requests, { now, chainIntervalMs });
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
function heldBack(seen: PipelineSeen, { request, until }: Suppressing, now: Instant): Decision {
  const why = `${request.metadata.name} lets nothing be tried on it before ${until}`;
  const end = parseTime(until) ?? now;
  return end > after(now, LONGEST_WAIT_MS)
    ? leave(seen, why, now)
    : wait(seen, `the Node is opened again later: ${why}`, now, { until: end });
}

const reopening = (seen: PipelineSeen, opening: RemediationRequest, now: Instant): Decision => {
  const { overallPhase = 'Pending', message = '' } = opening.status ?? {};
  return stand(
    seen,
    {
      phase: 'Ending',
      reason: 'Reopening',
      message: `${opening.metadata.name}, which opens the Node again, is ${overallPhase}${message === '' ? '' : `: ${message}`}`,
      change: { reopeningRef: referenceTo(opening) },
    },
    now,
  );
};

/** Only what is known to be well again takes pods again. */
function recovered(seen: PipelineSeen): Cleared | string {
  const machine = ownMachine(seen);
  if ('reason' in machine) return machine.message;
  if (machine.metadata.deletionTimestamp !== undefined) return `Machine ${machine.metadata.name} is being deleted`;
  if (saysItFails(machine)) return `Machine ${machine.metadata.name} fails its health check`;
  if (seen.node.kind !== 'value') return 'the Node is gone';
  const [fault] = nodeFaults(seen.node.value);
  return fault ? `it is not well: ${fault.text}` : { machine, node: seen.node.value };
}

/** The Node stays closed, which must not go unnoticed. */
function leave(seen: PipelineSeen, why: string, now: Instant): Decision {
  const name = seen.node.kind === 'value' && isCordoned(seen.node.value) ? seen.node.value.metadata.name : '';
  const message = `Node ${name} stays cordoned: ${why}. To open it: kubectl uncordon ${name}`;
  return go(seen, message, now, { kind: 'Event', type: 'Warning', reason: 'NodeLeftCordoned', message });
}

/** What there is to say is on record before the request goes. */
function go(seen: PipelineSeen, message: string, now: Instant, event?: Effect): Decision {
  const { object } = seen;
  if (object.status?.message !== message || object.status.phase !== 'Ending')
    return stand(seen, { phase: 'Ending', reason: 'Ending', message, wakeAt: after(now, SECOND) }, now);
  return { status: object.status, effects: [...(event ? [event] : []), letGo(object)], wakeAt: after(now, SECOND) };
}
