import type { FastifyPluginCallback } from 'fastify';
import { PLAIN_TEXT, urlOf } from '../http-server.ts';
import type { LinkSessions } from './link-sessions.ts';

const USED = 'This link was used before, or is not the newest one. Sickbay prints a new link where it runs each time one is used.\n';

/** `/auth/link`: trades the code of the link for a session. */
export const linkRoutes =
  (sessions: LinkSessions): FastifyPluginCallback =>
  (app, _options, done) => {
    app.get('/auth/link', (request, reply) => {
      const code = urlOf(request)?.searchParams.get('code') ?? '';
      const cookie = sessions.open(code, { port: request.socket.localPort ?? 0, isEncrypted: request.protocol === 'https' });
      reply.header('referrer-policy', 'no-referrer');
      if (cookie === undefined) return reply.code(403).type(PLAIN_TEXT).send(USED);
      return reply.code(303).header('set-cookie', cookie).header('location', '/').send();
    });
    done();
  };
