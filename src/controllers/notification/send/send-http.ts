import { Agent, buildConnector } from 'undici';
import { clip, messageOf, PlatformError, printable, SECOND } from '../../../base/index.ts';
import { certificateFault, textOf } from '../../../monitoring/index.ts';
import type { ProviderAnswer, ProviderRequest, SendOutcome } from '../channels/send-outcome.ts';
import { hideAll, secretsOf } from './hide-credential.ts';
import type { AttemptDeps } from './send-deps.ts';

/** An answer, or how the attempt ended without one. */
export type Sent = { readonly kind: 'answer'; readonly answer: ProviderAnswer } | Extract<SendOutcome, { readonly reason: string }>;

const CONNECT_MS = 5 * SECOND;
const LARGEST_ANSWER = 1024 * 1024;

/**
 * Sends a request over a connection of its own: messages are rare, and no credential stays in memory between them. Messages about failures name the
 * host alone: the path of a webhook is a credential. The answer comes without the credential and the path, also where it repeats them.
 */
export async function sendHttp(request: ProviderRequest, deps: AttemptDeps, credential?: string): Promise<Sent> {
  const url = httpUrl(request.url);
  if (url === undefined) return { kind: 'refused', reason: 'the address in the credential is none: wants https://…' };
  const progress = { hasBegun: false };
  const begun = (): void => {
    progress.hasBegun = true;
    deps.begun(url.host);
  };
  const agent = new Agent({ connections: 1, connect: connector(begun) });
  const hide = (text: string): string => hideAll(text, [credential, ...secretsOf(url)]);
  try {
    const answer = await exchange(agent, url, request, deps.signal);
    return { kind: 'answer', answer: { ...answer, text: hide(answer.text) } };
  } catch (error) {
    if (deps.signal.aborted) throw error;
    return { ...withoutAnswer(url.host, error, hide), ...(progress.hasBegun && { mayHaveArrived: true }) };
  } finally {
    await agent.destroy();
  }
}

/** Tells when the connection stands, TLS included: nothing of the message is written before. */
function connector(connected: () => void): ReturnType<typeof buildConnector> {
  const connect = buildConnector({ timeout: CONNECT_MS });
  return (options, callback) => {
    connect(options, (...result) => {
      if (result[0] === null) connected();
      callback(...result);
    });
  };
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

/** A certificate that is not trusted may be rotated in a minute: it is tried again, as a connection that cannot be made. */
function withoutAnswer(host: string, error: unknown, hide: (text: string) => string): Extract<SendOutcome, { readonly kind: 'failed' }> {
  const said = hide(clip(printable(messageOf(error)), 200));
  const advice = certificateFault(error, 'the file that NODE_EXTRA_CA_CERTS names');
  if (advice !== undefined) return { kind: 'failed', reason: `sending to ${host}: ${said}: ${advice}` };
  return { kind: 'failed', reason: `sending to ${host}: ${error instanceof PlatformError ? error.message : said}` };
}
