import type { Instant } from '../../../../base/index.ts';
import { NOTHING_TOLD, tellOnAgain, type Telling } from '../host/power-command.ts';
import { hasPassed, QUIET_AFTER_MS } from '../limits.ts';
import { isReporting, unmark } from './out-of-service.ts';
import { isOn, mayTell, type PowerCycleSeen } from '../observed.ts';
import type { Words } from '../status.ts';
import { wordsOr } from '../messages.ts';

/** What makes good what an attempt left undone, and what is said of it; no words when nothing is left. */
export interface TowardsOn extends Telling {
  readonly words?: Words;
}

/**
 * Sees to it that the host is on again and its Node not marked any more. The host counts as on when it says so at a time when no command to
 * switch off can be on its way; until then that is owed.
 */
export function towardsOn(seen: PowerCycleSeen, now: Instant): TowardsOn {
  const { switchOnOwed, powerOffRequestedAt } = seen.object.status ?? {};
  if (switchOnOwed !== true) return clear(seen);
  const words = wordsOr(seen, { reason: 'PoweringOn', message: 'the host has yet to be switched on again' });
  if (!isOn(seen)) return { ...tellOnOnce(seen, now), words };
  const cleared = clear(seen);
  if (!hasPassed(powerOffRequestedAt, QUIET_AFTER_MS, now))
    return { ...cleared, words: { reason: 'PoweringOn', message: 'the host is on; making sure that it stays so' } };
  return { effects: cleared.effects, set: { ...cleared.set, switchOnOwed: false } };
}

/** Tells a host that is not on, if it is time; what it says counts for its mark only as long as its Node is silent. */
export function tellOnOnce(seen: PowerCycleSeen, now: Instant): Telling {
  const told = mayTell(seen, 'on') ? tellOnAgain(seen.object, now) : NOTHING_TOLD;
  const cleared = clearIfBack(seen);
  return { set: { ...told.set, ...cleared.set }, effects: [...told.effects, ...cleared.effects] };
}

/** A kubelet that reports runs, whatever its host says or does not: the mark must not outlive that, or it outlives the request. */
const clearIfBack = (seen: PowerCycleSeen): Telling =>
  seen.tainted.kind === 'there' && isReporting(seen.tainted.node) ? clear(seen) : NOTHING_TOLD;

/** The mark is for a host that is off. */
export function clear({ tainted }: PowerCycleSeen): TowardsOn {
  if (tainted.kind === 'unreadable')
    return {
      ...NOTHING_TOLD,
      words: { reason: 'NodeUnreadable', message: `the out-of-service taint has yet to go: ${tainted.why}`, isWarning: true },
    };
  const effects = unmark(tainted);
  // On record until it was seen gone.
  return effects.length > 0 ? { set: {}, effects } : { set: { taintedNode: undefined }, effects };
}
