import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, formatDuration, instant, parseDuration, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import { timingOf } from '../effectiveness/timing.ts';
import type { PhaseTimeouts, Settings } from '../settings.ts';
import type { RequestEnding } from './end/end-request.ts';
import type { RemediationStatus } from './status.ts';

/** The phases with a time limit of their own. */
export type TimedPhase = 'Processing' | 'Analyzing' | 'AwaitingApproval' | 'Executing';

/** When the time limit passes, and whether it is the limit of the phase or of the whole request. */
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

/** The clock of a phase starts again on each entry. */
const CLOCKS = {
  Processing: { scope: 'processing', start: 'processingStartTime' },
  Analyzing: { scope: 'analyzing', start: 'analyzingStartTime' },
  AwaitingApproval: { scope: 'awaitingApproval', start: 'awaitingApprovalStartTime' },
  Executing: { scope: 'executing', start: 'executingStartTime' },
} as const;

/** The limits as they are recorded at the start: limits that the status has already win. */
export const recordedLimits = (status: RemediationStatus | undefined, { timeouts }: Settings): Readonly<Record<Scope, string>> => ({
  global: formatDuration(timeouts.globalMs),
  processing: formatDuration(timeouts.processingMs),
  analyzing: formatDuration(timeouts.analyzingMs),
  awaitingApproval: formatDuration(timeouts.awaitingApprovalMs),
  executing: formatDuration(timeouts.executingMs),
  verifying: formatDuration(timeouts.verifyingMs),
  ...status?.timeoutConfig,
});

/** The limit of a phase: the request's own, else the setting. A recorded limit that is no positive duration is ignored. */
function limitOf(scope: Scope, { status }: RemediationRequest, { timeouts }: Settings): number {
  const ms = parseDuration(status?.timeoutConfig?.[scope] ?? '');
  return ms === undefined || ms <= 0 ? timeouts[LIMITS[scope]] : ms;
}

/** The earlier of the two time limits of an active phase: its own, or that of the whole request. */
export function deadlineIn(phase: TimedPhase | 'Pending', request: RemediationRequest, settings: Settings): Deadline {
  const global = globalDeadline(request, settings);
  if (phase === 'Pending') return global;
  const { scope, start } = CLOCKS[phase];
  const limitMs = limitOf(scope, request, settings);
  const at = after(parseTime(request.status?.[start]) ?? startOf(request), limitMs);
  return at <= global.at ? { at, scope: 'phase', limitMs } : global;
}

/** How long a plan may wait for a decision, and so for the end of a change freeze, before it is too old to run. */
export const longestWaitOfPlan = (request: RemediationRequest, settings: Settings): number =>
  limitOf('awaitingApproval', request, settings);

/** The deadline that a phase would have if it were entered now. */
export const deadlineIfEntered = (phase: TimedPhase, request: RemediationRequest, settings: Settings, now: Instant): Deadline =>
  deadlineIn(phase, { ...request, status: { ...request.status, [CLOCKS[phase].start]: toTime(now) } }, settings);

/** The time limit of the whole request; time in Blocked does not count. */
function globalDeadline(request: RemediationRequest, settings: Settings): Deadline {
  const limitMs = limitOf('global', request, settings);
  const blockedMs = (request.status?.blockedSeconds ?? 0) * SECOND;
  return { at: after(startOf(request), limitMs + blockedMs), scope: 'global', limitMs };
}

/** How long to wait after the assessment's own deadline, so that its result can be read. */
const GRACE_MS = 30 * SECOND;

/**
 * Until when verification waits: its own limit from its start, or longer if the assessment takes longer. The global time limit does not
 * count here.
 */
export function verificationDeadline(request: RemediationRequest, settings: Settings, assessment?: EffectivenessAssessment): Instant {
  const { status } = request;
  const begun = parseTime(status?.verifyingStartTime) ?? startOf(request);
  const own = after(begun, limitOf('verifying', request, settings));
  const recorded = parseTime(status?.verificationDeadline) ?? own;
  const assessed = assessment ? after(timingOf(assessment, settings).deadline, GRACE_MS) : own;
  return instant(Math.max(own, recorded, assessed));
}

/** An assessment must have started by the time at which it should have ended. */
export const assessedBy = ({ status, metadata }: WorkflowExecution, request: RemediationRequest, settings: Settings): Instant =>
  after(
    parseTime(status?.completionTime) ?? parseTime(metadata.creationTimestamp) ?? startOf(request),
    limitOf('verifying', request, settings),
  );

/** The end of a request whose time limit passed. */
export function timedOut(phase: TimedPhase | 'Pending', deadline: Deadline, waitedFor: string): RequestEnding {
  const limit = formatDuration(deadline.limitMs);
  const whose = deadline.scope === 'global' ? `the remediation did not finish within ${limit}` : `${phase} did not finish within ${limit}`;
  return {
    phase: 'TimedOut',
    message: `${whose}: ${waitedFor}`,
    status: { timeoutPhase: phase, timeoutTime: toTime(deadline.at) },
  };
}

const startOf = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.startTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
