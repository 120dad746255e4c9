import type { FastifyPluginCallback } from 'fastify';
import { lazy } from '../../base/index.ts';
import { openApiDocument } from './openapi.ts';

/** `/openapi.json`: what the API is, without credentials: it holds nothing about this cluster. */
export const openApiRoutes =
  (version: string): FastifyPluginCallback =>
  (app, _options, done) => {
    const bytes = lazy(() => Buffer.from(`${JSON.stringify(openApiDocument(version))}\n`));
    app.get('/openapi.json', (_request, reply) => reply.header('content-type', 'application/json').send(bytes()));
    done();
  };
