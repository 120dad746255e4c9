import { Machine } from '../../../src/api/machine/machine.ts';
import { withoutCondition } from '../../../src/controllers/machine-health/conditions/cluster-api-conditions.ts';
import type { ApiRequest, Transport } from '../../../src/kube/client/transport.ts';
import { inFlight } from '../in-flight.ts';
import { CONNECTIONS } from '../orchestrator/part.ts';
import { NAMESPACE } from './fleet.ts';

/** Takes off each Machine what its check said about it: a whole status under the version that was read, as the product writes it. */
export const unjudged = ({ metadata: { name, resourceVersion }, status = {} }: Machine): ApiRequest => ({
  method: 'PATCH',
  path: `/apis/${Machine.group}/${Machine.version}/namespaces/${NAMESPACE}/${Machine.plural}/${name}/status`,
  contentType: 'application/json-patch+json',
  body: [
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/status', value: withoutCondition(status, 'HealthCheckSucceeded') },
  ],
});

/** As fast as the server takes them, as many at a time as the product sends, by a client that decides nothing. */
export const sendAll = (transport: Transport, requests: readonly ApiRequest[]): Promise<void> =>
  inFlight(requests, CONNECTIONS, async (request) => {
    const { code, body } = await transport.request(request);
    if (code !== 200) throw new Error(`${request.method} ${request.path}: the server answered ${code}: ${JSON.stringify(body)}`);
  });
