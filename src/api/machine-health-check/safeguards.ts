import { HOUR, parseDuration } from '../../base/index.ts';
import { duration, flag, int32, list, partial, text } from '../schema/index.ts';
import type { Shape } from '../schema/index.ts';

/** Safeguards of a check beyond Cluster API. Each is off unless it is set. */
export const safeguardsSchema = partial(
  'Further limits on remediation; each applies only where it is set.',
  {
    maxInFlight: int32('How many Machines may be under remediation at once; further Machines wait until one remediation completes.', {
      min: 1,
      max: 1000,
    }),
    minUnhealthyAllowed: int32('A limit given as a share, other than 0%, lets at least this many unhealthy Machines be remediated.', {
      min: 1,
      max: 1000,
    }),
    stormCooldown: duration(
      'How long remediation stays suspended after too many Machines were unhealthy at once, counted from when that is no longer so.',
    ),
    healthyDelay: duration('How long a Machine must stay healthy before its remediation counts as completed.'),
    pauseRequests: list(
      'Who pauses new remediations, and why; one entry is enough. Remediations that are under way continue.',
      text('Who, and why.', { min: 1, max: 256 }),
      { max: 16, atomic: true },
    ),
    observeOnly: flag('Evaluate and count, but request no remediation; the check reports the Machines that it would have had remediated.'),
    maxAttempts: int32('How often remediation is requested for a Machine before Sickbay gives up on it.', { min: 1, max: 100 }),
    attemptsForgottenAfter: duration('How long a Machine must stay healthy until its attempts are reset; 1h when absent.'),
  },
  { minProperties: 1 },
);

/** The safeguards of a check as every reader works with them. */
export interface Safeguards {
  readonly maxInFlight: number | undefined;
  readonly cooldownMs: number;
  readonly healthyDelayMs: number;
  readonly pauseRequests: readonly string[];
  readonly observeOnly: boolean;
  readonly attempts: AttemptLimit | undefined;
}

export interface AttemptLimit {
  readonly max: number;
  readonly forgottenAfterMs: number;
}

export const NO_SAFEGUARDS: Safeguards = {
  maxInFlight: undefined,
  cooldownMs: 0,
  healthyDelayMs: 0,
  pauseRequests: [],
  observeOnly: false,
  attempts: undefined,
};

const FORGOTTEN_AFTER_MS = HOUR;

/** Reads the safeguards; what is no duration is reported by field. */
export function readSafeguards(
  given: Shape<typeof safeguardsSchema> | undefined,
  report: (field: string, message: string) => void,
): Safeguards {
  if (!given) return NO_SAFEGUARDS;
  const ms = (member: 'stormCooldown' | 'healthyDelay' | 'attemptsForgottenAfter', absent: number): number => {
    const written = given[member];
    const parsed = written === undefined ? absent : parseDuration(written);
    if (parsed === undefined || parsed < 0) report(`spec.safeguards.${member}`, `"${written}" is not a duration such as 5m`);
    return parsed ?? 0;
  };
  const forgottenAfterMs = ms('attemptsForgottenAfter', FORGOTTEN_AFTER_MS);
  return {
    maxInFlight: given.maxInFlight,
    cooldownMs: ms('stormCooldown', 0),
    healthyDelayMs: ms('healthyDelay', 0),
    pauseRequests: given.pauseRequests ?? [],
    observeOnly: given.observeOnly ?? false,
    attempts: given.maxAttempts === undefined ? undefined : { max: given.maxAttempts, forgottenAfterMs },
  };
}
