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
import { decidePipelineDeletion } from './decide-deletion.ts';
import { fingerprintOfNode, signalOf } from './draft-request.ts';
import { isKept, keep } from './finalizer.ts';
import { findEligibleNode, type EligibleTarget } from './eligibility.ts';
import type { PipelineSeen } from './observe.ts';
import { createRequest, namedRequest, findReferenced } from './create-request.ts';
import { inFull, PIPELINE_RECHECK_MS, updatePipeline, type PipelineStatus } from './status.ts';

/** How long to wait after a RemediationRequest that did not help; every one after it doubles the time. */
const RETRY: Backoff = { baseMs: MINUTE, maxMs: HOUR };

/** The lifecycle of a PipelineRemediation: one RemediationRequest after the other, until it is deleted. */
export function decide(seen: PipelineSeen, now: Instant): Decision {
  const { object } = seen;
  if (object.metadata.deletionTimestamp !== undefined) return isKept(object) ? decidePipelineDeletion(seen, now) : { effects: [] };
  if (object.status?.phase === undefined) return accept(seen, now);
  return object.status.phase === 'Requested' ? decideRequested(seen, now) : attempt(seen, now);
}

const accept = (seen: PipelineSeen, now: Instant): Decision =>
  updatePipeline(seen, { phase: 'Pending', reason: 'Accepted', message: 'its Machine is evaluated next', wakeAt: after(now, SECOND) }, now);

/** A RemediationRequest is active, or was about to be created. */
function decideRequested(seen: PipelineSeen, now: Instant): Decision {
  const { object, requests, settings } = seen;
  const reference = object.status?.remediationRequestRef;
  if (requests.kind === 'unreadable') return unreadable(seen, requests.reason, now);
  const found = reference && findReferenced(requests.value, reference);
  if (!found) return reference?.uid === undefined ? attempt(seen, now) : conclude(seen, vanished(reference), now);
  if (isActive(found, now, settings.routing.ineffectiveTimeWindowMs)) return atWork(seen, found, now);
  return conclude(seen, endOf(found), now);
}

