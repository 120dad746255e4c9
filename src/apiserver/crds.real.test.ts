import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MachineHealthCheck, type KubeObject } from '../api/index.ts';
import { validObjects } from '../testkit/bad-values.ts';
import { describeOnControlPlane } from '../testkit/lanes.ts';
import { bothServers, type BothServers } from './testing/both-servers.ts';
import { BAD_CRDS } from './testing/bad-crds.ts';
import { comparable } from './testing/comparable.ts';
import { CRDS } from './testing/harness.ts';
import { create, installKind } from './testing/try-bad-value.ts';
import { verdictOf } from './testing/verdict.ts';

describeOnControlPlane('CRDs on the real kube-apiserver and on ours', (plane) => {
  let servers: BothServers;
  beforeAll(() => {
    servers = bothServers(plane());
  });
  afterAll(() => servers.close());

  describe('refused by both, for the same field', () => {
    test.each(BAD_CRDS)('$reason', async ({ crd, field }) => {
      const request = { method: 'POST', path: CRDS, body: crd, query: { dryRun: 'All' } } as const;
      const [theirs, ours] = [verdictOf(await servers.real.request(request)), verdictOf(await servers.memory.request(request))];
      expect(ours).toMatchObject({ code: theirs.code, reason: theirs.reason });
      const blamed = theirs.causes.filter((cause) => cause.endsWith(` ${field}`));
      expect(blamed.length).toBeGreaterThan(0);
      expect(blamed.some((cause) => ours.causes.includes(cause))).toBe(true);
    });
  });

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
