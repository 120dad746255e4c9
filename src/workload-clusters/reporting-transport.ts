import type { Status } from '../api/meta.ts';
import { hasCode, messageOf } from '../base/index.ts';
import { statusOf } from '../kube/client/response-status.ts';
import { ApiError } from '../kube/client/errors.ts';
import type { ApiRequest, ApiResponse, Transport, WatchLine, WatchStream } from '../kube/client/transport.ts';

/** Receives the result of every list and watch. */
export interface TransportObserver {
  /** A watch runs: from here on every change is delivered. */
  watching(): void;
  /** A request failed: from here on changes may be missed. */
  failed(why: string): void;
}

/** A transport that reports the result of every list and watch. An aborted request is not a failure. */
export const reportingTransport = (transport: Transport, observer: TransportObserver): Transport => {
  const watches = new WatchObserver(observer);
  const noted = async <A extends ApiResponse | WatchStream>(answer: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
    try {
      const given = await answer;
      if (given.code >= 400) observer.failed(refusalIn(statusOf(given as ApiResponse)));
      return given;
    } catch (error) {
      if (signal?.aborted !== true) observer.failed(reasonOf(error));
      throw error;
    }
  };
  return {
    request: (request: ApiRequest, signal) => noted(transport.request(request, signal), signal),
    async watch(request: ApiRequest, signal) {
      const answer = await noted(transport.watch(request, signal), signal);
      if (!('lines' in answer)) return answer;
      watches.taken();
      return { code: 200, lines: watches.followed(answer.lines, signal) };
    },
  };
};

/**
 * The history of consecutive watches. A server may accept each of them and fail it in its stream: after such a failure, that the
 * next is accepted proves nothing: it has to deliver something, or end normally.
 */
class WatchObserver {
  readonly #observer: TransportObserver;
  #isDoubted = false;

  constructor(observer: TransportObserver) {
    this.#observer = observer;
  }

  taken(): void {
    if (!this.#isDoubted) this.#observer.watching();
  }

  async *followed(lines: WatchStream['lines'], signal: AbortSignal): AsyncIterable<readonly WatchLine[]> {
    let refusal: WatchLine | undefined;
    try {
      for await (const batch of lines) {
        refusal = batch.find(({ type }) => type === 'ERROR');
        if (refusal) this.#refused(statusOf({ code: 500, body: refusal.object }));
        yield batch;
        // Only after the batch was processed: a listener that is notified reads at once.
        if (!refusal) this.#proven();
      }
    } catch (error) {
      if (!signal.aborted) this.#observer.failed(reasonOf(error));
      throw error;
    }
    if (!refusal && !signal.aborted) this.#proven();
  }

  #refused(status: Status): void {
    // After an expired resourceVersion the cache lists again, so that the next watch counts like the first one.
    if (!hasCode(new ApiError(status), 'Gone')) this.#isDoubted = true;
    this.#observer.failed(refusalIn(status));
  }

  #proven(): void {
    if (!this.#isDoubted) return;
    this.#isDoubted = false;
    this.#observer.watching();
  }
}

const refusalIn = ({ code, message = 'no reason given' }: Status): string => `the server answered ${code}: ${message}`;

/** The combined error of several addresses has no message of its own. */
export function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return messageOf(error) || (first === undefined ? '' : messageOf(first)) || 'no reason given';
}
