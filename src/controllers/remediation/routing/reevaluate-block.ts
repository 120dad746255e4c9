import { isActive } from '../../../api/remediation-request/is-active.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import { after, formatDuration, instant, parseTime, type Instant } from '../../../base/index.ts';
import { LOOK_AT_ORIGINAL_MS } from './checks/duplicate-in-progress.ts';
import { unmanagedResource } from './checks/unmanaged-resource.ts';
import type { Evidence } from './evidence.ts';
import { isAtWork } from './execution-state.ts';

type RemediationStatus = NonNullable<RemediationRequest['status']>;

/** What becomes of a block. */
export type Reevaluation = Stay | Leave;

/** It goes on; `why` says what could not be read, where that is why. */
interface Stay {
  readonly kind: 'stay';
  readonly lookAgainAt: Instant;
  readonly why?: string;
}

/** It is over. What the new phase begins with is the caller's; `status` is what the end of the block adds. */
interface Leave {
  readonly kind: 'leave';
  readonly to: 'Pending' | 'Analyzing' | 'Failed' | 'Completed';
  readonly why: string;
  readonly status: Partial<RemediationStatus>;
}

type Judge = (evidence: Evidence, now: Instant) => Reevaluation;

/** What ends a block: three are ended by time, three by an event, a chain by the first signal that comes late enough. */
const ENDS: Readonly<Record<BlockReason, Judge>> = {
  ConsecutiveFailures: byTime,
  RecentlyRemediated: byTime,
  ExponentialBackoff: byTime,
  UnmanagedResource: byScope,
  DuplicateInProgress: byOriginal,
  ResourceBusy: byExecution,
  IneffectiveChain: byLateSignal,
};

/** Looks at a blocked request again. Nothing is blocked for ever: after `maxBlockedMs` every block is over. */
export function reevaluate(evidence: Evidence, now: Instant): Reevaluation {
  const { request, routing } = evidence;
  const { blockReason } = request.status ?? {};
  const last = after(since(request), routing.maxBlockedMs);
  const found: Reevaluation = blockReason ? ENDS[blockReason](evidence, now) : { kind: 'stay', lookAgainAt: last };
  if (found.kind === 'leave') return found;
  if (now >= last) return givenUp(request, `nothing lifted its block within ${formatDuration(routing.maxBlockedMs)}`);
  return { ...found, lookAgainAt: instant(Math.min(found.lookAgainAt, last)) };
}

/** Before its time a block changes nothing, also when its cause has gone. One that names no time lasts as long as any may. */
function byTime({ request, routing }: Evidence, now: Instant): Reevaluation {
  const until = parseTime(request.status?.blockedUntil) ?? after(since(request), routing.maxBlockedMs);
  if (now < until) return { kind: 'stay', lookAgainAt: until };
  return hasFailed(request)
    ? { kind: 'leave', to: 'Failed', why: 'the cooldown after its failure is over: its signal may be tried again', status: {} }
    : givenUp(request, 'its block is over: the next signal is taken up again');
}

function byScope(evidence: Evidence, now: Instant): Reevaluation {
  const verdict = unmanagedResource(evidence, now);
  if (verdict.kind === 'pass') return { kind: 'leave', to: 'Pending', why: 'its target may be worked on now', status: {} };
  return verdict.kind === 'block' ? { kind: 'stay', lookAgainAt: verdict.lookAgainAt } : unread(evidence, verdict.reason, now);
}

/** An original that is gone has left no result to take over: its duplicate starts anew, whatever the setting. */
function byOriginal(evidence: Evidence, now: Instant): Reevaluation {
  const { request, others, routing } = evidence;
  if (others.kind === 'unreadable') return unread(evidence, others.reason, now);
  const name = request.status?.duplicateOf ?? '';
  const original = others.value.find(({ metadata }) => metadata.name === name);
  if (original && isActive(original, now, routing.ineffectiveTimeWindowMs))
    return { kind: 'stay', lookAgainAt: after(now, LOOK_AT_ORIGINAL_MS) };
  if (original && routing.onDuplicateResolved === 'Inherit') return inherit(original);
  return { kind: 'leave', to: 'Pending', why: `RemediationRequest ${name} is ${original ? 'over' : 'gone'}`, status: {} };
}

/** Takes over what came of the original. The original stands in the history by itself, and is not counted twice. */
function inherit({ metadata, status }: RemediationRequest): Leave {
  if (status?.overallPhase === 'Completed')
    return {
      kind: 'leave',
      to: 'Completed',
      why: `RemediationRequest ${metadata.name}, which it waited for, is Completed`,
      status: {
        ...(status.outcome !== undefined && { outcome: status.outcome }),
        ...(status.requiresManualReview !== undefined && { requiresManualReview: status.requiresManualReview }),
      },
    };
  const why = `RemediationRequest ${metadata.name}, which it waited for, is ${status?.overallPhase ?? 'over'}`;
  return { kind: 'leave', to: 'Failed', why, status: { failurePhase: 'Deduplicated', failureReason: why } };
}

function byExecution(evidence: Evidence, now: Instant): Reevaluation {
  const { request, blockingExecution, routing } = evidence;
  const name = request.status?.blockingWorkflowExecution ?? '';
  if (blockingExecution?.kind === 'unreadable') return unread(evidence, blockingExecution.reason, now);
  if (blockingExecution?.kind === 'value' && isAtWork(blockingExecution.value))
    return { kind: 'stay', lookAgainAt: after(now, routing.requeueResourceBusyMs) };
  return { kind: 'leave', to: 'Analyzing', why: `WorkflowExecution ${name} no longer keeps its target busy`, status: {} };
}

/** Time alone ends nothing here. The late signal shows as a request that it opened, or, where a gateway thought otherwise, as one more of ours. */
function byLateSignal(evidence: Evidence, now: Instant): Reevaluation {
  const { request, others, routing } = evidence;
  const over = after(since(request), routing.ineffectiveTimeWindowMs);
  if (now < over) return { kind: 'stay', lookAgainAt: over };
  const seen = parseTime(request.status?.deduplication?.lastSeenAt);
  if (seen !== undefined && seen >= over) return givenUp(request, LATE_SIGNAL);
  if (others.kind === 'unreadable') return unread(evidence, others.reason, now);
  const isLate = others.value.some(({ metadata }) => (parseTime(metadata.creationTimestamp) ?? 0) >= over);
  return isLate ? givenUp(request, LATE_SIGNAL) : { kind: 'stay', lookAgainAt: after(since(request), routing.maxBlockedMs) };
}

const LATE_SIGNAL = 'its signal has come again long after remediations had stopped helping: find the cause by hand';

/** Failed for its block alone, which counts as no failure. */
const givenUp = ({ status }: RemediationRequest, why: string): Leave => ({
  kind: 'leave',
  to: 'Failed',
  why,
  status: {
    failurePhase: 'Blocked',
    failureReason: `${status?.blockReason ?? 'Blocked'}: ${why}`,
    ...(status?.blockReason === 'IneffectiveChain' && { requiresManualReview: true }),
  },
});

/** The failure that reached the threshold: it is blocked after its end, and its failure stays its own. */
const hasFailed = ({ status }: RemediationRequest): boolean => status?.completedAt !== undefined;

const unread = ({ routing }: Evidence, why: string, now: Instant): Stay => ({
  kind: 'stay',
  lookAgainAt: after(now, routing.requeueGenericErrorMs),
  why,
});

const since = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.blockedStartTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
