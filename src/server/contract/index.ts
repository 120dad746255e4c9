/**
 * What the HTTP API takes and answers, as TypeBox schemas: types, checks and the OpenAPI document come from them. Nothing here runs on a
 * server only, so `../../client` and the console take their types from it.
 *
 * - `routes.ts` lists every route with its schemas. Start there.
 * - `remediations.ts` is the row of a list, `remediation.ts` one remediation whole; the other files are named after what they describe.
 */
export type * from './approvals.ts';
export type * from './audit.ts';
export type * from './audit-verification.ts';
export type * from './changes.ts';
export type * from './evidence-of-remediation.ts';
export type * from './machines.ts';
export type * from './overview.ts';
export type * from './parts.ts';
export type * from './remediation.ts';
export type * from './remediations.ts';
export { routes, type Access, type RouteContract, type RouteId, type Routes } from './routes.ts';
export type * from './signals.ts';
export type * from './workflows.ts';
