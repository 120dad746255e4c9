import { readFileSync } from 'node:fs';
import { StorageError } from '../../base/sqlite/index.ts';
import type { AuditKey } from './audit-keys.ts';
import type { ChainEnd } from './trail-row.ts';

/** The last event of a chain, with the key that it is sealed with; none where there is no event. */
export interface SealedEnd extends ChainEnd {
  readonly keyId?: string;
}

/**
 * Refuses to append after an event whose key is not in the key file: most likely another replica has a newer file already, and what is sealed
 * with the older key would be taken for a forgery ever after. That a key is lost is said in the file, by a comment.
 */
export function demandNewestKey(
  { sequence, keyId }: SealedEnd,
  { known, path }: { readonly known: readonly AuditKey[]; readonly path: string },
): void {
  if (keyId === undefined || known.some(({ id }) => id === keyId) || lostKeysIn(path).includes(keyId)) return;
  throw new StorageError(
    'Unavailable',
    `the last event, ${sequence}, is sealed with key ${keyId}, which is not in ${path}: give every replica the same file, with the key ` +
      `that was added last on a line of its own; if that key is lost for good, add the line "${LOST} ${keyId}", and no event sealed with it can be proved`,
  );
}

const LOST = '# lost:';

const lostKeysIn = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith(LOST) ? [line.slice(LOST.length).trim()] : []));
