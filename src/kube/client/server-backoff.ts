import { SECOND, type Backoff } from '../../base/index.ts';

/** How often a server that fails is asked again: half of each wait is chance, so that many clients do not come back at once. */
export const SERVER_BACKOFF: Backoff = { baseMs: 125, maxMs: 15 * SECOND, jitter: 1 };
