import { Agent } from 'undici';
import { PlatformError, SECOND } from '../../../../../base/index.ts';
import type { AwxRequest, AwxResponse, AwxSend } from './awx-request.ts';

/** How long AWX may take, and how much it may say. */
export interface AwxLimits {
  readonly connectMs: number;
  readonly answerMs: number;
  readonly bodyMs: number;
  readonly bytes: number;
}

export const AWX_LIMITS: AwxLimits = { connectMs: 5 * SECOND, answerMs: 20 * SECOND, bodyMs: 10 * SECOND, bytes: 4 * 1024 * 1024 };

/** The way to AWX over HTTP(S). */
export interface HttpAwx {
  readonly send: AwxSend;
  close(): Promise<void>;
}

/** Certificates are checked against those that the machine trusts; redirects are not followed: the token is for AWX alone. */
export function httpAwx(limits: AwxLimits = AWX_LIMITS): HttpAwx {
  const agent = new Agent({ headersTimeout: limits.answerMs, bodyTimeout: limits.bodyMs, connect: { timeout: limits.connectMs } });
  return {
    send: (request, signal) => call(agent, request, { limits, signal }),
    close: () => agent.destroy(),
  };
}

async function call(
  agent: Agent,
  request: AwxRequest,
  { limits, signal }: { readonly limits: AwxLimits; readonly signal: AbortSignal | undefined },
): Promise<AwxResponse> {
  const url = new URL(request.apiURL + request.path);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const { statusCode, body } = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${request.token}`,
      'user-agent': 'sickbay',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: request.body === undefined ? null : JSON.stringify(request.body),
    ...(signal ? { signal } : {}),
  });
  return { code: statusCode, text: await bounded(body, limits.bytes) };
}

async function bounded(body: AsyncIterable<Buffer>, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new PlatformError('Unavailable', `the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
