import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import { SECOND } from '../../base/index.ts';
import type { HttpConfig, HttpLimits, Identity } from './http-config.ts';

/** The open connections of one identity. */
export interface Connections {
  readonly origin: string;
  readonly cert: Identity['cert'];
  readonly key: Identity['key'];
  readonly calls: Dispatcher;
  /** Apart, since each watch holds a connection for minutes and must not take one from the calls. */
  readonly watches: Dispatcher;
}

const DEFAULT_LIMITS: Required<HttpLimits> = {
  connections: 32,
  connectMs: 10 * SECOND,
  answerMs: 65 * SECOND,
  bodyMs: 60 * SECOND,
  watchIdleMs: 150 * SECOND,
};

/** Below the 90 s after which the API server closes an idle connection: a write must not race with that. */
const KEEP_ALIVE_MS = 30 * SECOND;

export function openConnections(config: HttpConfig, identity: Identity): Connections {
  const { origin } = new URL(config.server);
  const limits = { ...DEFAULT_LIMITS, ...config.limits };
  return {
    origin,
    cert: identity.cert,
    key: identity.key,
    calls: dispatcher(config, identity, { connections: limits.connections, headersTimeout: limits.answerMs, bodyTimeout: limits.bodyMs }),
    watches: dispatcher(config, identity, { headersTimeout: limits.answerMs, bodyTimeout: limits.watchIdleMs }),
  };
}

/** Lets what is under way finish, watches included, and opens nothing new. */
export async function closeConnections(connections: Connections): Promise<void> {
  await Promise.all([connections.calls.close(), connections.watches.close()]);
}

/** Ends everything at once; what is under way rejects. */
export async function destroyConnections(connections: Connections): Promise<void> {
  await Promise.all([connections.calls.destroy(), connections.watches.destroy()]);
}

function dispatcher(config: HttpConfig, identity: Identity, pool: Pool.Options): Dispatcher {
  const tls = tlsOptions(config, identity);
  // HTTP/1.1 over several connections: no dearer than one of HTTP/2, and a lost connection takes one call with it, not all.
  const options: Pool.Options = { ...pool, allowH2: false, keepAliveTimeout: KEEP_ALIVE_MS };
  if (config.proxyUrl !== undefined) return new ProxyAgent({ ...options, uri: config.proxyUrl, proxyTunnel: true, requestTls: tls });
  const timeout = config.limits?.connectMs ?? DEFAULT_LIMITS.connectMs;
  return new Pool(new URL(config.server).origin, { ...options, connect: { ...tls, timeout, keepAliveInitialDelay: KEEP_ALIVE_MS } });
}

const tlsOptions = (config: HttpConfig, identity: Identity): Record<string, unknown> => ({
  ...(config.ca === undefined ? {} : { ca: config.ca }),
  ...(identity.cert === undefined ? {} : { cert: identity.cert }),
  ...(identity.key === undefined ? {} : { key: identity.key }),
  ...(config.serverName === undefined ? {} : { servername: config.serverName }),
  ...(config.insecure ? { rejectUnauthorized: false } : {}),
});
