/**
 * The embedded Kubernetes API server. This room holds its core: everything between a request and the storage.
 *
 * - Start at `memory-api.ts`: `createMemoryApi` wires the rest and is a `Transport` for the client.
 * - `handle.ts` sends a request to its verb in `routes/`; `watch/` streams; refusals are `status-errors.ts`.
 * - `kinds/` says what is served: built-in kinds from a table, the others from CustomResourceDefinitions.
 * - `schema/` prunes, defaults and validates custom objects; `metadata/` does it for what all objects share.
 * - `store/` holds tables with their history behind one version counter; `storage/` is what outlives the process.
 * - `http/` puts it behind a socket: `serveApi`, and `kubeconfigText` for whoever is to use it; `protobuf/` reads what Go clients send.
 * - `discovery/` and `openapi/` tell what is served, `tables/` shows it as `kubectl get` does.
 * - Who asks over a network comes through `gate.ts`: `authentication/` says who it is, `authorization/` what they may, by RBAC,
 *   and `admission/` looks at what a right alone does not tell; `reviews/` answers questions about all three.
 * - `garbage/` is what a cluster's controllers would do: owner references, namespaces and CRDs on their way out.
 *
 * Nothing here asks for time or chance but through the Clock and Random that were handed in.
 */
export { newSigningKey } from './authentication/jwt.ts';
export type { StaticToken } from './authentication/static-tokens.ts';
export { ADMIN, type User } from './authentication/user.ts';
export type { Gate } from './gate.ts';
export type { GarbageStep } from './garbage/garbage-collector.ts';
export * from './http/index.ts';
export { createMemoryApi, type MemoryApi, type MemoryApiOptions, type Rights } from './memory-api.ts';
export { SchemaLibrary } from './schema/schema-library.ts';
export { memoryStorage } from './storage/memory-storage.ts';
export { openSqliteStorage, type SqliteOptions, type SqliteStorage } from './storage/sqlite-storage.ts';
export type { Snapshot, Storage, Write } from './storage/storage.ts';
export type { ContainerLog, LogLine, LogsOf, PodKey } from './routes/log.ts';
