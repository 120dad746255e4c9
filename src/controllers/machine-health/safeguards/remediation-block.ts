import type { Instant } from '../../../base/index.ts';

/** Why no new remediation starts, and until when as far as that is known. */
export interface RemediationBlock {
  readonly reason: string;
  readonly message: string;
  readonly until?: Instant;
}

const MOST_NAMED = 10;

/** The first names, and how many more there are. */
export const shortList = (names: readonly string[]): string =>
  names.length <= MOST_NAMED ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
