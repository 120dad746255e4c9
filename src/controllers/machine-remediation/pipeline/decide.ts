import type { ObjectReference } from '../../../api/meta.ts';
import { isTerminal } from '../../../api/phases.ts';
import { isActive } from '../../../api/remediation-request/is-active.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { fingerprintStateOf } from '../../../api/remediation-request/fingerprint-state.ts';
import {
  after,
  assertNever,
  backoffDelay,
  given,
  HOUR,
  instant,
  MINUTE,
  parseTime,
  SECOND,
  toTime,
  type Backoff,
  type Instant,
} from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { referenceTo } from '../../../kube/objects/owner-references.ts';
import { cordonedBy, drainedBy } from './cordon.ts';
import { decideEnding } from './decide-deletion.ts';
import { fingerprintOfNode } from './draft-request.ts';
import { isKept, keep } from './finalizer.ts';
import { clear, type Cleared } from './eligibility.ts';
import type { PipelineSeen } from './observe.ts';
import { creation, namedRequest, referred } from './create-request.ts';
import { inFull, LOOK_AGAIN_MS, stand, type PipelineStatus } from './status.ts';

/** How long to wait after a RemediationRequest that did not help; every one after it doubles the time. */
const RETRY: Backoff = { baseMs: MINUTE, maxMs: HOUR };

/** The life of a PipelineRemediation: one RemediationRequest after the other, until it is taken back. */
export function decide(seen: PipelineSeen, now: Instant): Decision {
  const { object } = seen;
  if (object.metadata.deletionTimestamp !== undefined) return isKept(object) ? decideEnding(seen, now) : { effects: [] };
  if (object.status?.phase === undefined) return accept(seen, now);
  return object.status.phase === 'Requested' ? decideRequested(seen, now) : attempt(seen, now);
}

const accept = (seen: PipelineSeen, now: Instant): Decision =>
  stand(seen, { phase: 'Pending', reason: 'Accepted', message: 'its Machine is looked at', wakeAt: after(now, SECOND) }, now);

/** One is at work, or was to be opened. */
function decideRequested(seen: PipelineSeen, now: Instant): Decision {
  const { object, requests, settings } = seen;
  const reference = object.status?.remediationRequestRef;
  if (requests.kind === 'unreadable') return unreadable(seen, requests.reason, now);
  const found = reference && referred(requests.value, reference);
  if (!found) return reference?.uid === undefined ? attempt(seen, now) : conclude(seen, vanished(reference), now);
  if (isActive(found, now, settings.routing.ineffectiveTimeWindowMs)) return atWork(seen, found, now);
  return conclude(seen, endOf(found), now);
}

const unreadable = (seen: PipelineSeen, reason: string, now: Instant): Decision =>
  stand(
    seen,
    {
      reason: 'RequestsUnreadable',
      message: `RemediationRequests about the Node cannot be read: ${reason}`,
      isTrouble: true,
    },
    now,
  );

function atWork(seen: PipelineSeen, request: RemediationRequest, now: Instant): Decision {
  const { overallPhase = 'Pending', message } = request.status ?? {};
  return stand(
    seen,
    {
      phase: 'Requested',
      reason: 'Requested',
      message: inFull(`${request.metadata.name} is ${overallPhase}`, message),
      change: { remediationRequestRef: referenceTo(request) },
    },
    now,
  );
}

/** How a RemediationRequest ended, as far as it concerns the Machine. */
interface End {
  readonly text: string;
  readonly hasHelped: boolean;
  readonly outcome?: PipelineStatus['outcome'] | undefined;
  /** When it ended; now where nobody knows. */
  readonly at?: Instant | undefined;
  readonly nextAllowed?: Instant | undefined;
}

const vanished = ({ name }: ObjectReference): End => ({ text: `${name} was deleted before it came to an end`, hasHelped: false });

function endOf({ metadata, status = {} }: RemediationRequest): End {
  const { overallPhase = 'Pending', outcome, message } = status;
  const isOver = isTerminal(remediationPhases, overallPhase);
  return {
    text: inFull(`${metadata.name} ${isOver ? 'ended' : 'is held back as'} ${outcome ?? overallPhase}`, message),
    hasHelped: outcome === 'Remediated',
    outcome,
    at: parseTime(status.completedAt),
    nextAllowed: parseTime(status.nextAllowedExecution),
  };
}

/** What came of it, and when the next one may be opened: the Machine is unhealthy for as long as this request exists. */
function conclude(seen: PipelineSeen, end: End, now: Instant): Decision {
  const { outcome: _, ...before } = seen.object.status ?? {};
  const { retryCount = 0 } = before;
  const backoff = after(end.at ?? now, backoffDelay(RETRY, retryCount + 1));
  const next = instant(Math.max(backoff, end.nextAllowed ?? 0));
  return stand(
    { ...seen, object: { ...seen.object, status: before } },
    {
      phase: end.hasHelped ? 'Succeeded' : 'Failed',
      reason: end.hasHelped ? 'Succeeded' : 'DidNotHelp',
      message: `${end.text}. If the Machine still fails then, the next request is opened at ${toTime(next)}`,
      isTrouble: !end.hasHelped,
      change: given({ retryCount, nextAttemptTime: toTime(next), outcome: end.outcome }),
      wakeAt: next > now ? next : after(now, LOOK_AGAIN_MS),
    },
    now,
  );
}

