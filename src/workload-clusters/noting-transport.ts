import { messageOf } from '../base/index.ts';
import { statusOf } from '../kube/answer.ts';
import type { ApiRequest, ApiResponse, Transport, WatchLine, WatchStream } from '../kube/transport.ts';

/** Who is told how it goes. */
export interface Notes {
  /** A watch was accepted: from here on every change is shown. */
  watching(): void;
  /** Something did not work: from here on changes may go unseen. */
  failed(why: string): void;
}

/** A transport that says of every list and watch how it went. What ends because it was told to is no failure. */
export const notingTransport = (transport: Transport, notes: Notes): Transport => {
  const noted = async <A extends ApiResponse | WatchStream>(answer: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
    try {
      const given = await answer;
      if (given.code >= 400) notes.failed(refusalIn(given as ApiResponse));
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
      notes.watching();
      return { code: 200, lines: followed(answer.lines, notes, signal) };
    },
  };
};

async function* followed(lines: WatchStream['lines'], notes: Notes, signal: AbortSignal): AsyncIterable<readonly WatchLine[]> {
  try {
    yield* lines;
  } catch (error) {
    if (!signal.aborted) notes.failed(reasonOf(error));
    throw error;
  }
}

const refusalIn = (answer: ApiResponse): string => `the server answered ${answer.code}: ${statusOf(answer).message ?? 'no reason given'}`;

/** Where a name has several addresses, the error of all of them has no text of its own. */
export function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return messageOf(error) || (first === undefined ? '' : messageOf(first)) || 'no reason given';
}
