/**
 * A typed client of the HTTP API, for the console and for programs. It uses nothing of Node: what it needs is `fetch`.
 *
 * - `api-client.ts`: one method per route, with the types of the contract (`../server/contract`). Start there.
 * - `follow-changes.ts` reads the stream of changes.
 * - `api-error.ts` is what a refusal rejects with.
 */
export * from './api-client.ts';
export * from './api-error.ts';
export * from './follow-changes.ts';
