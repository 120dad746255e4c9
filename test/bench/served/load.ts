import { Pool } from 'undici';
import { RemediationRequest } from '../../../src/api/index.ts';
import { systemRandom } from '../../../src/base/index.ts';

/** Where a server is, and what opens its door. */
export interface Site {
  readonly url: string;
  readonly token: string;
  readonly ca?: string;
}

/** Writers at the same time, each with one request in flight. */
const CONNECTIONS = 32;

const REQUESTS = '/apis/kubernaut.ai/v1alpha1/namespaces/default/remediationrequests';

const headersOf = ({ token }: Site): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json',
});

const poolOf = ({ url, ca }: Site, connections: number): Pool =>
  new Pool(url, { connections, pipelining: 1, allowH2: false, bodyTimeout: 0, ...(ca !== undefined && { connect: { ca } }) });

/** Names are never used twice, so that every write creates. */
function draft(): string {
  const { sample } = RemediationRequest;
  return JSON.stringify({ ...sample, metadata: { ...sample.metadata, namespace: 'default', name: `rr-${systemRandom.uuid()}` } });
}

/** Creates objects over HTTP as fast as the server answers; returns writes per second. */
export async function writesPerSecond(site: Site, writes: number): Promise<number> {
  const pool = poolOf(site, CONNECTIONS);
  const headers = headersOf(site);
  const bodies = Array.from({ length: writes }, draft);
  const writer = async (): Promise<void> => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
      const answer = await pool.request({ method: 'POST', path: REQUESTS, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 201) throw new Error(`create was answered with ${answer.statusCode}: ${text}`);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, writer));
  const seconds = (performance.now() - start) / 1_000;
  await pool.close();
  return writes / seconds;
}

/** Watchers that count what they are sent. */
export interface Watchers {
  /** Resolves when so many lines have arrived, all watchers together. */
  received(lines: number): Promise<void>;
  readonly count: number;
  stop(): Promise<void>;
}

const NEWLINE = '\n'.charCodeAt(0);

/** Starts watches from now on; resolves once all of them are accepted. */
export async function startWatchers(site: Site, watchers: number): Promise<Watchers> {
  const pool = poolOf(site, watchers);
  let count = 0;
  let wanted = { lines: Infinity, resolve: () => {} };
  const watch = async (version: string): Promise<void> => {
    const path = `${REQUESTS}?watch=true&resourceVersion=${version}`;
    const { body } = await pool.request({ method: 'GET', path, headers: headersOf(site) });
    body.on('error', () => {});
    body.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === NEWLINE) count++;
      if (count >= wanted.lines) wanted.resolve();
    });
  };
  const { body } = await pool.request({ method: 'GET', path: `${REQUESTS}?limit=1`, headers: headersOf(site) });
  const { metadata } = (await body.json()) as { readonly metadata: { readonly resourceVersion: string } };
  await Promise.all(Array.from({ length: watchers }, () => watch(metadata.resourceVersion)));
  return {
    get count() {
      return count;
    },
    received: (lines) => new Promise((resolve) => (count >= lines ? resolve() : void (wanted = { lines, resolve }))),
    stop: () => pool.destroy(),
  };
}
