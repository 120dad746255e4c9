import { Agent } from 'undici';
import { messageOf, PlatformError, SECOND } from '../base/index.ts';
import { certificateFault, textOf } from '../monitoring/index.ts';
import { BmcError, type BmcAccess } from './bmc.ts';

/** One call to a Redfish service. */
export interface RedfishRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** The response as it was received, with any status code. */
export interface RedfishAnswer {
  readonly code: number;
  readonly text: string;
}

export type RedfishSend = (request: RedfishRequest, signal: AbortSignal) => Promise<RedfishAnswer>;

const CONNECT_MS = 5 * SECOND;
const LARGEST_ANSWER = 1024 * 1024;

/**
 * Does some work over connections of its own, which are closed when it is done: calls are rare, and nothing of a Secret is kept in between.
 * Redirects are not followed: the password is for the address that was named.
 */
export async function overHttp<T>(access: BmcAccess, work: (send: RedfishSend) => Promise<T>): Promise<T> {
  const tls = { ...(access.ca !== undefined && { ca: access.ca }), rejectUnauthorized: !access.insecureSkipVerify };
  const agent = new Agent({ connections: 1, connect: { timeout: CONNECT_MS, ...tls } });
  try {
    return await work((request, signal) => send(agent, access, request, signal));
  } finally {
    await agent.destroy();
  }
}

async function send(agent: Agent, access: BmcAccess, { method, path, body }: RedfishRequest, signal: AbortSignal): Promise<RedfishAnswer> {
  const { username, password, address } = access;
  try {
    const answer = await agent.request({
      origin: address,
      method,
      path,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'odata-version': '4.0',
        'user-agent': 'sickbay',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    });
    return { code: answer.statusCode, text: await textOf(answer.body, LARGEST_ANSWER) };
  } catch (error) {
    throw noAnswer(address, error, signal);
  }
}

function noAnswer(address: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return error;
  if (error instanceof PlatformError) return new BmcError('Garbled', `asking ${address}: ${error.message}`, error);
  const advice = certificateFault(error, 'the entry ca.crt of the Secret');
  if (advice !== undefined) return new BmcError('Untrusted', `asking ${address}: ${messageOf(error)}: ${advice}`, error);
  return new BmcError('Unreachable', `asking ${address}: ${messageOf(error)}: check that it is running and reachable from here`, error);
}
