import { Machine } from '../../../src/api/machine/machine.ts';
import type { KubeObject } from '../../../src/api/meta.ts';
import { systemClock, toTime } from '../../../src/base/index.ts';
import { createClient } from '../../../src/kube/api-client.ts';
import type { ApiRequest, Transport } from '../../../src/kube/transport.ts';
import { inFlight } from '../in-flight.ts';
import { NAMESPACE } from './fleet.ts';

/**
 * What the server takes at most: whole statuses of the same Machines, each under the version that was read, as the product writes them, by
 * somebody who decides nothing. Patches per second.
 */
export async function rawPatchRate(transport: Transport, count: number, atATime: number): Promise<number> {
  const { items } = await createClient(transport).list(Machine, { namespace: NAMESPACE });
  const lastUpdated = toTime(systemClock.now());
  const requests = items.slice(0, count).map((machine) => patchOf(machine, { ...machine.status, lastUpdated }));
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
