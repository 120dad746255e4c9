import { Machine } from '../../../src/api/machine/machine.ts';
import type { KubeObject } from '../../../src/api/meta.ts';
import { systemClock, toTime } from '../../../src/base/index.ts';
import { createClient } from '../../../src/kube/api-client.ts';
import type { ApiRequest, Transport } from '../../../src/kube/transport.ts';
import { inFlight } from '../in-flight.ts';
import type { Access } from '../orchestrator/part.ts';
import { spending } from '../orchestrator/spent.ts';
import { NAMESPACE } from './fleet.ts';

export interface RawLimit {
  readonly perSecond: number;
  /** CPU for one patch, by the server and by whoever sends it. */
  readonly serverMs: number;
  readonly clientMs: number;
}

/**
 * What the server takes at most: whole statuses of the same Machines, each under the version that was read, as the product writes them, by
 * somebody who decides nothing.
 */
export async function rawLimit(site: { transport: Transport; access: Access }, { count, atATime }: Load): Promise<RawLimit> {
  const { transport, access } = site;
  const { items } = await createClient(transport).list(Machine, { namespace: NAMESPACE });
  const lastUpdated = toTime(systemClock.now());
  const requests = items.slice(0, count).map((machine) => patchOf(machine, { ...machine.status, lastUpdated }));
  const before = process.cpuUsage();
  const { result: perSecond, spent } = await spending(access, () => sendAll(transport, requests, atATime));
  const { user, system } = process.cpuUsage(before);
  return { perSecond, serverMs: spent.server / requests.length, clientMs: (user + system) / 1_000 / requests.length };
}

interface Load {
  readonly count: number;
  readonly atATime: number;
}

/** Requests per second. */
async function sendAll(transport: Transport, requests: readonly ApiRequest[], atATime: number): Promise<number> {
  const begun = performance.now();
  await inFlight(requests, atATime, async (request) => {
    const { code, body } = await transport.request(request);
    if (code !== 200) throw new Error(`${request.method} ${request.path}: the server answered ${code}: ${JSON.stringify(body)}`);
  });
  return (requests.length * 1_000) / (performance.now() - begun);
}

const patchOf = ({ metadata: { name, resourceVersion } }: KubeObject, status: unknown): ApiRequest => ({
  method: 'PATCH',
  path: `/apis/${Machine.group}/${Machine.version}/namespaces/${NAMESPACE}/${Machine.plural}/${name}/status`,
  contentType: 'application/json-patch+json',
  body: [
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/status', value: status },
  ],
});
