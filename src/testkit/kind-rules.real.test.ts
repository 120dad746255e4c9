import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '../api/index.ts';
import { sameJson } from '../base/index.ts';
import { badValues, validObjects } from './bad-values.ts';
import { describeOnControlPlane } from './lanes.ts';
import { bothServers, type BothServers } from '../apiserver/testing/both-servers.ts';
import { create, installKind, tryBadValue } from './try-bad-value.ts';
import { verdictOf } from '../apiserver/testing/verdict.ts';

/** Every rule of every kind, broken once, on the real kube-apiserver and on ours: they must refuse alike. */
describeOnControlPlane('rules of our kinds on the real kube-apiserver and on ours', (plane) => {
  let servers: BothServers;
  beforeAll(async () => {
    servers = bothServers(plane());
    await Promise.all([servers.real, servers.memory].flatMap((server) => kinds.map((kind) => installKind(server, kind))));
  });
  afterAll(() => servers.close());

  describe.each(kinds)('$kind', (kind) => {
    test('what is right is accepted by both', async () => {
      for (const object of validObjects(kind)) {
        expect(verdictOf(await create(servers.real, kind, object, true)).code).toBe(201);
        expect(verdictOf(await create(servers.memory, kind, object, true)).code).toBe(201);
      }
    });

    test('what is wrong is refused by both, for the same reasons in the same fields', async () => {
      const refusals = [];
      for (const value of badValues(kind)) {
        const [theirs, ours] = [await tryBadValue(servers.real, kind, value), await tryBadValue(servers.memory, kind, value)];
        refusals.push({ value: value.name, theirs, ours });
      }
      expect(refusals.length).toBeGreaterThan(0);
      expect(refusals.filter(({ theirs }) => theirs.code !== 422)).toEqual([]);
      expect(refusals.filter(({ theirs, ours }) => !sameJson(theirs, ours))).toEqual([]);
    });
  });
});
