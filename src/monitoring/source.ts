/** One question to a server. */
export interface SourceRequest {
  readonly path: string;
  /** In the order in which it is written; a name may come again. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** The server's answer, of any status code. */
export interface SourceAnswer {
  readonly code: number;
  readonly text: string;
}

/** A server that is only read. Rejects where there is no answer; ends early when the signal aborts. */
export interface Source {
  get(request: SourceRequest, signal: AbortSignal): Promise<SourceAnswer>;
}

/** No answer that we ask for is near this: what is larger is not read to its end. */
export const LARGEST_ANSWER = 10 * 1024 * 1024;
