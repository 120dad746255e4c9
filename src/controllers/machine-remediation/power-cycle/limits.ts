import { after, instant, MINUTE, parseTime, SECOND, type Backoff, type Instant } from '../../../base/index.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';

/** How often the power of a host in transition is read. */
export const HOST_POLL_MS = 5 * SECOND;

/** How soon to read again what no watch reports. */
export const RECHECK_INTERVAL_MS = 30 * SECOND;

/** After this time a command without effect is sent again. */
export const COMMAND_REPEAT_MS = 30 * SECOND;

/**
 * After this time no command to switch off can still arrive: it was sent within its time-to-live, and its sender, which may have been frozen for up
 * to two and a half minutes, has the answer or has timed out.
 */
export const COMMAND_QUIET_MS = 3 * MINUTE;

/**
 * A command that was not sent within this time after it was recorded in status is never sent: a delayed process must not switch a host off late.
 * Switching on late is harmless, and the reads before it may be slow, so that it gets more time.
 */
export const COMMAND_TTL_MS = { off: 20 * SECOND, on: COMMAND_QUIET_MS } as const;

/** How long a host stays off at most while its workloads are freed. */
export const FREEING_TIMEOUT_MS = 2 * MINUTE;

/** The pause after a failed attempt; each further failure doubles it. */
export const RETRY_BACKOFF: Backoff = { baseMs: MINUTE, maxMs: 30 * MINUTE };

/** The timeouts of one request. */
export interface AttemptTimeouts {
  readonly offMs: number;
  readonly onMs: number;
  readonly nodeMs: number;
  /** Retries after which it escalates; Infinity when it never does. */
  readonly retries: number;
}

const DEFAULTS = { offSeconds: 120, onSeconds: 600, nodeSeconds: 600, retries: 10 };

export const timeoutsOf = ({ spec }: PowerCycleRemediation): AttemptTimeouts => ({
  offMs: (spec.powerOffTimeoutSeconds ?? DEFAULTS.offSeconds) * SECOND,
  onMs: (spec.powerOnTimeoutSeconds ?? DEFAULTS.onSeconds) * SECOND,
  nodeMs: (spec.nodeTimeoutSeconds ?? DEFAULTS.nodeSeconds) * SECOND,
  retries: spec.strategy === 'escalate' ? (spec.deleteAfterRetries ?? DEFAULTS.retries) : Infinity,
});

/** When the phase started; now, where status does not record it. */
export const phaseStart = ({ status }: PowerCycleRemediation, now: Instant): Instant => parseTime(status?.phaseStartTime) ?? now;

/** Whether so much time has passed since a recorded moment; one that was never recorded is long ago. */
export const hasElapsed = (since: string | undefined, ms: number, now: Instant): boolean =>
  now >= after(parseTime(since) ?? instant(0), ms);

export const earliestOf = (...moments: readonly Instant[]): Instant => instant(Math.min(...moments));
