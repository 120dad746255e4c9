import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MachineHealthCheck, type KubeObject } from '../api/index.ts';
import { bothServers, type BothServers } from '../apiserver/testing/both-servers.ts';
import { comparable } from '../apiserver/testing/comparable.ts';
import { validObjects } from './bad-values.ts';
import { describeOnControlPlane } from './lanes.ts';
import { create, installKind } from './try-bad-value.ts';

describeOnControlPlane('a kind with several versions on the real kube-apiserver and on the embedded one', (plane) => {
  let servers: BothServers;
  beforeAll(() => {
    servers = bothServers(plane());
  });
  afterAll(() => servers.close());

  describe('MachineHealthCheck in every version', () => {
    const versions = MachineHealthCheck.versions.map(({ name }) => name);
    const path = (version: string): string => `/apis/${MachineHealthCheck.group}/${version}/namespaces/default/machinehealthchecks`;
    beforeAll(async () => {
      await Promise.all([servers.real, servers.memory].map((server) => installKind(server, MachineHealthCheck)));
    });

    test.each(versions)('written as %s, it reads back whole in each', async (written) => {
      for (const [i, object] of validObjects(MachineHealthCheck).entries()) {
        const name = `${written}-${i}`;
        const draft = { ...object, apiVersion: `${MachineHealthCheck.group}/${written}`, metadata: { name } };
        for (const server of [servers.real, servers.memory]) {
          const created = await create(server, MachineHealthCheck, draft, false);
          expect(created.code).toBe(201);
          for (const version of versions) {
            const { body } = await server.request({ method: 'GET', path: `${path(version)}/${name}` });
            expect(body).toEqual({ ...(created.body as KubeObject), apiVersion: `${MachineHealthCheck.group}/${version}` });
          }
        }
        const [theirs, ours] = await Promise.all(
          [servers.real, servers.memory].map((server) => server.request({ method: 'GET', path: `${path(written)}/${name}` })),
        );
        expect(comparable(ours!)).toEqual(comparable(theirs!));
      }
    });
  });
});
