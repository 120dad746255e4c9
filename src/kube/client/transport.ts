import type { KubeObject } from '../../api/meta.ts';

/** One call to the Kubernetes API, below the level of kinds. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Decoded segments joined by `/`, e.g. `/apis/kubernaut.ai/v1alpha1/namespaces/sickbay/remediationrequests/rr-1/status`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Only for PATCH; bodies are JSON otherwise. */
  readonly contentType?: PatchContentType;
  /** The form that answers should have; whole objects when absent. */
  readonly accept?: AnswerForm;
  /** A JSON value. Its receiver must not change it. */
  readonly body?: unknown;
  /** Set when the text of the body had fields more than once, which its value cannot show. */
  readonly repeats?: BodyRepeats;
}

/** Fields that a body has more than once, as the server tells of them: one by one, and all in one. */
export interface BodyRepeats {
  readonly warnings: readonly string[];
  readonly summary: string;
}

/**
 * - `metadata`: objects come as PartialObjectMetadata; only for get, list and watch.
 * - `table`: objects come as rows of a Table, for people.
 * - `text`: not JSON but a text, as it is; only for logs.
 * - the others: all groups and their resources in one document, in one of its versions; only for `/api` and `/apis`.
 */
export type AnswerForm = 'metadata' | 'table' | 'text' | 'discovery/v2' | 'discovery/v2beta1';

export type PatchContentType = 'application/json-patch+json' | 'application/merge-patch+json' | 'application/strategic-merge-patch+json';

/** The answer. Failures are answers too: `body` is then a metav1.Status. */
export interface ApiResponse {
  readonly code: number;
  /** A JSON value. In process it is shared and frozen. With a media type of its own it is a text, or texts as they come. */
  readonly body: unknown;
  /** The media type of the body where it is not plain JSON. */
  readonly mediaType?: string;
  /** Warnings the server attached (299 headers). */
  readonly warnings?: readonly string[];
  /** From the Retry-After header, in seconds. */
  readonly retryAfterSeconds?: number;
}

/** One line of a watch. An ERROR carries a metav1.Status and is the last line. */
export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

/**
 * What a client needs of an API server; undici over HTTPS, the embedded server in process, or either behind injected faults.
 * A promise that rejects means that it is unknown whether the server acted; every answer of the server resolves.
 */
export interface Transport {
  request(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse>;
  /**
   * Starts a watch. Resolves once the server accepted it. An answer with another code than 200 is returned as such.
   * Lines come in order, in batches of what was there at once; the iteration ends when the server or the signal ends it.
   */
  watch(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse | WatchStream>;
}

export interface WatchStream {
  readonly code: 200;
  readonly lines: AsyncIterable<readonly WatchLine[]>;
}
