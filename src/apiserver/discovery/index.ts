/**
 * What the server publishes about itself: its groups, versions and resources, and what can be done with them.
 *
 * - Start at `documents.ts`: every path that is no resource, rebuilt when the served kinds change.
 * - `groups.ts` sorts kinds into groups and versions; `resource-entry.ts` says what can be done with one.
 * - There are two forms: `aggregated.ts` is one document, which kubectl requests since 1.26, and `resource-lists.ts` is one list per version.
 * - OpenAPI documents come from `../openapi`.
 */
export { Documents } from './documents.ts';
