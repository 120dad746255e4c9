import { after, instant, MINUTE, parseTime, SECOND, type Backoff, type Instant } from '../../../base/index.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';

/** How often a host is asked that is on its way. */
export const POLL_MS = 5 * SECOND;

/** How soon to look again at what nobody tells us of. */
export const LOOK_AGAIN_MS = 30 * SECOND;

/** A host that was told and has not obeyed is told again. */
export const TELL_AGAIN_MS = 30 * SECOND;

/**
 * When no command to switch off can be on its way any more: it was sent in its time, whoever sent it has its answer or gave up, and stood still
 * in between for two minutes and a half at most.
 */
export const QUIET_AFTER_MS = 3 * MINUTE;

/**
 * A command that was not sent within this time after it went on record is never sent: whoever was held up must not catch up on switching off.
 * Switching on leaves no host off, however late, and host and server may be so slow that all they are asked first takes longer than that.
 */
export const COMMAND_LIFE_MS = { off: 20 * SECOND, on: QUIET_AFTER_MS } as const;

/** How long a host stays off at most for its workloads to be freed. */
export const FREE_WITHIN_MS = 2 * MINUTE;

/** How long it is left alone after an attempt that did not help; each one after it doubles the time. */
export const BETWEEN_ATTEMPTS: Backoff = { baseMs: MINUTE, maxMs: 30 * MINUTE };

/** The limits of one request. */
export interface Limits {
  readonly offMs: number;
  readonly onMs: number;
  readonly nodeMs: number;
  /** Retries after which it is given up; Infinity when it never is. */
  readonly retries: number;
}

const DEFAULTS = { offSeconds: 120, onSeconds: 600, nodeSeconds: 600, retries: 10 };

export const limitsOf = ({ spec }: PowerCycleRemediation): Limits => ({
  offMs: (spec.powerOffTimeoutSeconds ?? DEFAULTS.offSeconds) * SECOND,
  onMs: (spec.powerOnTimeoutSeconds ?? DEFAULTS.onSeconds) * SECOND,
  nodeMs: (spec.nodeTimeoutSeconds ?? DEFAULTS.nodeSeconds) * SECOND,
  retries: spec.strategy === 'escalate' ? (spec.deleteAfterRetries ?? DEFAULTS.retries) : Infinity,
});

/** When the phase began; now, where that is not on record. */
export const phaseStart = ({ status }: PowerCycleRemediation, now: Instant): Instant => parseTime(status?.phaseStartTime) ?? now;

/** Whether so much time has passed since a moment on record; what never was is long ago. */
export const hasPassed = (since: string | undefined, ms: number, now: Instant): boolean => now >= after(parseTime(since) ?? instant(0), ms);

/** The earliest of these. */
export const earliest = (...moments: readonly Instant[]): Instant => instant(Math.min(...moments));
