import { messageOf, PlatformError } from '../errors.ts';

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

/** What a database file was wanted for, and what the reader of its failure does once the cause is fixed. */
export interface FileUse {
  readonly doing: 'opening' | 'writing to' | 'reading';
  readonly path: string;
  /** `start again` when absent. */
  readonly afterwards?: string;
}

/** What is wrong with a database file, and what to do about it. */
export function failureOf({ doing, path, afterwards = 'start again' }: FileUse, error: unknown): Failure {
  if (error instanceof StorageError) return error.failure;
  const { code, advice } = meaningOf(primaryCode(error));
  return { code, message: `${doing} ${path}: ${messageOf(error)}; ${advice(afterwards)}` };
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

interface Meaning {
  readonly code: Failure['code'];
  advice(afterwards: string): string;
}

const MEANINGS: Readonly<Record<number, Meaning>> = {
  [ERROR]: { code: 'Terminal', advice: () => RESTORE },
  [BUSY]: { code: 'Unavailable', advice: (then) => `end the program that holds it, then ${then}` },
  [READONLY]: { code: 'Unavailable', advice: (then) => `make the file and its folder writable for this user, then ${then}` },
  [IOERR]: { code: 'Unavailable', advice: (then) => `look for faults of the disk and limits on file sizes, then ${then}` },
  [CORRUPT]: { code: 'Terminal', advice: () => RESTORE },
  [FULL]: { code: 'Unavailable', advice: (then) => `free space on that disk, then ${then}` },
  [CANTOPEN]: { code: 'Unavailable', advice: () => 'check that it is a file in a folder, and that this user may read and write both' },
  [NOTADB]: { code: 'Terminal', advice: () => RESTORE },
};

const UNKNOWN: Meaning = { code: 'Internal', advice: (then) => `${then}; if it stays, report it with this message` };

const meaningOf = (code: number): Meaning => MEANINGS[code] ?? UNKNOWN;
