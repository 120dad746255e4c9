/** The thread that owns the audit file. It answers one question after the other, in the order in which they came. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf, type Failure, type FileUse } from '../base/sqlite/index.ts';
import type { TrailFiles } from './audit-adoption.ts';
import { AuditDatabase } from './audit-database.ts';
import type { AuditEvent, AuditQuery } from './audit-log.ts';
import type { Checkpoint } from './chain/checkpoint.ts';
import type { ChainEnd } from './chain/trail-row.ts';
import type { Verification } from './chain/verify-trail.ts';
import { verifyFile } from './trail-reader.ts';

/** What is asked of the thread. */
export type Ask =
  | { readonly kind: 'append'; readonly events: readonly AuditEvent[] }
  | { readonly kind: 'find'; readonly query: AuditQuery }
  | { readonly kind: 'end' }
  | { readonly kind: 'verify'; readonly checkpoints: readonly Checkpoint[] }
  | { readonly kind: 'close' };

/** What it answers to each. */
export interface Answers {
  readonly append: undefined;
  readonly find: readonly AuditEvent[];
  readonly end: ChainEnd;
  readonly verify: Verification;
  readonly close: undefined;
}

/** Its answer to one question. */
export type Answer = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'failed'; readonly failure: Failure };

const files = workerData as TrailFiles;
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
      if (ask.kind === 'verify') return { kind: 'done', result: verifyFile(files, ask.checkpoints) };
      open ??= new AuditDatabase(files);
      doing = ask.kind === 'append' ? 'writing to' : 'reading';
      return { kind: 'done', result: resultOf(open, ask) };
    } catch (error) {
      closeFile();
      return { kind: 'failed', failure: failureOf({ doing, path: files.path, afterwards: AFTERWARDS }, error) };
    }
  };
}

function resultOf(database: AuditDatabase, ask: Exclude<Ask, { kind: 'close' | 'verify' }>): unknown {
  if (ask.kind === 'find') return database.find(ask.query);
  return ask.kind === 'end' ? database.end() : database.append(ask.events);
}

const answerTo = createAnswers();
port.on('message', (ask: Ask) => {
  const answer = answerTo(ask);
  if (answer) port.postMessage(answer);
  else port.close();
});
