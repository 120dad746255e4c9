import { messageOf, PlatformError } from '../../base/errors.ts';

/** SQLite's primary result codes that someone can do something about. */
const ERROR = 1;
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** A failure in words, as it can be sent from one thread to another. */
export interface Failure {
  readonly code: 'Unavailable' | 'Terminal' | 'Internal';
  readonly message: string;
}

/** A failure that says all by itself. */
export class StorageError extends Error {
  readonly failure: Failure;

  constructor(code: Failure['code'], message: string) {
    super(message);
    this.failure = { code, message };
  }
}

/** What is wrong with a database file, and what to do about it. */
export function failureOf(doing: 'opening' | 'writing to', path: string, error: unknown): Failure {
  if (error instanceof StorageError) return error.failure;
  const { code, advice } = meaningOf(primaryCode(error));
  return { code, message: `${doing} ${path}: ${messageOf(error)}; ${advice}` };
}

/** The error that a failure is on this side of the thread. It never goes away by trying again. */
export const errorOf = ({ code, message }: Failure): PlatformError => new PlatformError(code, message, { retry: 'never' });

/** Whether another process, or this one, holds the file. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === BUSY;

/** Extended codes carry the primary one in their low byte. What the system refuses is a file that cannot be opened. */
function primaryCode(error: unknown): number {
  const { errcode, syscall } = error as { readonly errcode?: unknown; readonly syscall?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  return syscall === undefined ? 0 : CANTOPEN;
}

/** For every state that is damaged: it is never repaired or replaced without being asked. */
export const RESTORE =
  'nothing was repaired or replaced: restore the file from a backup, with its -wal file if there is one, or move both away to start with an empty state';

const MEANINGS: Readonly<Record<number, { readonly code: Failure['code']; readonly advice: string }>> = {
  [ERROR]: { code: 'Terminal', advice: RESTORE },
  [READONLY]: { code: 'Unavailable', advice: 'make the file and its folder writable for this user and start again' },
  [IOERR]: { code: 'Unavailable', advice: 'look for faults of the disk and limits on file sizes, then start again' },
  [CORRUPT]: { code: 'Terminal', advice: RESTORE },
  [FULL]: { code: 'Unavailable', advice: 'free space on that disk and start again' },
  [CANTOPEN]: { code: 'Unavailable', advice: 'check that it is a file in a folder, and that this user may read and write both' },
  [NOTADB]: { code: 'Terminal', advice: RESTORE },
};

const meaningOf = (code: number): { readonly code: Failure['code']; readonly advice: string } =>
  MEANINGS[code] ?? { code: 'Internal', advice: 'start again; if it stays, report it with this message' };
