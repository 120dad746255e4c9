/**
 * P20: CPU time of one call through our client, against the same call through bare undici.request, on a real kube-apiserver.
 * Both read the answer as JSON, over kept-alive HTTP/1.1 connections, with the same number in flight.
 */
import { Pool } from 'undici';
import type { Resource } from '../../src/api/resource.ts';
import { systemRandom } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { bearer } from '../../src/kube/http/http-config.ts';
import { httpTransport } from '../../src/kube/http/http-transport.ts';
import type { ControlPlaneAccess } from '../../src/testkit/control-plane.ts';
import type { BenchResult } from './result.ts';
import { inTurn } from './sides.ts';

const CONFIG_MAPS: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const IN_FLIGHT = 16;
const CALLS = 2_000;

type Call = () => Promise<unknown>;

/** CPU µs per get of a 4 KB object; ours ÷ bare. */
export async function benchClient(plane: Pick<ControlPlaneAccess, 'url' | 'token' | 'caData'>): Promise<BenchResult> {
  const transport = httpTransport({
    server: plane.url,
    ca: plane.caData,
    identity: bearer(plane.token),
    limits: { connections: IN_FLIGHT },
  });
  const pool = new Pool(plane.url, { connections: IN_FLIGHT, allowH2: false, connect: { ca: plane.caData } });
  const client = createClient(transport);
  const key = { namespace: 'default', name: `bench-${systemRandom.uuid()}` };
  try {
    await createObject(client, key.name);
    const ours: Call = () => client.get(CONFIG_MAPS, key);
    const headers = { authorization: `Bearer ${plane.token}`, accept: 'application/json' };
    const bare: Call = async () =>
      (await pool.request({ method: 'GET', path: `/api/v1/namespaces/default/configmaps/${key.name}`, headers })).body.json();
    return await compare(ours, bare);
  } finally {
    await client.delete(CONFIG_MAPS, key);
    await Promise.all([transport.close(), pool.destroy()]);
  }
}

async function createObject(client: KubeClient, name: string): Promise<void> {
  const data = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`entry-${i}`, 'x'.repeat(60)]));
  const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name }, data };
  await client.create(CONFIG_MAPS, draft);
}

async function compare(ours: Call, bare: Call): Promise<BenchResult> {
  const sides = await inTurn(
    () => cpuPerCall(ours),
    () => cpuPerCall(bare),
  );
  return {
    name: 'P20 client CPU per call ÷ bare undici.request',
    ...sides,
    unit: 'µs CPU',
    goal: '≤ 1.3',
  };
}

/** CPU µs of this process per call. */
async function cpuPerCall(call: Call): Promise<number> {
  const before = process.cpuUsage();
  let left = CALLS;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}
