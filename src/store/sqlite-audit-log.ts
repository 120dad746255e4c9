import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, moduleBeside, PlatformError } from '../base/index.ts';
import type { TrailFiles } from './audit-adoption.ts';
import type { AuditLog } from './audit-log.ts';
import { keyPathOf } from './chain/key-file.ts';
import type { ChainedTrail } from './chain/chained-trail.ts';
import type { Answer, Answers, Ask } from './sqlite-audit-worker.ts';

export interface AuditFileOptions {
  /** The file of the keys; beside the trail, and made with it, when absent. */
  readonly keys?: string;
}

/**
 * A trail in a file, which is made when it is not there. A thread of its own commits, so that no caller waits for a disk; another one
 * verifies, so that events do not wait for that. A problem with the file shows in each answer and is not final: the next call may find it fixed.
 */
export function openAuditLog(path: string, { keys }: AuditFileOptions = {}): AuditLog & ChainedTrail {
  const files: TrailFiles = { path: resolve(path), keys: resolve(keys ?? keyPathOf(path)) };
  let thread: AuditThread | undefined;
  let verifier: AuditThread | undefined;
  let closed: Promise<unknown> | undefined;
  const demandOpen = (): void => {
    if (closed) throw new PlatformError('Unavailable', `using ${files.path}: it was closed`, { retry: 'never' });
  };
  const ask = async <K extends Ask['kind']>(asked: Extract<Ask, { kind: K }>): Promise<Answers[K]> => {
    demandOpen();
    if (!thread?.isAlive) thread = new AuditThread(files);
    return thread.ask<K>(asked);
  };
  return {
    append: (events) => ask<'append'>({ kind: 'append', events }),
    find: (query) => ask<'find'>({ kind: 'find', query }),
    end: () => ask<'end'>({ kind: 'end' }),
    async verify(checkpoints, signal) {
      // The file and its chain are made first, where they are not there.
      await ask<'end'>({ kind: 'end' });
      demandOpen();
      signal?.throwIfAborted();
      if (!verifier?.isAlive) verifier = new AuditThread(files);
      return endedBy(signal, verifier, verifier.ask<'verify'>({ kind: 'verify', checkpoints }));
    },
    close: async () => void (await (closed ??= Promise.all([thread?.close(), verifier?.end()]))),
  };
}

/** A thread that only reads may be ended in the middle of its work. */
async function endedBy<T>(signal: AbortSignal | undefined, thread: AuditThread, answer: Promise<T>): Promise<T> {
  const end = (): void => void thread.end();
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await answer;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** The thread as this side sees it: questions, and their answers in the same order. */
class AuditThread {
  readonly #worker: Worker;
  readonly #path: string;
  readonly #waiting: PromiseWithResolvers<unknown>[] = [];
  readonly #ended: Promise<void>;
  isAlive = true;

  constructor(files: TrailFiles) {
    this.#path = files.path;
    this.#worker = new Worker(moduleBeside('./sqlite-audit-worker', import.meta.url), { workerData: files });
    this.#worker.on('message', (answer: Answer) => this.#answered(answer));
    this.#worker.once('error', (error) => this.#broke(messageOf(error)));
    this.#ended = new Promise((done) => {
      this.#worker.once('exit', () => {
        this.#broke('the thread that uses it has ended');
        done();
      });
    });
  }

  ask<K extends Ask['kind']>(asked: Extract<Ask, { kind: K }>): Promise<Answers[K]> {
    const outcome = Promise.withResolvers<unknown>();
    this.#waiting.push(outcome);
    this.#worker.postMessage(asked);
    return outcome.promise as Promise<Answers[K]>;
  }

  /** Resolves when everything that was asked for is answered and the file is free. */
  close(): Promise<void> {
    this.#worker.postMessage({ kind: 'close' } satisfies Ask);
    return this.#ended;
  }

  /** At once: what it was asked for is refused. */
  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended;
  }

  #answered(answer: Answer): void {
    const outcome = this.#waiting.shift();
    if (answer.kind === 'done') outcome?.resolve(answer.result);
    else outcome?.reject(new PlatformError(answer.failure.code, answer.failure.message));
  }

  #broke(why: string): void {
    this.isAlive = false;
    const error = new PlatformError('Internal', `using ${this.#path}: ${why}`);
    for (const outcome of this.#waiting.splice(0)) outcome.reject(error);
  }
}
