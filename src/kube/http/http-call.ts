import type { Dispatcher } from 'undici';
import { messageOf, PlatformError } from '../../base/index.ts';
import type { ApiResponse } from '../client/transport.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Where an answer goes. */
export interface Caller<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Collects one answer. Below undici's `request`, because its stream per answer is most of what that costs. */
export class HttpCall<Answer = never> implements Dispatcher.DispatchHandler {
  protected readonly caller: Caller<ApiResponse | Answer>;
  readonly #signal: AbortSignal | undefined;
  readonly #chunks: Buffer[] = [];
  readonly #form: 'json' | 'text';
  #controller: Dispatcher.DispatchController | undefined;
  #code = 0;
  #headers: Headers = {};

  constructor(caller: Caller<ApiResponse | Answer>, signal: AbortSignal | undefined, form: 'json' | 'text' = 'json') {
    this.caller = caller;
    this.#signal = signal;
    this.#form = form;
    signal?.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted) this.#abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, code: number, headers: Headers): void {
    this.#code = code;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.release();
    try {
      this.caller.resolve(this.#answer());
    } catch (error) {
      this.caller.reject(error as Error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.release();
    this.caller.reject(error);
  }

  /** The caller asked for the end. */
  protected get aborted(): boolean {
    return this.#signal?.aborted === true;
  }

  protected release(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  /** A request still in the queue has no controller yet: its caller is told at once, and it ends when its turn comes. */
  readonly #abort = (): void => {
    const reason = abortReason(this.#signal);
    if (this.#controller) this.#controller.abort(reason);
    else this.caller.reject(reason);
  };

  #answer(): ApiResponse {
    const [first] = this.#chunks;
    const text = this.#chunks.length === 1 && first ? first.toString() : Buffer.concat(this.#chunks).toString();
    const warnings = warningsIn(this.#headers['warning']);
    const wait = Number(this.#headers['retry-after'] ?? Number.NaN);
    return {
      code: this.#code,
      ...(this.#form === 'text' && this.#code < 400 ? { body: text, mediaType: 'text/plain' } : { body: bodyIn(text, this.#code) }),
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(Number.isFinite(wait) ? { retryAfterSeconds: wait } : {}),
    };
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new PlatformError('Unavailable', `aborted: ${messageOf(reason)}`);
}

/** A failure may come from a proxy, as a page; but success that cannot be read is a lost reply. */
function bodyIn(text: string, code: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (code >= 400) return text;
    throw new PlatformError('Unavailable', `the answer (${code}) is not JSON: ${JSON.stringify(text.slice(0, 200))}`, { cause: error });
  }
}

/** Texts of `299 agent "text"` headers. They are UTF-8, but headers are handed over byte by byte. */
function warningsIn(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  const lines = (Array.isArray(header) ? header : [header]).map((line) => Buffer.from(line, 'latin1').toString());
  return lines.flatMap((line) =>
    [...line.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => (text ?? '').replaceAll(/\\(.)/g, '$1')),
  );
}
