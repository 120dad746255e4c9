import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Lease } from '../../kube/builtin/lease.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { messageOf, PlatformError, seededRandom, silent, turn } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { Transport } from '../../kube/client/transport.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { LeaderElection, type TermEnd } from './leader-election.ts';
import type { Term } from './term.ts';

const KEY = { namespace: 'default', name: 'sickbay' };

/** How the candidate reaches the server, at the moment. */
type Line = 'up' | 'down' | 'hangs' | 'loses replies';

class Candidate {
  readonly wall = new ManualClock();
  readonly steady = new ManualClock(0);
  readonly stop = new AbortController();
  line: Line = 'up';
  term: Term | undefined;
  terms = 0;
  end: TermEnd | undefined;
  readonly election: LeaderElection;
  readonly running: Promise<void>;
  #finish: () => void = () => {};

  constructor(api: Transport, identity: string, options: { drains?: boolean; seed?: number } = {}) {
    this.election = new LeaderElection({
      client: createClient(this.#through(api)),
      clock: this.wall,
      steady: this.steady,
      random: seededRandom(options.seed ?? identity.charCodeAt(0)),
      log: silent,
      lease: KEY,
      identity,
    });
    this.running = this.election
      .lead((term) => this.#work(term, options.drains ?? true), this.stop.signal)
      .then((end) => void (this.end = end));
  }

  /** Ends the work of a candidate that does not drain by itself. */
  finish(): void {
    this.#finish();
  }

  get mayAct(): boolean {
    return this.term?.mayAct() ?? false;
  }

  #work(term: Term, drains: boolean): Promise<void> {
    this.term = term;
    this.terms++;
    return new Promise((resolve) => {
      this.#finish = resolve;
      term.lost.addEventListener('abort', () => resolve());
      if (drains) term.stop.addEventListener('abort', () => resolve());
    });
  }

  #through(api: Transport): Transport {
    const broken = (): PlatformError => new PlatformError('Unavailable', 'the connection broke');
    return {
      watch: (request, signal) => api.watch(request, signal),
      request: async (request, signal) => {
        if (this.line === 'hangs') return new Promise(() => {});
        if (this.line === 'down') throw broken();
        const answer = await api.request(request, signal);
        if (this.line === 'loses replies' && request.method !== 'GET') throw broken();
        return answer;
      },
    };
  }
}

/** A server, and candidates whose clocks move together unless one stands still. */
class Race {
  readonly api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
  readonly admin: KubeClient = createClient(this.api);
  readonly candidates: Candidate[] = [];

  add(identity: string, options: { drains?: boolean; seed?: number } = {}): Candidate {
    const candidate = new Candidate(this.api, identity, options);
    this.candidates.push(candidate);
    return candidate;
  }

  async pass(ms: number, except: readonly Candidate[] = []): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      for (const candidate of this.candidates.filter((one) => !except.includes(one))) {
        await candidate.wall.advance(Math.min(left, 100));
        await candidate.steady.advance(Math.min(left, 100));
      }
      expect(this.candidates.filter((candidate) => !except.includes(candidate) && candidate.mayAct).length).toBeLessThanOrEqual(1);
    }
    await turn();
  }

  lease(): Promise<Lease> {
    return this.admin.get(Lease, KEY);
  }

  async end(): Promise<void> {
    for (const candidate of this.candidates) {
      candidate.line = 'up';
      candidate.stop.abort();
      candidate.finish();
    }
    await Promise.all(this.candidates.map((candidate) => candidate.running));
    for (const candidate of this.candidates) expect(candidate.steady.waiting + candidate.wall.waiting).toBe(0);
  }
}

