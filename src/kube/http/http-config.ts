/** Where an API server is and who we are to it. */
export interface HttpConfig {
  /** Its address; a path in it is put before every request's own. */
  readonly server: string;
  /** PEM of the authorities that may have signed its certificate; the machine's own when absent. */
  readonly ca?: string | Buffer;
  /** The name its certificate must carry, when that is not the host in `server`. */
  readonly serverName?: string;
  /** Takes any certificate: only for those who ask for it by name. */
  readonly insecure?: boolean;
  readonly proxyUrl?: string;
  /** Anonymous when absent. */
  readonly identity?: Identity | IdentitySource;
  readonly limits?: HttpLimits;
  readonly userAgent?: string;
}

/** Who we are: headers (`authorization`), a client certificate, or both. */
export interface Identity {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

/**
 * Asked before every request, so it must cost nothing while nothing changed, and must then return the same object.
 * `refused` says that the server answered 401 to the last one.
 */
export type IdentitySource = (refused: boolean) => Identity | Promise<Identity>;

/** Limits of connections and timeouts; each has a default. */
export interface HttpLimits {
  /** Connections for calls, beside one per watch. */
  readonly connections?: number;
  readonly connectMs?: number;
  /** From the request to the first byte of its answer. The API server itself gives up after a minute. */
  readonly answerMs?: number;
  /** Between two pieces of an answer. */
  readonly bodyMs?: number;
  /** Between two pieces of a watch: bookmarks come about once a minute, so a longer silence is a dead connection. */
  readonly watchIdleMs?: number;
}

/** A bearer token that never changes. */
export const bearer = (token: string): Identity => ({ headers: { authorization: `Bearer ${token}` } });
