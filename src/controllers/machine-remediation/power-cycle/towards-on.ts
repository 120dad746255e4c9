import type { Instant } from '../../../base/index.ts';
import { NOTHING_TOLD, tellOnAgain, type Telling } from './command.ts';
import { hasPassed, QUIET_AFTER_MS } from './limits.ts';
import { unmark } from './out-of-service.ts';
import { isOn, mayTell, type PowerCycleSeen } from './seen.ts';
import type { Words } from './status.ts';
import { troubleWords, wordsOr } from './words.ts';

/** What makes good what an attempt left undone, and what is said of it; no words when nothing is left. */
export interface TowardsOn extends Telling {
  readonly words?: Words;
}

/**
 * Sees to it that the host is on again and its Node not marked any more. The host counts as on when it says so at a time when no command to
 * switch off can be on its way; until then that is owed.
 */
export function towardsOn(seen: PowerCycleSeen, now: Instant): TowardsOn {
  const { object, power } = seen;
  const { switchOnOwed, powerOffRequestedAt } = object.status ?? {};
  if (switchOnOwed !== true) return clear(seen);
  if (power.kind === 'fault') return { ...NOTHING_TOLD, words: troubleWords(power, 'the host has yet to be switched on again') };
  const words = wordsOr(seen, { reason: 'PoweringOn', message: 'the host has yet to be switched on again' });
  if (!isOn(seen)) return { ...(mayTell(seen, 'on') ? tellOnAgain(object, now) : NOTHING_TOLD), words };
  const cleared = clear(seen);
  if (!hasPassed(powerOffRequestedAt, QUIET_AFTER_MS, now))
    return { ...cleared, words: { reason: 'PoweringOn', message: 'the host is on; making sure that it stays so' } };
  return { effects: cleared.effects, set: { ...cleared.set, switchOnOwed: false } };
}

/** The mark is for a host that is off. */
export function clear({ tainted, object }: PowerCycleSeen): TowardsOn {
  if (object.status?.taintedNode === undefined) return NOTHING_TOLD;
  if (tainted.kind === 'unreadable')
    return {
      ...NOTHING_TOLD,
      words: { reason: 'NodeUnreadable', message: `the out-of-service taint has yet to go: ${tainted.why}`, isWarning: true },
    };
  const effects = unmark(tainted);
  // On record until it was seen gone.
  return effects.length > 0 ? { set: {}, effects } : { set: { taintedNode: undefined }, effects };
}
