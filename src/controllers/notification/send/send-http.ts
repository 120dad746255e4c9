import { Agent } from 'undici';
import { clip, messageOf, PlatformError, printable, SECOND } from '../../../base/index.ts';
import { certificateFault, textOf } from '../../../monitoring/index.ts';
import type { ProviderAnswer, ProviderRequest, SendOutcome } from '../channels/send-outcome.ts';
import { inTime, type SendDeps } from './send-deps.ts';

/** An answer, or how the attempt ended without one. */
export type Sent = { readonly kind: 'answer'; readonly answer: ProviderAnswer } | Extract<SendOutcome, { readonly reason: string }>;

const CONNECT_MS = 5 * SECOND;
const LARGEST_ANSWER = 1024 * 1024;

/**
 * Sends a request over a connection of its own: messages are rare, and no credential stays in memory between them. Messages about failures name the
 * host alone: the path of a webhook is a credential.
 */
export async function sendHttp(request: ProviderRequest, deps: SendDeps): Promise<Sent> {
  const url = httpUrl(request.url);
  if (url === undefined) return { kind: 'refused', reason: 'the address in the credential is none: wants https://…' };
  const agent = new Agent({ connections: 1, connect: { timeout: CONNECT_MS } });
  try {
    return await inTime(deps, url.host, async (signal) => ({ kind: 'answer', answer: await exchange(agent, url, request, signal) }));
  } catch (error) {
    if (deps.signal.aborted) throw error;
    return withoutAnswer(url.host, error);
  } finally {
    await agent.destroy();
  }
}

/** The host of an address, as it may be named. */
export const providerOf = (url: string): string => httpUrl(url)?.host ?? 'the address';

function httpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && ['https:', 'http:'].includes(url.protocol) ? url : undefined;
}

async function exchange(agent: Agent, url: URL, { headers, body }: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer> {
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: { 'user-agent': 'sickbay', ...headers },
    body,
    signal,
  });
  return { code: answer.statusCode, headers: answer.headers, text: await textOf(answer.body, LARGEST_ANSWER) };
}

function withoutAnswer(host: string, error: unknown): Extract<SendOutcome, { readonly reason: string }> {
  const said = clip(printable(messageOf(error)), 200);
  const advice = certificateFault(error, 'the file that NODE_EXTRA_CA_CERTS names');
  if (advice !== undefined) return { kind: 'refused', reason: `sending to ${host}: ${said}: ${advice}` };
  return { kind: 'failed', reason: `sending to ${host}: ${error instanceof PlatformError ? error.message : said}` };
}
