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

/** A page of rows has so many, or so many characters. */
const PAGE = 500;
const PAGE_CHARACTERS = 4 * 1024 * 1024;
const options = workerData as DatabaseOptions;
const port = parentPort!;
const send = (message: WorkerMessage): void => port.postMessage(message);

function sendRows(database: SqliteDatabase): void {
  let rows: FoundRow[] = [];
  let characters = 0;
  for (const row of database.rows()) {
    rows.push(row);
    characters += row.json.length;
    if (rows.length < PAGE && characters < PAGE_CHARACTERS) continue;
    send({ kind: 'Found', rows });
    rows = [];
    characters = 0;
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
