/**
 * The embedded Kubernetes API server. This room holds its core: everything between a request and the storage.
 *
 * - Start at `memory-api.ts`: `createMemoryApi` wires the rest and is a `Transport` for the client.
 * - `handle.ts` sends a request to its verb in `routes/`; `watch/` streams; refusals are `status-errors.ts`.
 * - `kinds/` says what is served: built-in kinds from a table, the others from CustomResourceDefinitions.
 * - `schema/` prunes, defaults and validates custom objects; `metadata/` does it for what all objects share.
 * - `store/` holds tables with their history behind one version counter; `storage/` is what outlives the process.
 * - `http/` serves it over a socket: `serveApi`, and `kubeconfigText` for its clients; `protobuf/` reads what Go clients send.
 * - `discovery/` and `openapi/` describe what is served, `tables/` formats it as `kubectl get` shows it.
 * - Requests over a network pass `gate.ts`: `authentication/` finds the user, `authorization/` the user's rights, by RBAC,
 *   and `admission/` checks what RBAC cannot express; `reviews/` answers SubjectAccessReviews and the like.
 * - `garbage/` does what a cluster's controllers would do: garbage collection of dependents, and deletion of what namespaces and CRDs contain.
 *
 * Time and chance come only from the Clock and Random that are passed in.
 * No kind of ours is known here: rules and roles about them are passed in as `Rights`.
 */
export type { AdmissionRule } from './admission/admission.ts';
export { newSigningKey } from './authentication/jwt.ts';
export type { StaticToken } from './authentication/static-tokens.ts';
export { ADMIN, type User } from './authentication/user.ts';
export type { ApiGate } from './gate.ts';
export type { GarbageStep } from './garbage/garbage-collector.ts';
export * from './http/index.ts';
export { createMemoryApi, type MemoryApi, type MemoryApiOptions, type Rights } from './memory-api.ts';
export { SchemaLibrary } from './schema/schema-library.ts';
export { memoryStorage } from './storage/memory-storage.ts';
export { openSqliteStorage, type SqliteOptions, type SqliteStorage } from './storage/sqlite-storage.ts';
export type { Snapshot, Storage, StorageWrite } from './storage/storage.ts';
export type { ContainerLog, LogLine, LogsOf, PodKey } from './routes/log.ts';
