import { describe, expect, test } from 'vitest';
import { ConfigMap } from '../../api/builtin/index.ts';
import { keyOf, type ObjectKey } from '../../api/meta.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { after, seededRandom, silent, turn } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import { createCache } from '../../kube/cache/create-cache.ts';
import type { ApiRequest, Transport } from '../../kube/client/transport.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { Errand } from '../../testkit/sample/errand.ts';
import { createControlLoop } from './control-loop.ts';
import type { Controller, Read, Subject } from '../reconcile/controller.ts';
import { LeaderElection } from '../election/leader-election.ts';
import { noMetrics, type LoopMetrics } from './loop-metrics.ts';
import { soleTerm, type Term, type WorkEnd } from '../election/term.ts';

interface Seen extends Subject {
  readonly object: Errand;
  readonly copy: Read<ConfigMap>;
}

const copyKey = ({ namespace, name }: ObjectKey): ObjectKey => ({ namespace, name: `copy-of-${name}` });

/** Every errand has a copy of its target in a ConfigMap, and says so. */
const copies: Controller<Seen> = {
  name: 'copies',
  primary: Errand,
  watches: [
    { resource: ConfigMap, keys: ({ metadata }) => [{ namespace: metadata.namespace ?? '', name: metadata.name.replace('copy-of-', '') }] },
  ],
  observe(key, reader) {
    const errand = reader.get(Errand, key);
    return errand.kind === 'value' ? { object: errand.value, copy: reader.get(ConfigMap, copyKey(key)) } : undefined;
  },
  decide({ object, copy }, now) {
    const status = { phase: copy.kind === 'value' ? 'Running' : 'Pending' };
    if (copy.kind !== 'absent') return { status, effects: [], wakeAt: after(now, 60_000) };
    const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...copyKey(keyOf(object)) }, data: { target: object.spec.target } };
    return { status, effects: [{ kind: 'Create', resource: ConfigMap, object: draft }], wakeAt: after(now, 60_000) };
  },
};

/** Server, cache and loop, with the process's writes written down and its watches held back when a test says so. */
class Process {
  readonly clock = new ManualClock();
  readonly api = createMemoryApi({ clock: this.clock, random: seededRandom(1) });
  readonly admin = createClient(this.api);
  readonly writes: string[] = [];
  readonly outcomes: string[] = [];
  readonly stop = new AbortController();
  #held: Promise<void> | undefined;
  #letGo: () => void = () => {};

  /** What the server tells arrives later. */
  holdWatches(): void {
    this.#held = new Promise((resolve) => (this.#letGo = resolve));
  }

  releaseWatches(): void {
    this.#held = undefined;
    this.#letGo();
  }

  async start(): Promise<{ run: (term: Term) => Promise<WorkEnd>; following: Promise<void> }> {
    await installKind(this.api, Errand);
    const client = createClient(this.#transport());
    const cache = createCache({ client, clock: this.clock, random: seededRandom(2) });
    const metrics: LoopMetrics = { ...noMetrics, passed: (_controller, outcome) => void this.outcomes.push(outcome.kind) };
    const loop = createControlLoop({
      controllers: [copies],
      cache,
      clock: this.clock,
      random: seededRandom(3),
      log: silent,
      events: { record: () => Promise.resolve() },
      metrics,
    });
    return { run: (term) => loop.run(term), following: cache.run(this.stop.signal) };
  }

  ask(name: string): Promise<Errand> {
    const draft = {
      apiVersion: 'test.sickbay.dev/v1',
      kind: 'Errand',
      metadata: { namespace: 'default', name },
      spec: { target: 'plants' },
    };
    return this.admin.create(Errand, draft);
  }

  #transport(): Transport {
    const note = ({ method, path }: ApiRequest): void => {
      if (method !== 'GET') this.writes.push(`${method} ${path.split('/').slice(-2).join('/')}`);
    };
    return {
      request: (request, signal) => {
        note(request);
        return this.api.request(request, signal);
      },
      watch: async (request, signal) => {
        const answer = await this.api.watch(request, signal);
        return 'lines' in answer ? { code: 200, lines: this.#delayed(answer.lines) } : answer;
      },
    };
  }

  async *#delayed<T>(lines: AsyncIterable<T>): AsyncIterable<T> {
    for await (const batch of lines) {
      await this.#held;
      yield batch;
    }
  }
}

/** Until nothing moves any more at this moment. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn();
}

describe('the control loop on cache and server', () => {
  test('writes what is needed and nothing else, through all the echoes of its own writes', async () => {
    const process = new Process();
    const { run, following } = await process.start();
    const running = run(soleTerm(process.stop.signal));
    await process.ask('one');
    await settle();
    expect(process.writes).toEqual(['PATCH one/status', 'POST default/configmaps', 'PATCH one/status']);
    await process.clock.advance(600_000);
    expect(process.writes).toHaveLength(3);
    process.stop.abort();
    await Promise.all([running, following]);
  });

  test('puts right what others undo', async () => {
    const process = new Process();
    const { run, following } = await process.start();
    const running = run(soleTerm(process.stop.signal));
    await process.ask('one');
    await settle();
    await process.admin.delete(ConfigMap, { namespace: 'default', name: 'copy-of-one' });
    await settle();
    const copy = await process.admin.get(ConfigMap, { namespace: 'default', name: 'copy-of-one' });
    expect(copy.data).toEqual({ target: 'plants' });
    await process.admin.delete(Errand, { namespace: 'default', name: 'one' });
    await settle();
    expect(process.outcomes.at(-1)).toBe('gone');
    process.stop.abort();
    await Promise.all([running, following]);
  });

  test('does nothing while its cache does not show its own writes', async () => {
    const process = new Process();
    const { run, following } = await process.start();
    const running = run(soleTerm(process.stop.signal));
    await process.ask('one');
    process.holdWatches();
    await process.ask('two');
    await settle();
    const before = process.writes.length;
    await process.clock.advance(5_000);
    expect(process.writes).toHaveLength(before);
    expect(process.outcomes.filter((kind) => kind === 'stale')).toEqual([]);
    process.releaseWatches();
    await settle();
    expect(process.writes.filter((write) => write.startsWith('POST'))).toHaveLength(2);
    expect(process.writes).toHaveLength(6);
    expect(process.outcomes.filter((kind) => kind !== 'settled' && kind !== 'behind')).toEqual([]);
    process.stop.abort();
    await Promise.all([running, following]);
  });

  test('works only while it leads', async () => {
    const process = new Process();
    const { run, following } = await process.start();
    const lease = { namespace: 'default', name: 'sickbay' };
    const rival = createClient(process.api);
    const random = seededRandom(4);
    const first = new LeaderElection({ client: rival, clock: process.clock, random, log: silent, lease, identity: 'rival' });
    const rivalStop = new AbortController();
    const rivalEnded = first.lead(
      (term) => new Promise((resolve) => term.stop.addEventListener('abort', () => resolve())),
      rivalStop.signal,
    );
    await settle();
    const election = new LeaderElection({
      client: createClient(process.api),
      clock: process.clock,
      random,
      log: silent,
      lease,
      identity: 'us',
    });
    const ended = election.lead(run, process.stop.signal);
    await process.ask('one');
    await process.clock.advance(60_000);
    expect(process.writes).toEqual([]);
    rivalStop.abort();
    await rivalEnded;
    await process.clock.advance(5_000);
    expect(process.writes).toHaveLength(3);
    process.stop.abort();
    expect(await ended).toBe('released');
    await following;
    expect(process.clock.waiting).toBe(0);
  });
});
