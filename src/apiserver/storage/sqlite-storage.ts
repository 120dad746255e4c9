import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, moduleBeside, PlatformError } from '../../base/index.ts';
import { errorOf, RESTORE } from '../../base/sqlite/index.ts';
import type { Stored } from '../object.ts';
import { GroupCommit } from './group-commit.ts';
import type { FoundRow, Synchronous } from './sqlite-database.ts';
import type { WorkerRequest, WorkerMessage } from './sqlite-worker.ts';
import type { Snapshot, Storage, StorageWrite } from './storage.ts';

export interface SqliteOptions {
  /** The state file; it and its folder are created when they do not exist. */
  readonly path: string;
  /** FULL when absent: acknowledged writes survive a power cut. With NORMAL they survive the end of the process only. */
  readonly synchronous?: Synchronous;
  /** Called once when the file can no longer be written; every write is refused until the program is restarted. */
  onFailure?(error: PlatformError): void;
}

/** Storage in a file. */
export interface SqliteStorage extends Storage {
  commit(writes: readonly StorageWrite[]): Promise<void>;
  /** Resolves when every write is durable and the file is unlocked; safe to call twice. */
  close(): Promise<void>;
}

/**
 * Opens a state file for this process alone. A thread of its own commits, in groups, so that the server never waits for a disk.
 * Rejects with the path and what to do when the file is in use, damaged, or not writable.
 */
export async function openSqliteStorage({ path, synchronous = 'FULL', onFailure }: SqliteOptions): Promise<SqliteStorage> {
  const file = resolve(path);
  const worker = new Worker(moduleBeside('./sqlite-worker', import.meta.url), { workerData: { path: file, synchronous } });
  const ended = new Promise<void>((done) => void worker.once('exit', () => done()));
  const send = (request: WorkerRequest): void => worker.postMessage(request);
  const snapshot = await opened(worker, file);
  const group = new GroupCommit(send);
  follow(worker, file, {
    committed: () => group.committed(),
    failed: (error) => (group.refuse(error), onFailure?.(error)),
  });
  return storageOf({ group, snapshot, file, end: () => (send('close'), ended) });
}

interface Parts {
  readonly group: GroupCommit;
  readonly snapshot: Snapshot;
  readonly file: string;
  end(): Promise<void>;
}

function storageOf({ group, snapshot, file, end }: Parts): SqliteStorage {
  let found: Snapshot | undefined = snapshot;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await group.finish(new PlatformError('Unavailable', `writing to ${file}: it was closed`, { retry: 'never' }));
    await end();
  };
  return {
    load() {
      if (!found) throw new PlatformError('Internal', `reading ${file}: it is read once; open it again`, { retry: 'never' });
      const loaded = found;
      // The server has the objects now.
      found = undefined;
      return loaded;
    },
    commit: (writes) => group.commit(writes),
    close: () => (closed ??= close()),
  };
}

/** Parses rows while the thread reads more, so that both work at the same time. */
function opened(worker: Worker, file: string): Promise<Snapshot> {
  const rows: { readonly table: string; readonly key: string; readonly object: Stored }[] = [];
  return new Promise<Snapshot>((done, reject) => {
    const onMessage = (message: WorkerMessage): void => {
      if (message.kind === 'Found') for (const row of message.rows) rows.push(objectIn(row, file));
      else if (message.kind === 'Opened') done({ revision: message.revision, rows });
      else if (message.kind === 'Failed') reject(errorOf(message.failure));
    };
    worker.on('message', (message: WorkerMessage) => {
      try {
        onMessage(message);
      } catch (error) {
        reject(error as Error);
        void worker.terminate();
      }
    });
    worker.once('error', reject);
  }).finally(() => worker.removeAllListeners('message').removeAllListeners('error'));
}

function objectIn({ table, key, json }: FoundRow, file: string): { table: string; key: string; object: Stored } {
  try {
    return { table, key, object: JSON.parse(json) as Stored };
  } catch (error) {
    const why = `${table} ${key} is not JSON (${messageOf(error)})`;
    throw new PlatformError('Terminal', `opening ${file}: ${why}; ${RESTORE}`, { retry: 'never', cause: error });
  }
}

interface Follower {
  committed(): void;
  failed(error: PlatformError): void;
}

/** Handles messages of the thread until it ends. An unexpected end is a failure too; messages after the first failure are ignored. */
function follow(worker: Worker, file: string, { committed, failed }: Follower): void {
  let isOver = false;
  const fail = (error: PlatformError): void => {
    if (!isOver) failed(error);
    isOver = true;
  };
  const broken = (why: string): PlatformError =>
    new PlatformError('Internal', `writing to ${file}: ${why}; start again`, { retry: 'never' });
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'Committed') committed();
    else if (message.kind === 'Failed') fail(errorOf(message.failure));
  });
  worker.once('error', (error) => fail(broken(messageOf(error))));
  worker.once('exit', (code) => code !== 0 && fail(broken('the thread that writes has ended')));
}