/** Opens the first, or the next, if nothing speaks against it. */
function attempt(seen: PipelineSeen, now: Instant): Decision {
  const { object, requests } = seen;
  const cleared = clear(seen);
  if ('reason' in cleared) return stand(seen, { ...cleared, isTrouble: true }, now);
  if (requests.kind === 'unreadable') return unreadable(seen, requests.reason, now);
  const drained = whyDrained(seen, cleared.node.metadata.name);
  if (drained !== undefined) return stand(seen, { reason: 'Drained', message: drained, isTrouble: true }, now);
  const due = dueAt(object);
  if (now < due) return untilDue(seen, due, now);
  if (!isKept(object)) return { status: object.status, effects: [keep(object)], wakeAt: after(now, LOOK_AGAIN_MS) };
  return openOrJoin(seen, cleared, { requests: requests.value, now });
}

/** Conditions whose words hold until the next one is opened. Others told of what spoke against it, and does no more. */
const HOLD: ReadonlySet<string> = new Set(['DidNotHelp', 'Succeeded', 'HeldBack', 'WaitingForNextAttempt']);

function untilDue(seen: PipelineSeen, due: Instant, now: Instant): Decision {
  const { status } = seen.object;
  if (HOLD.has(getCondition(status?.conditions, 'Ready')?.reason ?? '')) return { status, effects: [], wakeAt: due };
  const message = `nothing speaks against it any more: if the Machine still fails then, the next request is opened at ${toTime(due)}`;
  return stand(seen, { reason: 'WaitingForNextAttempt', message, wakeAt: due }, now);
}

/** One that is on record and was not created yet is not put off. */
const dueAt = ({ status }: PipelineSeen['object']): Instant =>
  (status?.phase === 'Requested' ? undefined : parseTime(status?.nextAttemptTime)) ?? instant(0);

/** A Node that was drained is not drained again: what ails it is for a person, or for another remediator. */
function whyDrained(seen: PipelineSeen, node: string): string | undefined {
  const name = drainedBy(seen);
  if (name === undefined) return undefined;
  const opened =
    cordonedBy(seen) === undefined
      ? `When it is well, open the Node: kubectl uncordon ${node}`
      : 'When it is well, the Node is opened again';
  return `Node ${node} was closed and drained by ${name}, and its Machine still fails: mend or restart the host, or replace the Machine. ${opened}`;
}

function openOrJoin(
  seen: PipelineSeen,
  cleared: Cleared,
  { requests, now }: { requests: readonly RemediationRequest[]; now: Instant },
): Decision {
  const { settings } = seen;
  const standing = fingerprintStateOf(fingerprintOfNode(cleared.node.metadata.name, settings), requests, {
    now,
    chainIntervalMs: settings.routing.ineffectiveTimeWindowMs,
  });
  switch (standing.kind) {
    case 'active':
      return begin(seen, standing.request, { cleared, now });
    case 'suppressing':
      return stand(
        seen,
        {
          reason: 'HeldBack',
          message: `${standing.request.metadata.name} says that nothing is to be tried on the Node before ${standing.until}`,
          change: { nextAttemptTime: standing.until },
          wakeAt: parseTime(standing.until) ?? after(now, LOOK_AGAIN_MS),
        },
        now,
      );
    case 'free':
      return begin(seen, standing.name, { cleared, now });
    default:
      return assertNever(standing);
  }
}

/** On record first; the request itself is created after that, or was there already: an alert about the Node may have been faster. */
function begin(seen: PipelineSeen, request: RemediationRequest | string, { cleared, now }: { cleared: Cleared; now: Instant }): Decision {
  const { object } = seen;
  const { nextAttemptTime: _, ...before } = object.status ?? {};
  const { phase, retryCount = 0 } = before;
  const isNext = phase === 'Failed' || phase === 'Succeeded';
  const reference = typeof request === 'string' ? namedRequest(request, seen) : referenceTo(request);
  const node = cleared.node.metadata.name;
  return stand(
    { ...seen, object: { ...object, status: before } },
    {
      phase: 'Requested',
      reason: typeof request === 'string' ? 'Requested' : 'Joined',
      message:
        typeof request === 'string'
          ? `${request} is opened for Node ${node}`
          : `${request.metadata.name} is at work on Node ${node} already, and is waited for`,
      change: { remediationRequestRef: reference, nodeName: node, retryCount: retryCount + (isNext ? 1 : 0) },
      effects: typeof request === 'string' ? [creation(seen, cleared, { name: request, purpose: 'mend', now })] : [],
    },
    now,
  );
}
