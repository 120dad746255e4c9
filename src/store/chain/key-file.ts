import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { newSecret } from '../../base/index.ts';
import { failureOf, giveName, StorageError } from '../../base/sqlite/index.ts';
import { keysIn, type AuditKey } from './audit-keys.ts';

/** Where the keys of a trail are unless another file is named: beside it. */
export const keyPathOf = (trail: string): string => `${trail}.key`;

/** The keys in a file, the oldest first; undefined when there is no such file. */
export function readKeys(path: string): readonly [AuditKey, ...AuditKey[]] | undefined {
  try {
    return keysIn(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof StorageError) throw error;
    throw new StorageError('Unavailable', failureOf({ doing: 'reading', path }, error).message);
  }
}

/** The command that makes one, which no other user can read. */
export const makeOne = (path: string): string => `(umask 077; openssl rand -hex 32 > ${path})`;

/** The text of a file with one new key. */
export const newKeyText = (): string => `# Keys of the audit trail, the oldest first; the last one seals new events.\n${newSecret()}\n`;

/** Makes a file with one new key, for its owner only. Where another process was faster, its key counts. */
export function makeKeys(path: string, text = newKeyText()): readonly [AuditKey, ...AuditKey[]] {
  const draft = `${path}.${process.pid}.${threadId}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  giveName(draft, path);
  return readKeys(path)!;
}
