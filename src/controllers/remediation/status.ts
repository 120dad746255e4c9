import type { ObjectReference } from '../../api/meta.ts';
import type { RemediationPhase } from '../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, HOUR, MINUTE, SECOND, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/conditions.ts';
import type { Decision, Effect } from '../../runtime/controller.ts';

export type RemediationStatus = NonNullable<RemediationRequest['status']>;

/** The longest time without a look where only an event is awaited, should it never come. */
export const LOOK_AGAIN_MS = 10 * SECOND;

/**
 * How long the signal is left alone after an end that a new request would only repeat, or, where something was done to the target and
 * nobody knows how it is now, must not repeat before a person has looked.
 */
export const HOLD_OFF = { untilReviewedMs: 24 * HOUR, afterFailureMs: MINUTE, afterDryRunMs: HOUR } as const;

/** How a remediation ends, in the phases where nothing more is done. */
export interface Ending {
  readonly phase: 'Completed' | 'Failed' | 'TimedOut' | 'Skipped';
  /** For people: what happened, to what, and what to do. */
  readonly message: string;
  readonly holdOffMs?: number;
  readonly status?: Partial<RemediationStatus>;
}

/** Leaves the phase as it is; looks again at the latest by `deadline`. */
export function stay(
  { status }: RemediationRequest,
  { now, deadline }: { readonly now: Instant; readonly deadline?: Instant },
  also: { readonly status?: Partial<RemediationStatus>; readonly effects?: readonly Effect[] } = {},
): Decision {
  const left = deadline === undefined ? LOOK_AGAIN_MS : deadline - now;
  const wakeAt = after(now, Math.max(SECOND, Math.min(left, LOOK_AGAIN_MS)));
  return { status: { ...status, ...also.status }, effects: also.effects ?? [], wakeAt };
}

/** Enters a phase that is not the end. What the phase needs is created on the next pass, from what exists then. */
export function enter(
  request: RemediationRequest,
  phase: RemediationPhase,
  now: Instant,
  also: Partial<RemediationStatus> & { readonly message: string },
): Decision {
  const ready = { type: 'Ready', status: 'Unknown', reason: phase, message: also.message, ...generationOf(request) } as const;
  const status: RemediationStatus = {
    ...request.status,
    ...also,
    overallPhase: phase,
    ...generationOf(request),
    conditions: setCondition(request.status?.conditions, ready, now),
  };
  return { status, effects: [], wakeAt: after(now, LOOK_AGAIN_MS) };
}

/** Ends it. People are told on the next pass, which finds it ended. */
export function end(request: RemediationRequest, ending: Ending, now: Instant): Decision {
  const { phase, message, holdOffMs } = ending;
  const reason = ending.status?.outcome ?? phase;
  const holds = phase === 'Completed' ? 'True' : 'False';
  const ready = { type: 'Ready', status: holds, reason, message, ...generationOf(request) } as const;
  const status: RemediationStatus = {
    ...request.status,
    ...ending.status,
    overallPhase: phase,
    message,
    completedAt: toTime(now),
    ...generationOf(request),
    ...(holdOffMs !== undefined && { nextAllowedExecution: toTime(after(now, holdOffMs)) }),
    conditions: setCondition(request.status?.conditions, ready, now),
  };
  return { status, effects: [], wakeAt: after(now, LOOK_AGAIN_MS) };
}

/** The full reference to an object that exists. */
export const referenceTo = ({
  apiVersion,
  kind,
  metadata,
}: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
}): ObjectReference => ({ apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid });

const generationOf = ({ metadata }: RemediationRequest): { readonly observedGeneration?: number } =>
  metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
