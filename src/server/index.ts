/**
 * The HTTP front of the process: one Fastify instance, built in one place, that serves what is given to it as plugins.
 *
 * - `startHttpServer` (http-server.ts) builds the instance and listens. It answers what no route answers, and what fails.
 * - `healthRoutes` and `metricsRoutes` are plugins; the gateway brings its own for signals (`../gateway/signal-routes.ts`).
 * - `health.ts` is what the health endpoints say, without HTTP.
 *
 * The embedded API server (`../apiserver`) has an HTTP front of its own: kubectl expects another one. Start with http-server.ts.
 */
export { ping, type HealthChecks } from './health.ts';
export { healthRoutes } from './health-routes.ts';
export { startHttpServer, type HttpServer } from './http-server.ts';
export { metricsRoutes } from './metrics-routes.ts';
