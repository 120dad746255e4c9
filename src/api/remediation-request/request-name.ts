import { sha256 } from './fingerprint.ts';

/** Stands in for the UID where there is no earlier request. */
export const FIRST = 'first';

/**
 * The name of the request that follows the one with `previousUid`. Derived, never random: every gateway that opens a request for the same problem at
 * the same time derives the same name, and the server lets one of them through.
 */
export const requestName = (fingerprint: string, previousUid: string): string =>
  `rr-${fingerprint.slice(0, 12)}-${sha256(fingerprint + previousUid).slice(0, 8)}`;
