import type { KubeClient } from '../../kube/client/client.ts';

/** Who sends a request. */
export interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
  /** `link`: by the link that the start prints; `token`: by a bearer token. */
  readonly via: 'link' | 'token';
  /** Whether this user has a right; answers are kept for a minute. */
  may(right: Right): Promise<boolean>;
  /** Works on the Kubernetes API with the rights of this user, and no others. */
  as<T>(work: (client: KubeClient) => Promise<T>): Promise<T>;
}

/** What a user may be allowed to do. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Finds out who sends a request. */
export interface Callers {
  /** Undefined: the request does not say who sends it, or not validly. */
  callerOf(request: CallerHints): Promise<Caller | undefined> | Caller | undefined;
}

/** What of a request tells who sends it. */
export interface CallerHints {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
