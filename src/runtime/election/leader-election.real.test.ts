import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lease } from '../../api/builtin/index.ts';
import { silent, steadyClock, systemClock, systemRandom } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { bearer } from '../../kube/http/http-config.ts';
import { httpTransport, type HttpTransport } from '../../kube/http/http-transport.ts';
import type { Transport } from '../../kube/client/transport.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { LeaderElection, type TermEnd } from './leader-election.ts';
import type { Term } from './term.ts';

const TIMING = { leaseMs: 2_000, renewWithinMs: 1_200, retryMs: 200 };

/** A candidate whose way to the server can be cut without its knowing. */
class Candidate {
  readonly stop = new AbortController();
  readonly leads: Promise<Term>;
  readonly ended: Promise<TermEnd>;
  cut = false;

  constructor(transport: Transport, identity: string, lease: string) {
    const through: Transport = {
      watch: (request, signal) => transport.watch(request, signal),
      request: (request, signal) => (this.cut ? new Promise(() => {}) : transport.request(request, signal)),
    };
    const election = new LeaderElection({
      client: createClient(through),
      clock: systemClock,
      steady: steadyClock,
      random: systemRandom,
      log: silent,
      lease: { namespace: 'default', name: lease },
      identity,
      timing: TIMING,
    });
    const { promise, resolve } = Promise.withResolvers<Term>();
    this.leads = promise;
    this.ended = election.lead((term) => {
      resolve(term);
      return new Promise((done) => {
        term.stop.addEventListener('abort', () => done());
        term.lost.addEventListener('abort', () => done());
      });
    }, this.stop.signal);
  }
}

describeOnControlPlane('leader election on a real kube-apiserver', (plane) => {
  let transport: HttpTransport;
  let client: KubeClient;
  beforeAll(() => {
    const { url, token, caFile } = plane();
    transport = httpTransport({ server: url, ca: readFileSync(caFile), identity: bearer(token) });
    client = createClient(transport);
  });
  afterAll(() => transport.close());

  const holder = async (lease: string): Promise<string | undefined> =>
    (await client.get(Lease, { namespace: 'default', name: lease })).spec?.holderIdentity;

  test('a lease that is released is taken over without waiting for it to expire', async () => {
    const lease = `given-back-${systemRandom.int(1e9)}`;
    const a = new Candidate(transport, 'a', lease);
    expect((await a.leads).mayAct()).toBe(true);
    const b = new Candidate(transport, 'b', lease);
    a.stop.abort();
    expect(await a.ended).toBe('released');
    expect((await b.leads).mayAct()).toBe(true);
    expect(await holder(lease)).toBe('b');
    b.stop.abort();
    expect(await b.ended).toBe('released');
    expect(await holder(lease)).toBe('');
  });

  test('a leader that is cut off stops before the next one starts', async () => {
    const lease = `cut-off-${systemRandom.int(1e9)}`;
    const a = new Candidate(transport, 'a', lease);
    const term = await a.leads;
    const b = new Candidate(transport, 'b', lease);
    a.cut = true;
    const order: string[] = [];
    await Promise.all([a.ended.then((end) => order.push(`a ${end}`)), b.leads.then(() => order.push('b leads'))]);
    expect(order).toEqual(['a lost', 'b leads']);
    expect(term.mayAct()).toBe(false);
    const { spec } = await client.get(Lease, { namespace: 'default', name: lease });
    expect(spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    b.stop.abort();
    await b.ended;
  });
});
