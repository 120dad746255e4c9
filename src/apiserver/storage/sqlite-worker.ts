/** The thread that owns the state file. It opens it, sends its rows, and commits one batch after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf, type Failure, type FileUse } from '../../base/sqlite/index.ts';
import { SqliteDatabase, type DatabaseOptions, type FoundRow, type Row } from './sqlite-database.ts';

/** A request to the thread: to commit a batch, or to end. */
export type WorkerRequest = readonly Row[] | 'close';

/** A message of the thread: the stored rows, page by page; then that a batch is durable, or why it failed. */
export type WorkerMessage =
  | { readonly kind: 'Found'; readonly rows: readonly FoundRow[] }
  | { readonly kind: 'Opened'; readonly revision: number }
  | { readonly kind: 'Committed' }
  | { readonly kind: 'Failed'; readonly failure: Failure };

const PAGE = 500;
const options = workerData as DatabaseOptions;
const port = parentPort!;
const send = (message: WorkerMessage): void => port.postMessage(message);

function sendRows(database: SqliteDatabase): void {
  let rows: FoundRow[] = [];
  for (const row of database.rows()) {
    rows.push(row);
    if (rows.length < PAGE) continue;
    send({ kind: 'Found', rows });
    rows = [];
  }
  send({ kind: 'Found', rows });
}

/** Writes after a failure depend on data that was not stored. */
function fail(doing: FileUse['doing'], error: unknown): void {
  send({ kind: 'Failed', failure: failureOf({ doing, path: options.path }, error) });
  port.close();
}

function serve(database: SqliteDatabase): void {
  port.on('message', (ask: WorkerRequest) => {
    try {
      if (ask === 'close') {
        database.close();
        port.close();
        return;
      }
      database.commit(ask);
      send({ kind: 'Committed' });
    } catch (error) {
      fail('writing to', error);
    }
  });
}

try {
  const database = new SqliteDatabase(options);
  sendRows(database);
  send({ kind: 'Opened', revision: database.revision });
  serve(database);
} catch (error) {
  fail('opening', error);
}
