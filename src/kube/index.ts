/**
 * Everything that speaks Kubernetes: from bytes on a connection to a local copy of the objects we follow.
 *
 * - `Transport` (transport.ts) is one API server, below kinds: `httpTransport` over HTTPS, the embedded server in process.
 *   `loadConfig` finds out where a real one is and who we are.
 * - `KubeClient` (client.ts) is typed access to any kind over any transport: `createClient`. Failures are in errors.ts.
 * - `Cache` (cache.ts) follows kinds: `createCache`. One `Reflector` per kind lists and watches into an `ObjectStore`;
 *   `OwnWrites` knows what we have written and the watch has not shown yet, `Doubts` when it seems that it never will.
 *   Writers use the cache's own client.
 * - `ownerChain` walks from an object to what manages it.
 * - `createEventRecorder`, `setCondition` and `ownerReference` write what people and other controllers read.
 * - `selectors/` reads and matches label and field selectors.
 *
 * Start with client.ts and cache.ts, then reflector.ts and own-writes.ts.
 */
export { createClient } from './client/api-client.ts';
export { ask, askList } from './client/read-live.ts';
export type * from './cache/cache.ts';
export type * from './client/client.ts';
export * from './objects/conditions.ts';
export { createCache } from './cache/create-cache.ts';
export * from './client/errors.ts';
export { createEventRecorder, type EventRecorder } from './objects/events.ts';
export { bearer, type HttpConfig } from './http/http-config.ts';
export { httpTransport, type HttpTransport } from './http/http-transport.ts';
export { loadConfig } from './identity/load-config.ts';
export { ownerChain, type Fetch } from './objects/owner-chain.ts';
export * from './objects/owner-references.ts';
export type * from './client/read.ts';
export { objectPath } from './client/resource-path.ts';
export * from './selectors/index.ts';
export type * from './client/transport.ts';