describe('getting the lease', () => {
  test('the first one makes it and leads', async () => {
    const race = new Race();
    const a = race.add('a');
    await turn();
    expect(a.mayAct).toBe(true);
    expect((await race.lease()).spec).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-11-15T03:00:00.000000Z',
      renewTime: '2026-11-15T03:00:00.000000Z',
      leaseTransitions: 0,
    });
    await race.end();
    expect(a.end).toBe('released');
  });

  test('the second one waits as long as the first renews', async () => {
    const race = new Race();
    const a = race.add('a');
    await turn();
    const b = race.add('b');
    await race.pass(60_000);
    expect([a.mayAct, b.mayAct, b.election.leader]).toEqual([true, false, 'a']);
    const { spec } = await race.lease();
    expect(spec).toMatchObject({ holderIdentity: 'a', acquireTime: '2026-11-15T03:00:00.000000Z', leaseTransitions: 0 });
    expect(spec?.renewTime).not.toBe(spec?.acquireTime);
    await race.end();
  });

  const strangers = [
    { renewTime: '1999-01-01T00:00:00.000000Z', reason: 'a holder whose clock is far behind is not run out' },
    { renewTime: '2099-01-01T00:00:00.000000Z', reason: 'a holder whose clock is far ahead is' },
  ];
  test.each(strangers)('is judged by what was seen here: $reason for 15 s, then it is', async ({ renewTime }) => {
    const race = new Race();
    const spec = { holderIdentity: 'gone', leaseDurationSeconds: 15, renewTime, acquireTime: renewTime, leaseTransitions: 2 };
    await race.admin.create(Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...KEY }, spec });
    const a = race.add('a');
    await race.pass(14_900);
    expect(a.mayAct).toBe(false);
    await race.pass(5_000);
    expect(a.mayAct).toBe(true);
    expect((await race.lease()).spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 3 });
    await race.end();
  });

  test('stopped before it was elected, it starts no work', async () => {
    const race = new Race();
    race.add('a');
    await turn();
    const b = race.add('b');
    await race.pass(3_000);
    b.stop.abort();
    await b.running;
    expect([b.terms, b.end]).toEqual([0, 'released']);
    await race.end();
  });

  test('an outage at the start is waited out', async () => {
    const race = new Race();
    const a = race.add('a');
    a.line = 'down';
    await race.pass(20_000);
    expect(a.terms).toBe(0);
    a.line = 'up';
    await race.pass(5_000);
    expect(a.mayAct).toBe(true);
    await race.end();
  });

  test('for any start, exactly one of several candidates leads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 4 }), async (delays) => {
        const race = new Race();
        for (const [i, delay] of delays.entries()) {
          await race.pass(delay * 100);
          race.add(`candidate-${i}`, { seed: delay });
        }
        await race.pass(4_000);
        expect(race.candidates.filter((candidate) => candidate.mayAct)).toHaveLength(1);
        await race.end();
      }),
      { numRuns: 20 },
    );
  });
});

describe('keeping it', () => {
  const disturbances: readonly { reason: string; disturb: (race: Race, a: Candidate) => unknown }[] = [
    { reason: 'a lost reply', disturb: (_race, a) => (a.line = 'loses replies') },
    { reason: 'an outage shorter than the deadline', disturb: (_race, a) => (a.line = 'down') },
    { reason: 'a server that does not answer for a while', disturb: (_race, a) => (a.line = 'hangs') },
    {
      reason: 'a client that edits the lease’s labels',
      disturb: (race) => race.admin.patch(Lease, KEY, { type: 'merge', body: { metadata: { labels: { x: '1' } } } }),
    },
    { reason: 'a client that deletes the lease', disturb: (race) => race.admin.delete(Lease, KEY) },
    { reason: 'a wall clock that is set back', disturb: (_race, a) => a.wall.jump(-3_600_000) },
  ];
  test.each(disturbances)('survives $reason', async ({ disturb }) => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(3_000);
    await disturb(race, a);
    await race.pass(5_000);
    a.line = 'up';
    await race.pass(30_000);
    expect([a.mayAct, a.terms, a.end]).toEqual([true, 1, undefined]);
    expect((await race.lease()).spec?.holderIdentity).toBe('a');
    await race.end();
  });

  test('a wall clock that is set ahead costs leadership until the next renewal, as a suspended machine does', async () => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(3_000);
    a.wall.jump(3_600_000);
    expect(a.mayAct).toBe(false);
    await race.pass(2_100);
    expect(a.mayAct).toBe(true);
    await race.end();
  });
});

