/** One call to the AWX REST API, with all that it takes to make it. */
export interface AwxRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Where AWX is, without a slash at its end. */
  readonly apiURL: string;
  readonly token: string;
  /** With a slash at its end, as AWX wants it: `/api/v2/jobs/7/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What came back, as it was. Failures are answers too. */
export interface AwxResponse {
  readonly code: number;
  readonly text: string;
}

/** Sends a request to AWX. A promise that rejects means that it is unknown whether AWX acted; every answer resolves. */
export type AwxSend = (request: AwxRequest, signal?: AbortSignal) => Promise<AwxResponse>;
