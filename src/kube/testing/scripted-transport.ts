import type { Status } from '../../api/meta.ts';
import { BatchQueue } from '../http/batch-queue.ts';
import type { ApiRequest, ApiResponse, Transport, WatchLine, WatchStream } from '../client/transport.ts';

type Script<Answer> = (request: ApiRequest) => Answer | Promise<Answer>;

/** Answers as told and remembers what it was asked. */
export class ScriptedTransport implements Transport {
  readonly requests: ApiRequest[] = [];
  readonly watches: ScriptedWatch[] = [];
  /** Answers requests; may throw. */
  answer: Script<ApiResponse> = () => failure(404, 'NotFound');
  /** Answers watches that are to be refused; may throw. */
  refuseWatch: Script<ApiResponse | undefined> = () => undefined;

  async request(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    return this.answer(request);
  }

  async watch(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse | WatchStream> {
    const refusal = await this.refuseWatch(request);
    const watch = new ScriptedWatch(request, signal);
    this.watches.push(watch);
    if (refusal) return refusal;
    if (signal.aborted) watch.end();
    signal.addEventListener('abort', () => watch.end());
    return watch;
  }

  /** The watch that was started last. */
  get lastWatch(): ScriptedWatch {
    const watch = this.watches.at(-1);
    if (!watch) throw new Error('no watch was started');
    return watch;
  }
}

/** A watch whose lines the test sends. */
export class ScriptedWatch implements WatchStream {
  readonly code = 200;
  readonly request: ApiRequest;
  /** What the watcher would hang up with. */
  readonly signal: AbortSignal;
  readonly lines: BatchQueue<readonly WatchLine[]>;
  open = true;

  constructor(request: ApiRequest, signal: AbortSignal) {
    this.request = request;
    this.signal = signal;
    this.lines = new BatchQueue({ pause: () => undefined, resume: () => undefined, stop: () => void (this.open = false) });
  }

  send(...lines: readonly WatchLine[]): void {
    this.lines.push(lines);
  }

  end(error?: Error): void {
    this.open = false;
    this.lines.end(error);
  }
}

/** A Status as an answer. */
export function failure(code: number, reason: string, rest: Partial<ApiResponse> = {}): ApiResponse {
  const body: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message: `${reason} (scripted)`, code };
  return { code, body, ...rest };
}

/** A Status as the last line of a watch. */
export const errorLine = (code: number, reason: string): WatchLine => ({
  type: 'ERROR',
  object: failure(code, reason).body as WatchLine['object'],
});
