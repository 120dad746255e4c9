import type { FastifyPluginCallback } from 'fastify';

/** What a Prometheus scrapes: a text with its content type, as prom-client's Registry has it. */
export interface MetricsPage {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** `/metrics`. */
export const metricsRoutes =
  (page: MetricsPage): FastifyPluginCallback =>
  (app, _options, done) => {
    app.get('/metrics', async (_request, reply) => {
      reply.type(page.contentType);
      return page.metrics();
    });
    done();
  };
