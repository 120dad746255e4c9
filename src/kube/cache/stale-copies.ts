import { MINUTE, SECOND, type Instant } from '../../base/index.ts';
import { Recent } from './recently-used.ts';

/** Longer than a watch is usually late: a copy that does not change for so long may be stale without end. */
const STALE_AFTER_MS = 10 * SECOND;
/** So long after a list its copies are not doubted: a refusal that a list cannot explain must not become a storm of lists. */
const TRUST_MS = 2 * MINUTE;
const MOST_DOUBTED = 1_024;

interface Doubt {
  version: string | undefined;
  since: Instant;
}

/**
 * Refusals that contradict what a store shows. Each is ordinary by itself: the watch is on its way. But a write that is
 * refused again while the copy it was decided on stands still means that the stream has lost something without a word.
 */
export class Doubts {
  #doubts = new Recent<Doubt>(MOST_DOUBTED);
  #trustedUntil = -Infinity;

  /** A write to an object shown at this version (undefined: not shown) was refused. True when only a list can help. */
  isDue(key: string, version: string | undefined, now: Instant): boolean {
    if (now < this.#trustedUntil) return false;
    const doubt = this.#doubts.of(key, () => ({ version, since: now }));
    if (doubt.version !== version) Object.assign(doubt, { version, since: now });
    return now - doubt.since >= STALE_AFTER_MS;
  }

  /** A list has shown everything as it is. */
  listed(now: Instant): void {
    this.#doubts = new Recent<Doubt>(MOST_DOUBTED);
    this.#trustedUntil = now + TRUST_MS;
  }
}
