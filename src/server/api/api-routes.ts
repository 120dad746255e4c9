import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { DEEPEST_JSON, isTooDeep, messageOf, type Logger } from '../../base/index.ts';
import { readBody } from '../../kube/http/read-body.ts';
import type { Caller, Callers } from '../access/caller.ts';
import { routes, type Access, type RouteContract, type RouteId } from '../contract/index.ts';
import { urlOf } from '../http-server.ts';
import { ApiProblem, problemBody, problemOf } from './api-problem.ts';
import { InputReader } from './read-input.ts';
import type { Handlers, Prepared } from './handler-types.ts';

/** What the API needs. */
export interface ApiOptions {
  readonly handlers: Handlers;
  readonly callers: Callers;
  /** Refuses what the user may not. */
  readonly demand: (caller: Caller, access: Access) => Promise<void>;
  readonly log: Logger;
}

/** A decision or a reason, and nothing larger. */
const BODY_LIMIT = 256 * 1024;

const PREFIX = '/api/v1';

const WHO_ARE_YOU =
  'who sends this is not known: send a token of the cluster as "Authorization: Bearer …", or open the link that a local Sickbay prints when it starts';

/** Every route of the contract, behind one prefix. */
export const apiRoutes =
  (options: ApiOptions): FastifyPluginCallback =>
  (app, _options, done) => {
    app.register(
      (api, _none, ready) => {
        // Read by each route, up to a limit of its own.
        api.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
        for (const [id, route] of Object.entries(routes) as [RouteId, RouteContract][])
          api.route({
            method: route.method,
            url: route.path.slice(PREFIX.length).replace(/\{(\w+)\}/g, ':$1'),
            exposeHeadRoute: route.mediaType === undefined,
            handler: handlerOf(id, route, options),
          });
        const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => fail(error, { request, reply, log: options.log });
        api.setNotFoundHandler((request, reply) => answer(notFound(request), request, reply));
        api.setErrorHandler((error, request, reply) => answer(request.is404 ? notFound(request) : error, request, reply));
        ready();
      },
      { prefix: PREFIX },
    );
    done();
  };

function handlerOf(id: RouteId, route: RouteContract, { handlers, callers, demand }: ApiOptions) {
  const params = route.params && new InputReader(route.params, 'path parameter');
  const query = new InputReader(route.query ?? NOTHING, 'query parameter');
  const body = route.body && new InputReader(route.body, 'field');
  const handle = handlers[id] as (input: object, caller: Caller, exchange: Exchange) => unknown;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = await callers.callerOf(request);
    if (!caller) throw new ApiProblem(401, WHO_ARE_YOU);
    await demand(caller, route.access);
    const input = {
      ...params?.readTexts(request.params as Record<string, string>),
      ...query.readTexts(request.query as Record<string, string | string[]>),
      ...(body && { body: body.readBody(await jsonOf(request)) }),
    };
    const answer = await handle(input, caller, { request, reply });
    if (reply.sent || reply.raw.headersSent) return reply;
    return sendJson(reply, isPrepared(answer) ? answer.bytes : Buffer.from(JSON.stringify(answer)));
  };
}

/** The request and its answer, for handlers that stream. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const NOTHING = { type: 'object', properties: {} } as unknown as NonNullable<RouteContract['query']>;

const isPrepared = (answer: unknown): answer is Prepared => typeof answer === 'object' && answer !== null && 'bytes' in answer;

async function jsonOf(request: FastifyRequest): Promise<unknown> {
  const { 'content-type': type = '' } = request.headers;
  // A form of another page could send other types without asking first.
  if (!/^application\/json *(;|$)/i.test(type)) throw new ApiProblem(415, 'the body must be application/json');
  const body = await readBody(request.raw, BODY_LIMIT);
  if (!body) throw new ApiProblem(413, `the body is larger than ${BODY_LIMIT} bytes`);
  const text = body.toString();
  if (isTooDeep(text)) throw new ApiProblem(400, `the body has more than ${DEEPEST_JSON} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiProblem(400, 'the body is not JSON', { cause: error });
  }
}

function notFound({ method, originalUrl }: FastifyRequest): ApiProblem {
  const path = URL.parse(originalUrl, 'http://localhost')?.pathname ?? originalUrl;
  const others = Object.values(routes).filter((route) => patternOf(route).test(path));
  if (others.length === 0) return new ApiProblem(404, `there is no ${path.slice(0, 200)}: /openapi.json lists what there is`);
  return new ApiProblem(405, `${method} is not possible here, only ${others.map((route) => route.method).join(', ')}`);
}

const patternOf = ({ path }: Pick<RouteContract, 'path'>): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

interface Failing extends Exchange {
  readonly log: Logger;
}

function fail(error: unknown, { request, reply, log }: Failing): FastifyReply {
  const path = urlOf(request)?.pathname ?? '/';
  const known = problemOf(error);
  if (!known || known.status === 500) log.error('answering a request', { method: request.method, path, error: messageOf(error) });
  const problem = known ?? new ApiProblem(500, 'an unforeseen failure; the log of Sickbay has the reason');
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  if (problem.status === 503 || problem.status === 429) reply.header('retry-after', '5');
  reply.code(problem.status).header('content-type', 'application/problem+json');
  return reply.send(Buffer.from(JSON.stringify(problemBody(problem, path))));
}

/** As bytes: Fastify would add a charset to the type of a text, which JSON has none of. */
const sendJson = (reply: FastifyReply, bytes: Buffer): FastifyReply => reply.header('content-type', 'application/json').send(bytes);
