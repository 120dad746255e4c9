import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { assertNever } from '../base/index.ts';
import { readBody } from '../kube/http/read-body.ts';
import { noGatewayMetrics, type GatewayMetrics } from './gateway-metrics.ts';
import type { SignalAdapter } from './adapters/adapter.ts';
import { alertmanager } from './adapters/alertmanager.ts';
import { grafana } from './adapters/grafana.ts';
import { kubernetesEvent } from './adapters/kubernetes-event.ts';
import type { Gateway } from './gateway.ts';
import { readJson } from './http/read-json.ts';
import { problem, type ProblemCode } from './problem.ts';
import type { Reply } from './reply.ts';
import type { Senders, SenderVerdict } from './senders/senders.ts';

/** Alertmanager drops what is answered with 413, and 250 alerts of common rules in one group are 276 KB. */
const BODY_LIMIT = 4 * 1024 * 1024;
const RETRY_AFTER_SECONDS = '10';
const SIGNALS = '/api/v1/signals/';

/** Every source whose bodies are received over HTTP. */
const ADAPTERS: readonly SignalAdapter[] = [alertmanager, kubernetesEvent, grafana];

/** Puts a gateway behind HTTP: every path below /api/v1/signals/, whatever the method, answers in its own form. */
export const signalRoutes =
  (gateway: Gateway, metrics: GatewayMetrics = noGatewayMetrics, senders?: Senders): FastifyPluginCallback =>
  (app, _options, done) => {
    app.register(signals(gateway, metrics, senders), { prefix: SIGNALS });
    done();
  };

const signals =
  (gateway: Gateway, metrics: GatewayMetrics, senders: Senders | undefined): FastifyPluginCallback =>
  (app, _options, done) => {
    if (senders)
      app.addHook('onRequest', async (request, reply) => turnAway(await senders.judge(request.headers.authorization), request, reply));
    app.addHook('onResponse', async (_request, { statusCode }) => metrics.answered(statusCode));
    // The body stays unread until its type is known to be right, and its limit is ours: Fastify would end the connection of a larger one.
    app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    for (const adapter of ADAPTERS)
      app.post(adapter.path.slice(SIGNALS.length - 1), async (request, reply) => receive({ gateway, adapter }, request, reply));
    app.setNotFoundHandler(noSuchRoute);
    app.setErrorHandler((error: Error & { readonly code?: string }, request, reply) => {
      if (request.is404) return noSuchRoute(request, reply);
      if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongType(request, reply);
      throw error;
    });
    done();
  };

/** Before anything of the body is read. Undefined lets the request through. */
function turnAway(verdict: SenderVerdict, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  switch (verdict.kind) {
    case 'allowed':
      return undefined;
    case 'unknown':
      reply.header('www-authenticate', 'Bearer realm="sickbay"');
      return refuse(reply, 401, { detail: verdict.why, request });
    case 'forbidden':
      return refuse(reply, 403, { detail: verdict.why, request });
    case 'unavailable':
      return refuse(reply, 503, { detail: verdict.why, request });
    default:
      return assertNever(verdict);
  }
}

interface Receiver {
  readonly gateway: Gateway;
  readonly adapter: SignalAdapter;
}

async function receive({ gateway, adapter }: Receiver, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // Routes match decoded paths: another spelling of this one is not served.
  if (pathOf(request) !== adapter.path) return noSuchRoute(request, reply);
  const { 'content-type': contentType = '' } = request.headers;
  if (!/^application\/json *(;|$)/i.test(contentType)) return wrongType(request, reply);
  const body = await readBody(request.raw, BODY_LIMIT);
  if (!body) return refuse(reply, 413, { detail: `the body is larger than ${BODY_LIMIT} bytes: set max_alerts in Alertmanager`, request });
  const read = readJson(body.toString());
  if (read.kind === 'refused') return refuse(reply, 400, { detail: read.why, request });
  const answer = await gateway.receive(read.value, adapter);
  return send(reply, answer.code < 400 ? answer : { ...answer, body: { ...answer.body, instance: adapter.path } });
}

function noSuchRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method } = request;
  const path = pathOf(request);
  if (!ADAPTERS.some((adapter) => adapter.path === path))
    return refuse(reply, 404, { detail: `signals are only received at ${ADAPTERS.map((adapter) => adapter.path).join(', ')}`, request });
  reply.header('allow', 'POST');
  return refuse(reply, 405, { detail: `${method} is not possible here, only POST`, request });
}

const wrongType = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  refuse(reply, 415, { detail: 'the body must be application/json', request });

interface Refusal {
  readonly detail: string;
  readonly request: FastifyRequest;
}

const refuse = (reply: FastifyReply, code: ProblemCode, { detail, request }: Refusal): FastifyReply =>
  send(reply, { code, body: { ...problem(code, detail, pathOf(request)) } });

const pathOf = ({ originalUrl }: FastifyRequest): string => URL.parse(originalUrl, 'http://localhost')?.pathname ?? originalUrl;

function send(reply: FastifyReply, { code, body }: Reply): FastifyReply {
  if (code === 429 || code === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  reply.code(code).header('content-type', code >= 400 ? 'application/problem+json' : 'application/json');
  // As bytes: Fastify would add a charset to the type of a text, which JSON has none of.
  return reply.send(Buffer.from(`${JSON.stringify(body)}\n`));
}
