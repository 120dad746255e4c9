import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, formatDuration, instant, parseDuration, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Settings } from '../settings.ts';
import { HOLD_OFF, type Ending, type RemediationStatus } from './status.ts';

/** The phases that a clock of their own runs in. */
type TimedPhase = 'Processing' | 'Analyzing' | 'Executing';

/** When time runs out, and whose it is. */
export interface Deadline {
  readonly at: Instant;
  readonly scope: 'phase' | 'global';
  readonly limitMs: number;
}

const CLOCKS = {
  Processing: { limit: 'processing', start: 'processingStartTime', fallback: 'processingMs' },
  Analyzing: { limit: 'analyzing', start: 'analyzingStartTime', fallback: 'analyzingMs' },
  Executing: { limit: 'executing', start: 'executingStartTime', fallback: 'executingMs' },
} as const;

/** The limits as they are put on record at the start: what is there already wins. */
export const recordedLimits = (status: RemediationStatus | undefined, { timeouts }: Settings) => ({
  global: formatDuration(timeouts.globalMs),
  processing: formatDuration(timeouts.processingMs),
  analyzing: formatDuration(timeouts.analyzingMs),
  executing: formatDuration(timeouts.executingMs),
  verifying: formatDuration(timeouts.verifyingMs),
  ...status?.timeoutConfig,
});

/** Whichever of the two clocks of an active phase runs out first: that of the phase, or that of the whole request. */
export function deadlineIn(phase: TimedPhase | 'Pending', request: RemediationRequest, settings: Settings): Deadline {
  const { status } = request;
  const globalMs = limitOf(status?.timeoutConfig?.global, settings.timeouts.globalMs);
  const global: Deadline = { at: after(startOf(request), globalMs), scope: 'global', limitMs: globalMs };
  if (phase === 'Pending') return global;
  const { limit, start, fallback } = CLOCKS[phase];
  const limitMs = limitOf(status?.timeoutConfig?.[limit], settings.timeouts[fallback]);
  const at = after(parseTime(status?.[start]) ?? startOf(request), limitMs);
  return at <= global.at ? { at, scope: 'phase', limitMs } : global;
}

/** An assessment is given this much time to be seen after it has ended by itself. */
const GRACE_MS = 30 * SECOND;

/**
 * Until when verification waits: its own limit from its start, or longer, when the assessment says that it takes longer. The global clock
 * stands still here.
 */
export function verificationDeadline(request: RemediationRequest, settings: Settings, validityDeadline?: string): Instant {
  const { status } = request;
  const begun = parseTime(status?.verifyingStartTime) ?? startOf(request);
  const own = after(begun, limitOf(status?.timeoutConfig?.verifying, settings.timeouts.verifyingMs));
  const recorded = parseTime(status?.verificationDeadline) ?? own;
  const validity = parseTime(validityDeadline);
  return instant(Math.max(own, recorded, validity === undefined ? 0 : after(validity, GRACE_MS)));
}

/** The end of a request whose time has run out. */
export function timedOut(phase: TimedPhase | 'Pending', deadline: Deadline, waitedFor: string): Ending {
  const limit = formatDuration(deadline.limitMs);
  const whose = deadline.scope === 'global' ? `the remediation was not over after ${limit} in all` : `${phase} was not over after ${limit}`;
  return {
    phase: 'TimedOut',
    message: `${whose}: ${waitedFor}`,
    holdOffMs: HOLD_OFF.afterFailureMs,
    status: { timeoutPhase: phase, timeoutTime: toTime(deadline.at) },
  };
}

const startOf = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.startTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);

/** A limit that is no positive duration is none. */
function limitOf(text: string | undefined, fallbackMs: number): number {
  const ms = parseDuration(text ?? '');
  return ms === undefined || ms <= 0 ? fallbackMs : ms;
}
