/**
 * What the server tells about itself: which groups, versions and resources there are and what can be done with them.
 *
 * - Start at `documents.ts`: every path that is no resource, made anew when the kinds that are served change.
 * - `groups.ts` sorts kinds into groups and versions; `resource-entry.ts` says what can be done with one.
 * - The same is told in two forms: `aggregated.ts` in one document, as kubectl asks since 1.26, and `resource-lists.ts` bit by bit.
 * - OpenAPI documents come from `../openapi`.
 */
export { Documents } from './documents.ts';
