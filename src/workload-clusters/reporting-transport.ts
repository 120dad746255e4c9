import type { Status } from '../api/meta.ts';
import { hasCode, messageOf } from '../base/index.ts';
import { statusOf } from '../kube/client/response-status.ts';
import { ApiError } from '../kube/client/errors.ts';
import type { ApiRequest, ApiResponse, Transport, WatchLine, WatchStream } from '../kube/client/transport.ts';

/** Who is told how it goes. */
export interface Notes {
  /** A watch runs: from here on every change is shown. */
  watching(): void;
  /** Something did not work: from here on changes may go unseen. */
  failed(why: string): void;
}

/** A transport that says of every list and watch how it went. What ends because it was told to is no failure. */
export const notingTransport = (transport: Transport, notes: Notes): Transport => {
  const watches = new WatchNotes(notes);
  const noted = async <A extends ApiResponse | WatchStream>(answer: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
    try {
      const given = await answer;
      if (given.code >= 400) notes.failed(refusalIn(statusOf(given as ApiResponse)));
      return given;
    } catch (error) {
      if (signal?.aborted !== true) notes.failed(reasonOf(error));
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
 * How one watch after the other goes. A server may take each of them and say in its stream that it cannot: after such a one, that the next is
 * taken proves nothing, and it has to show something or come to its end.
 */
class WatchNotes {
  readonly #notes: Notes;
  #isDoubted = false;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  taken(): void {
    if (!this.#isDoubted) this.#notes.watching();
  }

  async *followed(lines: WatchStream['lines'], signal: AbortSignal): AsyncIterable<readonly WatchLine[]> {
    let refusal: WatchLine | undefined;
    try {
      for await (const batch of lines) {
        refusal = batch.find(({ type }) => type === 'ERROR');
        if (refusal) this.#refused(statusOf({ code: 500, body: refusal.object }));
        yield batch;
        // Not before it was taken in: who is told that all can be seen looks at once.
        if (!refusal) this.#proven();
      }
    } catch (error) {
      if (!signal.aborted) this.#notes.failed(reasonOf(error));
      throw error;
    }
    if (!refusal && !signal.aborted) this.#proven();
  }

  #refused(status: Status): void {
    // What it has forgotten is listed before the next watch, which is then as good as the first.
    if (!hasCode(new ApiError(status), 'Gone')) this.#isDoubted = true;
    this.#notes.failed(refusalIn(status));
  }

  #proven(): void {
    if (!this.#isDoubted) return;
    this.#isDoubted = false;
    this.#notes.watching();
  }
}

const refusalIn = ({ code, message = 'no reason given' }: Status): string => `the server answered ${code}: ${message}`;

/** Where a name has several addresses, the error of all of them has no text of its own. */
export function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return messageOf(error) || (first === undefined ? '' : messageOf(first)) || 'no reason given';
}
