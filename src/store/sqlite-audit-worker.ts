/** The thread that owns the audit file. It answers one question after the other, in the order in which they came. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf, type Failure, type FileUse } from '../base/sqlite/index.ts';
import { AuditDatabase } from './audit-database.ts';
import type { AuditEvent, AuditQuery } from './audit-log.ts';

/** What is asked of the thread. */
export type Ask =
  | { readonly kind: 'append'; readonly events: readonly AuditEvent[] }
  | { readonly kind: 'find'; readonly query: AuditQuery }
  | { readonly kind: 'close' };

/** Its answer to one question. */
export type Answer =
  { readonly kind: 'done'; readonly events: readonly AuditEvent[] } | { readonly kind: 'failed'; readonly failure: Failure };

const { path } = workerData as { readonly path: string };
const port = parentPort!;
const AFTERWARDS = 'wait: Sickbay retries by itself';

/** Opens the file for a question, and closes it when that fails, so that an operator can replace it. */
function createAnswers(): (ask: Ask) => Answer | undefined {
  let open: AuditDatabase | undefined;
  const closeFile = (): void => {
    const database = open;
    open = undefined;
    database?.close();
  };
  return (ask) => {
    if (ask.kind === 'close') return void closeFile();
    let doing: FileUse['doing'] = 'opening';
    try {
      open ??= new AuditDatabase(path);
      doing = ask.kind === 'find' ? 'reading' : 'writing to';
      if (ask.kind === 'find') return { kind: 'done', events: open.find(ask.query) };
      open.append(ask.events);
      return { kind: 'done', events: [] };
    } catch (error) {
      closeFile();
      return { kind: 'failed', failure: failureOf({ doing, path, afterwards: AFTERWARDS }, error) };
    }
  };
}

const answerTo = createAnswers();
port.on('message', (ask: Ask) => {
  const answer = answerTo(ask);
  if (answer) port.postMessage(answer);
  else port.close();
});
