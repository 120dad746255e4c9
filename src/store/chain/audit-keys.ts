import { createHash } from 'node:crypto';
import { StorageError } from '../../base/sqlite/index.ts';

/** A key that events are sealed with. */
export interface AuditKey {
  /** Derived from the secret, so that it cannot name another one; stored with each event. */
  readonly id: string;
  readonly secret: string;
}

/** Shorter texts can be guessed. */
const LEAST_LENGTH = 32;

const idOf = (secret: string): string => createHash('sha256').update(`sickbay audit key:${secret}`).digest('hex').slice(0, 16);

/**
 * The keys in the text of a key file, the oldest first: one per line, each a text that cannot be guessed. Empty lines and lines that begin
 * with # are skipped. The last one seals new events; the others prove older ones.
 */
export function keysIn(text: string, path: string): readonly [AuditKey, ...AuditKey[]] {
  const lines = text.split('\n').map((line) => line.trim());
  const short = lines.findIndex((line) => isKey(line) && line.length < LEAST_LENGTH);
  if (short >= 0)
    throw new StorageError(
      'Terminal',
      `reading ${path}: the key on line ${short + 1} has fewer than ${LEAST_LENGTH} characters; ${MAKE_ONE}`,
    );
  const [first, ...others] = lines.filter(isKey).map((secret): AuditKey => ({ id: idOf(secret), secret }));
  if (!first) throw new StorageError('Terminal', `reading ${path}: it holds no key; ${MAKE_ONE}`);
  return [first, ...others];
}

const isKey = (line: string): boolean => line !== '' && !line.startsWith('#');

const MAKE_ONE = 'restore it from a backup, or add a line with a new key (openssl rand -hex 32), which proves new events only';
