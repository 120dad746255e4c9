import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, moduleBeside, PlatformError } from '../base/index.ts';
import type { AuditEvent, AuditLog } from './audit-log.ts';
import type { Answer, Ask } from './sqlite-audit-worker.ts';

/**
 * A trail in a file, which is made when it is not there. A thread of its own commits, so that no caller waits for a disk. A problem with the
 * file shows in each answer and is not final: the next call may find it fixed.
 */
export function openAuditLog(path: string): AuditLog {
  const file = resolve(path);
  let thread: AuditThread | undefined;
  let closed: Promise<void> | undefined;
  const ask = (asked: Ask): Promise<readonly AuditEvent[]> => {
    if (closed) return Promise.reject(new PlatformError('Unavailable', `using ${file}: it was closed`, { retry: 'never' }));
    if (!thread?.isAlive) thread = new AuditThread(file);
    return thread.ask(asked);
  };
  return {
    append: async (events) => void (await ask({ kind: 'append', events })),
    find: (query) => ask({ kind: 'find', query }),
    close: () => (closed ??= thread?.close() ?? Promise.resolve()),
  };
}

/** The thread as this side sees it: questions, and their answers in the same order. */
class AuditThread {
  readonly #worker: Worker;
  readonly #path: string;
  readonly #waiting: PromiseWithResolvers<readonly AuditEvent[]>[] = [];
  readonly #ended: Promise<void>;
  isAlive = true;

  constructor(path: string) {
    this.#path = path;
    this.#worker = new Worker(moduleBeside('./sqlite-audit-worker', import.meta.url), { workerData: { path } });
    this.#worker.on('message', (answer: Answer) => this.#answered(answer));
    this.#worker.once('error', (error) => this.#broke(messageOf(error)));
    this.#ended = new Promise((done) => {
      this.#worker.once('exit', () => {
        this.#broke('the thread that uses it has ended');
        done();
      });
    });
  }

  ask(asked: Ask): Promise<readonly AuditEvent[]> {
    const outcome = Promise.withResolvers<readonly AuditEvent[]>();
    this.#waiting.push(outcome);
    this.#worker.postMessage(asked);
    return outcome.promise;
  }

  /** Resolves when everything that was asked for is answered and the file is free. */
  close(): Promise<void> {
    this.#worker.postMessage({ kind: 'close' } satisfies Ask);
    return this.#ended;
  }

  #answered(answer: Answer): void {
    const outcome = this.#waiting.shift();
    if (answer.kind === 'done') outcome?.resolve(answer.events);
    else outcome?.reject(new PlatformError(answer.failure.code, answer.failure.message));
  }

  #broke(why: string): void {
    this.isAlive = false;
    const error = new PlatformError('Internal', `using ${this.#path}: ${why}`);
    for (const outcome of this.#waiting.splice(0)) outcome.reject(error);
  }
}
