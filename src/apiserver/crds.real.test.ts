import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOnControlPlane } from '../testkit/lanes.ts';
import { bothServers, type BothServers } from './testing/both-servers.ts';
import { BAD_CRDS } from './testing/bad-crds.ts';
import { CRDS } from './testing/harness.ts';
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
});
