import { MINUTE, type Instant } from '../../base/index.ts';
import { Recent } from '../cache/recently-used.ts';

const MOST_GROUPS = 4_096;
/** So many different messages for one reason in one window are recorded one by one; the rest share an Event. */
const MESSAGES = 10;
const WINDOW_MS = 10 * MINUTE;
/** So many writes at once for one object and reason, and one more in each of these times. */
const BURST = 25;
const REFILL_MS = 5 * MINUTE;

interface Group {
  since: Instant;
  readonly messages: Set<string>;
  tokens: number;
  refilledAt: Instant;
}

/** What happens to an Event: recorded by itself, recorded together with similar ones, or only counted. */
export type EventVerdict = { readonly together: boolean; readonly write: boolean };

/** Keeps one object from filling the API with Events: judged per object, type and reason. */
export class EventLimits {
  readonly #groups = new Recent<Group>(MOST_GROUPS);

  judge(group: string, message: string, now: Instant): EventVerdict {
    const state = this.#groups.of(group, () => ({ since: now, messages: new Set(), tokens: BURST, refilledAt: now }));
    return { together: isOneTooMany(state, message, now), write: takeToken(state, now) };
  }
}

function isOneTooMany(group: Group, message: string, now: Instant): boolean {
  if (now - group.since >= WINDOW_MS) {
    group.since = now;
    group.messages.clear();
  }
  if (group.messages.has(message)) return false;
  if (group.messages.size >= MESSAGES) return true;
  group.messages.add(message);
  return false;
}

function takeToken(group: Group, now: Instant): boolean {
  const refills = Math.floor((now - group.refilledAt) / REFILL_MS);
  if (refills > 0) {
    group.tokens = Math.min(BURST, group.tokens + refills);
    group.refilledAt = (group.refilledAt + refills * REFILL_MS) as Instant;
  }
  if (group.tokens === 0) return false;
  group.tokens--;
  return true;
}
