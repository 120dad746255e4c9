import type { KubeObject } from '../api/meta.ts';

/** One call to the Kubernetes API, below the level of kinds. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Decoded segments joined by `/`, e.g. `/apis/kubernaut.ai/v1alpha1/namespaces/sickbay/remediationrequests/rr-1/status`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Only for PATCH; bodies are JSON otherwise. */
  readonly contentType?: PatchContentType;
  /** Asks for metadata only: objects come as PartialObjectMetadata. Only for get, list and watch. */
  readonly accept?: 'metadata';
  /** A JSON value. Whoever receives it must not change it. */
  readonly body?: unknown;
}

export type PatchContentType = 'application/json-patch+json' | 'application/merge-patch+json' | 'application/strategic-merge-patch+json';

/** The answer. Failures are answers too: `body` is then a metav1.Status. */
export interface ApiResponse {
  readonly code: number;
  /** A JSON value. In process it is shared and frozen. */
  readonly body: unknown;
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
 * A promise that rejects means nobody knows whether the server acted; every answer of the server resolves.
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
