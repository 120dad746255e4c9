import type { Page, Route, RouteRequest } from '../runtime/index.ts';
import type { Gateway } from './gateway.ts';
import { problem, PROMETHEUS_PATH, type ProblemCode } from './problem.ts';
import type { Reply } from './reply.ts';

const BODY_LIMIT = 256 * 1024;
const RETRY_AFTER_SECONDS = '10';

/** Puts a gateway behind HTTP, for serveHealth's listener. */
export const gatewayRoutes = (gateway: Gateway): readonly Route[] => [
  { prefix: '/api/v1/signals/', handle: (request) => handle(gateway, request) },
];

async function handle(gateway: Gateway, request: RouteRequest): Promise<Page> {
  const { method, path, contentType = '' } = request;
  if (path !== PROMETHEUS_PATH) return refused(404, `no signals are taken in here, but at ${PROMETHEUS_PATH}`, path);
  if (method !== 'POST') return { ...refused(405, `${method} is not possible here, only POST`, path), headers: { allow: 'POST' } };
  if (!/^application\/json *(;|$)/i.test(contentType)) return refused(415, 'the body must be application/json', path);
  const body = await request.read(BODY_LIMIT);
  if (!body) return refused(413, `the body is larger than ${BODY_LIMIT} bytes: set max_alerts in Alertmanager`, path);
  const value = parsed(body);
  return value === undefined ? refused(400, 'the body is not JSON', path) : pageOf(await gateway.receive(value));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}

const refused = (code: ProblemCode, detail: string, path: string): Page => pageOf({ code, body: { ...problem(code, detail, path) } });

const pageOf = ({ code, body }: Reply): Page => ({
  code,
  type: code >= 400 ? 'application/problem+json' : 'application/json',
  body: `${JSON.stringify(body)}\n`,
  ...(code === 429 || code === 503 ? { headers: { 'retry-after': RETRY_AFTER_SECONDS } } : {}),
});
