/**
 * The HTTP front of the process: one Fastify instance, built in one place, that serves what is given to it as plugins.
 *
 * - `startHttpServer` (http-server.ts) builds the instance and listens. It answers what no route answers, and what fails.
 * - `healthRoutes` and `metricsRoutes` are plugins; the gateway brings its own for signals (`../gateway/signal-routes.ts`).
 * - `health.ts` is what the health endpoints say, without HTTP.
 * - `contract/` is what the API for people and pages takes and answers; types, checks and `/openapi.json` follow from it.
 * - `api/` serves it: `api-routes.ts` turns a request into a call of a handler; `create-api.ts` puts them together from `handlers/`. `views/`
 *   makes what they answer from objects, without I/O.
 * - It knows no controller: what needs one (explain, decide, settings) comes in as `PeopleActions` (`handlers/people-actions.ts`).
 * - `changes/` sends live changes to every client that follows them.
 * - `access/` finds out who sends a request and what that user may do: by a session (`link-sessions.ts`) or a token (`token-callers.ts`).
 * - `pages/` serves the built console.
 *
 * The embedded API server (`../apiserver`) has an HTTP front of its own: kubectl expects another one. Start with http-server.ts.
 */
export { AccessReviews } from './access/access-reviews.ts';
export type { Caller } from './access/caller.ts';
export { linkRoutes } from './access/link-routes.ts';
export { LinkSessions, type OpenSessions } from './access/link-sessions.ts';
export { TokenCallers } from './access/token-callers.ts';
export { createApi } from './api/create-api.ts';
export type { ApiParts, ApiStores } from './handlers/api-parts.ts';
export { apiStores } from './handlers/api-stores.ts';
export type { Explained, PeopleActions } from './handlers/people-actions.ts';
export { openApiRoutes } from './api/openapi-routes.ts';
export type { RemediationMetrics, SettingsView, Summary } from './contract/index.ts';
export { answerHealth, ping, type HealthChecks } from './health.ts';
export { healthRoutes } from './health-routes.ts';
export { startHttpServer, type ServerTls } from './http-server.ts';
export { metricsRoutes } from './metrics-routes.ts';
export { ConsolePages } from './pages/console-pages.ts';
