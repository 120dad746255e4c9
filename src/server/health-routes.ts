import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../base/index.ts';
import { answerHealth, type HealthChecks } from './health.ts';
import { PLAIN_TEXT, urlOf } from './http-server.ts';

/** `/healthz`, `/livez`, `/readyz`, and each check by its name below them. */
export const healthRoutes =
  (checks: HealthChecks, log: Logger): FastifyPluginCallback =>
  (app, _options, done) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
      const { code, body, failures } = await answerHealth(checks, urlOf(request) ?? new URL('http://localhost'));
      for (const failure of failures) log.warn('health check', { check: failure.name, reason: failure.reason });
      reply.code(code).type(PLAIN_TEXT);
      return body;
    };
    for (const endpoint of ['/healthz', '/livez', '/readyz']) {
      app.get(endpoint, answer);
      app.get(`${endpoint}/*`, answer);
    }
    done();
  };