describe('losing it', () => {
  const outages: readonly Line[] = ['down', 'hangs'];
  test.each(outages)('when the server is %s, work ends before another replica can have the lease', async (line) => {
    const race = new Race();
    const a = race.add('a');
    await turn();
    const b = race.add('b');
    await race.pass(4_000);
    a.line = line;
    await race.pass(9_900);
    expect(b.mayAct).toBe(false);
    await race.pass(200);
    // Nothing more is asked of a server that may never answer.
    expect([a.mayAct, a.end, b.mayAct]).toEqual([false, 'lost', false]);
    await race.pass(10_000);
    expect(b.mayAct).toBe(true);
    await race.end();
  });

  test('to another holder that took it by force, work ends at the next renewal', async () => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(3_000);
    await race.admin.patch(Lease, KEY, { type: 'merge', body: { spec: { holderIdentity: 'thief' } } });
    await race.pass(2_100);
    expect([a.end, a.election.leader]).toEqual(['lost', 'thief']);
    await race.end();
    expect((await race.lease()).spec?.holderIdentity).toBe('thief');
  });

  test('while standing still: the frozen leader knows before its first write, and does not get it back', async () => {
    const race = new Race();
    const a = race.add('a');
    await turn();
    const b = race.add('b');
    await race.pass(4_000);
    await race.pass(20_000, [a]);
    expect(b.mayAct).toBe(true);
    // It goes on: its clocks show the truth, but none of its timers has fired yet.
    a.wall.jump(20_000);
    a.steady.jump(20_000);
    expect(a.mayAct).toBe(false);
    await race.pass(100);
    expect(a.end).toBe('lost');
    expect(b.mayAct).toBe(true);
    await race.end();
  });

  test('while suspended and with its wall clock set back: the steady clock detects it', async () => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(1_000);
    a.steady.jump(20_000);
    a.wall.jump(-3_600_000);
    expect(a.mayAct).toBe(false);
    await race.end();
  });

  test('a suspended machine whose steady clock slept too is detected by the wall clock', async () => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(1_000);
    a.wall.jump(20_000);
    expect(a.mayAct).toBe(false);
    await race.end();
  });

  test('after a loss it may run for the lease again', async () => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(1_000);
    a.line = 'down';
    await race.pass(12_000);
    expect(a.end).toBe('lost');
    a.line = 'up';
    const stop = new AbortController();
    let led = false;
    const again = a.election.lead(async (term) => void (led = term.mayAct()), stop.signal);
    await race.pass(5_000);
    expect(await again).toBe('released');
    expect(led).toBe(true);
    await race.end();
  });
});

describe('giving it back', () => {
  test('after a graceful stop the next one need not wait for it to run out', async () => {
    const race = new Race();
    const a = race.add('a');
    await turn();
    const b = race.add('b');
    await race.pass(10_000);
    a.stop.abort();
    await a.running;
    expect((await race.lease()).spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await race.pass(4_500);
    expect(b.mayAct).toBe(true);
    await race.end();
  });

  test('only when the work has ended: it is renewed as long as that takes', async () => {
    const race = new Race();
    const a = race.add('a', { drains: false });
    await turn();
    const b = race.add('b');
    await race.pass(2_000);
    a.stop.abort();
    await race.pass(30_000);
    expect([a.mayAct, a.end, b.mayAct]).toEqual([true, undefined, false]);
    a.finish();
    await a.running;
    expect(a.end).toBe('released');
    await race.end();
  });

  test('not when another replica holds it', async () => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(1_000);
    await race.admin.patch(Lease, KEY, { type: 'merge', body: { spec: { holderIdentity: 'thief' } } });
    a.stop.abort();
    await a.running;
    expect((await race.lease()).spec?.holderIdentity).toBe('thief');
    await race.end();
  });

  test('a server that does not accept the release does not block the shutdown without end', async () => {
    const race = new Race();
    const a = race.add('a');
    await race.pass(1_000);
    a.line = 'hangs';
    a.stop.abort();
    await race.pass(10_100);
    expect(a.end).toBe('released');
    await race.end();
  });

  test.each<{ name: string; work: () => Promise<'stuck'>; ends: string; holder: string }>([
    {
      name: 'work that throws gives it back too, and its error goes on',
      work: () => Promise.reject(new Error('oops')),
      ends: 'oops',
      holder: '',
    },
    {
      name: 'work that is stuck may still act: the lease is not handed over',
      work: () => Promise.resolve('stuck'),
      ends: 'withheld',
      holder: 'a',
    },
  ])('$name', async ({ work, ends, holder }) => {
    const client = createClient(createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) }));
    const deps = { client, clock: new ManualClock(), random: seededRandom(1), log: silent };
    const election = new LeaderElection({ ...deps, lease: KEY, identity: 'a' });
    const end = await election.lead(work, new AbortController().signal).catch(messageOf);
    expect(end).toBe(ends);
    expect((await client.get(Lease, KEY)).spec?.holderIdentity).toBe(holder);
    expect(election.isLeading()).toBe(false);
  });
});
