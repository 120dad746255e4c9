import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, formatDuration, instant, parseDuration, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import { timingOf } from '../effectiveness/timing.ts';
import type { PhaseTimeouts, Settings } from '../settings.ts';
import type { Ending } from './end/end-request.ts';
import type { RemediationStatus } from './status.ts';

/** The phases that a clock of their own runs in. */
export type TimedPhase = 'Processing' | 'Analyzing' | 'AwaitingApproval' | 'Executing';

/** When time runs out, and whose it is. */
export interface Deadline {
  readonly at: Instant;
  readonly scope: 'phase' | 'global';
  readonly limitMs: number;
}

type Scope = keyof NonNullable<RemediationStatus['timeoutConfig']>;

/** What each limit is called in the settings. */
const LIMITS: Readonly<Record<Scope, keyof PhaseTimeouts>> = {
  global: 'globalMs',
  processing: 'processingMs',
  analyzing: 'analyzingMs',
  awaitingApproval: 'awaitingApprovalMs',
  executing: 'executingMs',
  verifying: 'verifyingMs',
};

/** A phase's clock starts afresh on each entry. */
const CLOCKS = {
  Processing: { scope: 'processing', start: 'processingStartTime' },
  Analyzing: { scope: 'analyzing', start: 'analyzingStartTime' },
  AwaitingApproval: { scope: 'awaitingApproval', start: 'awaitingApprovalStartTime' },
  Executing: { scope: 'executing', start: 'executingStartTime' },
} as const;

/** The limits as they are put on record at the start: what is there already wins. */
export const recordedLimits = (status: RemediationStatus | undefined, { timeouts }: Settings): Readonly<Record<Scope, string>> => ({
  global: formatDuration(timeouts.globalMs),
  processing: formatDuration(timeouts.processingMs),
  analyzing: formatDuration(timeouts.analyzingMs),
  awaitingApproval: formatDuration(timeouts.awaitingApprovalMs),
  executing: formatDuration(timeouts.executingMs),
  verifying: formatDuration(timeouts.verifyingMs),
  ...status?.timeoutConfig,
});

/** The limit that holds: the request's own, else the setting. What is no positive duration is none. */
function limitOf(scope: Scope, { status }: RemediationRequest, { timeouts }: Settings): number {
  const ms = parseDuration(status?.timeoutConfig?.[scope] ?? '');
  return ms === undefined || ms <= 0 ? timeouts[LIMITS[scope]] : ms;
}

/** Whichever of the two clocks of an active phase runs out first: that of the phase, or that of the whole request. */
export function deadlineIn(phase: TimedPhase | 'Pending', request: RemediationRequest, settings: Settings): Deadline {
  const global = globalDeadline(request, settings);
  if (phase === 'Pending') return global;
  const { scope, start } = CLOCKS[phase];
  const limitMs = limitOf(scope, request, settings);
  const at = after(parseTime(request.status?.[start]) ?? startOf(request), limitMs);
  return at <= global.at ? { at, scope: 'phase', limitMs } : global;
}

/** The deadline that a phase would have, were it entered now. */
export const deadlineIfEntered = (phase: TimedPhase, request: RemediationRequest, settings: Settings, now: Instant): Deadline =>
  deadlineIn(phase, { ...request, status: { ...request.status, [CLOCKS[phase].start]: toTime(now) } }, settings);

/** The whole request's clock stands still in Blocked. */
function globalDeadline(request: RemediationRequest, settings: Settings): Deadline {
  const limitMs = limitOf('global', request, settings);
  const blockedMs = (request.status?.blockedSeconds ?? 0) * SECOND;
  return { at: after(startOf(request), limitMs + blockedMs), scope: 'global', limitMs };
}

/** An assessment is given this much time to be seen after it has ended by itself. */
const GRACE_MS = 30 * SECOND;

/**
 * Until when verification waits: its own limit from its start, or longer, when the assessment takes longer. The global clock stands still
 * here.
 */
export function verificationDeadline(request: RemediationRequest, settings: Settings, assessment?: EffectivenessAssessment): Instant {
  const { status } = request;
  const begun = parseTime(status?.verifyingStartTime) ?? startOf(request);
  const own = after(begun, limitOf('verifying', request, settings));
  const recorded = parseTime(status?.verificationDeadline) ?? own;
  const assessed = assessment ? after(timingOf(assessment, settings).deadline, GRACE_MS) : own;
  return instant(Math.max(own, recorded, assessed));
}

/** An assessment must have begun by the time that it should be over. */
export const assessedBy = ({ status, metadata }: WorkflowExecution, request: RemediationRequest, settings: Settings): Instant =>
  after(
    parseTime(status?.completionTime) ?? parseTime(metadata.creationTimestamp) ?? startOf(request),
    limitOf('verifying', request, settings),
  );

/** The end of a request whose time has run out. */
export function timedOut(phase: TimedPhase | 'Pending', deadline: Deadline, waitedFor: string): Ending {
  const limit = formatDuration(deadline.limitMs);
  const whose = deadline.scope === 'global' ? `the remediation was not over after ${limit} in all` : `${phase} was not over after ${limit}`;
  return {
    phase: 'TimedOut',
    message: `${whose}: ${waitedFor}`,
    status: { timeoutPhase: phase, timeoutTime: toTime(deadline.at) },
  };
}

const startOf = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.startTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
