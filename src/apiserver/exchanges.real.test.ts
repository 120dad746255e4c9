import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOnControlPlane } from '../testkit/lanes.ts';
import { comparable } from './testing/comparable.ts';
import { EXCHANGE_NAMESPACE, EXCHANGES } from './testing/exchanges.ts';
import { bothServers, type BothServers } from './testing/both-servers.ts';
import { installCrd } from '../testkit/try-bad-value.ts';
import { WIDGET_CRD, widgets } from './testing/widget.ts';

/** The same requests in the same order to both: answers are equal but for what is incidental. */
describeOnControlPlane('answers of the real kube-apiserver and of ours', (plane) => {
  let servers: BothServers;
  beforeAll(async () => {
    servers = bothServers(plane());
    for (const server of [servers.real, servers.memory]) {
      await server.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: EXCHANGE_NAMESPACE } } });
      await installCrd(server, WIDGET_CRD, widgets(EXCHANGE_NAMESPACE));
    }
  });
  afterAll(() => servers.close());

  describe.each(Object.entries(EXCHANGES))('%s', (_title, exchanges) => {
    test.each(exchanges)('$reason', async ({ request }) => {
      const theirs = await servers.real.request(request);
      const ours = await servers.memory.request(request);
      expect(comparable(ours)).toEqual(comparable(theirs));
    });
  });
});