const unreadable = (seen: PipelineSeen, reason: string, now: Instant): Decision =>
  updatePipeline(
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
  return updatePipeline(
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
  /** When it ended; now where that is not recorded. */
  readonly at?: Instant | undefined;
  readonly nextAllowed?: Instant | undefined;
}

const vanished = ({ name }: ObjectReference): End => ({ text: `${name} was deleted before it ended`, hasHelped: false });

function endOf({ metadata, status = {} }: RemediationRequest): End {
  const { overallPhase = 'Pending', outcome, message } = status;
  const isOver = isTerminal(remediationPhases, overallPhase);
  return {
    text: inFull(`${metadata.name} ${isOver ? 'ended' : 'is blocked as'} ${outcome ?? overallPhase}`, message),
    hasHelped: outcome === 'Remediated',
    outcome,
    at: parseTime(status.completedAt),
    nextAllowed: parseTime(status.nextAllowedExecution),
  };
}

/** Records the result, and when the next one may be created: the Machine is unhealthy for as long as this request exists. */
function conclude(seen: PipelineSeen, end: End, now: Instant): Decision {
  const { outcome: _, ...before } = seen.object.status ?? {};
  const { retryCount = 0 } = before;
  const backoff = after(end.at ?? now, backoffDelay(RETRY, retryCount + 1));
  const next = instant(Math.max(backoff, end.nextAllowed ?? 0));
  return updatePipeline(
    { ...seen, object: { ...seen.object, status: before } },
    {
      phase: end.hasHelped ? 'Succeeded' : 'Failed',
      reason: end.hasHelped ? 'Succeeded' : 'DidNotHelp',
      message: `${end.text}. If the Machine still fails then, the next request is created at ${toTime(next)}`,
      isTrouble: !end.hasHelped,
      change: given({ retryCount, nextAttemptTime: toTime(next), outcome: end.outcome }),
      wakeAt: next > now ? next : after(now, PIPELINE_RECHECK_MS),
    },
    now,
  );
}

/** Creates the first RemediationRequest, or the next, if the Machine is eligible. */
function attempt(seen: PipelineSeen, now: Instant): Decision {
  const { object, requests } = seen;
  const eligible = findEligibleNode(seen);
  if ('reason' in eligible) return updatePipeline(seen, { ...eligible, isTrouble: true }, now);
  if (requests.kind === 'unreadable') return unreadable(seen, requests.reason, now);
  const drained = whyDrained(seen, eligible.node.metadata.name);
  if (drained !== undefined) return updatePipeline(seen, { reason: 'Drained', message: drained, isTrouble: true }, now);
  const due = dueAt(object);
  if (now < due) return untilDue(seen, due, now);
  if (!isKept(object)) return { status: object.status, effects: [keep(object)], wakeAt: after(now, PIPELINE_RECHECK_MS) };
  return openOrJoin(seen, eligible, { requests: requests.value, now });
}

/** Reasons whose message stays valid until the next request is created. Other reasons reported an objection that no longer holds. */
const HOLD: ReadonlySet<string> = new Set(['DidNotHelp', 'Succeeded', 'HeldBack', 'WaitingForNextAttempt']);

function untilDue(seen: PipelineSeen, due: Instant, now: Instant): Decision {
  const { status } = seen.object;
  if (HOLD.has(getCondition(status?.conditions, 'Ready')?.reason ?? '')) return { status, effects: [], wakeAt: due };
  const message = `nothing prevents it any more: if the Machine still fails then, the next request is created at ${toTime(due)}`;
  return updatePipeline(seen, { reason: 'WaitingForNextAttempt', message, wakeAt: due }, now);
}

/** A request that status records but that was not created yet is not delayed. */
const dueAt = ({ status }: PipelineSeen['object']): Instant =>
  (status?.phase === 'Requested' ? undefined : parseTime(status?.nextAttemptTime)) ?? instant(0);

/** A Node that was drained is not drained again: an operator or another remediator has to repair it. */
function whyDrained(seen: PipelineSeen, node: string): string | undefined {
  const name = drainedBy(seen);
  if (name === undefined) return undefined;
  const opened =
    cordonedBy(seen) === undefined
      ? `When it is healthy, uncordon the Node: kubectl uncordon ${node}`
      : 'When it is healthy, the Node is uncordoned again';
  return `Node ${node} was cordoned and drained by ${name}, and its Machine still fails: repair or restart the host, or replace the Machine.  ${opened}`;
}

function openOrJoin(
  seen: PipelineSeen,
  eligible: EligibleTarget,
  { requests, now }: { requests: readonly RemediationRequest[]; now: Instant },
): Decision {
  const { settings } = seen;
  const fingerprintState = fingerprintStateOf(fingerprintOfNode(eligible.node.metadata.name, settings), requests, {
    now,
    chainIntervalMs: settings.routing.ineffectiveTimeWindowMs,
    signal: signalOf(seen.object),
  });
  switch (fingerprintState.kind) {
    case 'active':
      return begin(seen, fingerprintState.request, { eligible, now });
    case 'suppressing':
      return updatePipeline(
        seen,
        {
          reason: 'HeldBack',
          message: `${fingerprintState.request.metadata.name} blocks further remediation of the Node until ${fingerprintState.until}`,
          change: { nextAttemptTime: fingerprintState.until },
          wakeAt: parseTime(fingerprintState.until) ?? after(now, PIPELINE_RECHECK_MS),
        },
        now,
      );
    case 'free':
      return begin(seen, fingerprintState.name, { eligible, now });
    default:
      return assertNever(fingerprintState);
  }
}

/** Status records the request before it is created. It may exist already, because an alert about the Node was faster. */
function begin(
  seen: PipelineSeen,
  request: RemediationRequest | string,
  { eligible, now }: { eligible: EligibleTarget; now: Instant },
): Decision {
  const { object } = seen;
  const { nextAttemptTime: _, ...before } = object.status ?? {};
  const { phase, retryCount = 0 } = before;
  const isNext = phase === 'Failed' || phase === 'Succeeded';
  const reference = typeof request === 'string' ? namedRequest(request, seen) : referenceTo(request);
  const node = eligible.node.metadata.name;
  return updatePipeline(
    { ...seen, object: { ...object, status: before } },
    {
      phase: 'Requested',
      reason: typeof request === 'string' ? 'Requested' : 'Joined',
      message:
        typeof request === 'string'
          ? `${request} is created for Node ${node}`
          : `${request.metadata.name} is active on Node ${node} already; waiting until it ends`,
      change: { remediationRequestRef: reference, nodeName: node, retryCount: retryCount + (isNext ? 1 : 0) },
      effects: typeof request === 'string' ? [createRequest(seen, eligible, { name: request, purpose: 'remediate', now })] : [],
    },
    now,
  );
}
