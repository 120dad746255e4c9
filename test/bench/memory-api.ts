/**
 * P5: writes through the memory API with schema, defaults, CEL and optimistic concurrency on, against the bare path and against
 * SQLite's own limit. P6: what full durability costs when writes are committed in groups, which is the limit that the SQLite
 * storage will have. P7: the same writes with 50 watchers.
 */
import { CustomResourceDefinition } from '../../src/kube/builtin/custom-resource-definition.ts';
import { crdOf } from '../../src/api/crd-of.ts';
import { RemediationRequest } from '../../src/api/index.ts';
import { createMemoryApi, type MemoryApi } from '../../src/apiserver/index.ts';
import { systemClock, systemRandom, turn } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import { BarePath, SqlitePath } from './bare-path.ts';
import type { BenchResult } from './result.ts';
import { inTurn, perSecond } from './sides.ts';

const WRITES = 2_000;
const WATCHERS = 50;
const GROUP = 32;
const PATH = '/apis/kubernaut.ai/v1alpha1/namespaces/default/remediationrequests';

const draft = (i: number): string => {
  const { sample } = RemediationRequest;
  return JSON.stringify({ ...sample, metadata: { ...sample.metadata, namespace: 'default', name: `rr-${i}` } });
};

async function serve(): Promise<MemoryApi> {
  const api = createMemoryApi({ clock: systemClock, random: systemRandom });
  await createClient(api).create(CustomResourceDefinition, crdOf(RemediationRequest));
  return api;
}

/** Create with a body to parse and an answer to put into words, as over HTTP. */
async function createOne(api: MemoryApi, i: number): Promise<void> {
  const answer = await api.request({ method: 'POST', path: PATH, body: JSON.parse(draft(i)) });
  if (answer.code !== 201) throw new Error(`create answered ${answer.code}: ${JSON.stringify(answer.body)}`);
  JSON.stringify(answer.body);
}

export async function benchWrites(): Promise<readonly BenchResult[]> {
  const served = async (): Promise<number> => {
    const api = await serve();
    const rate = await perSecond(WRITES, (i) => createOne(api, i));
    api.close();
    return rate;
  };
  const bare = (): Promise<number> => {
    const path = new BarePath();
    return perSecond(WRITES, (i) => path.write(`rr-${i}`, draft(i)));
  };
  const sqlite = async (): Promise<number> => {
    const path = new SqlitePath('NORMAL');
    const rate = await perSecond(WRITES, (i) => path.commit([{ key: `rr-${i}`, body: draft(i) }]));
    path.close();
    return rate;
  };
  return [
    {
      name: 'P5 memory API writes ÷ bare path in memory',
      ...(await inTurn(served, bare)),
      unit: 'writes/s',
      goal: 'printed (0.7 holds for the HTTP path)',
    },
    { name: 'P5 memory API writes ÷ SQLite transactions', ...(await inTurn(served, sqlite, 5)), unit: 'writes/s', goal: '≥ 0.4' },
  ];
}

export async function benchDurability(): Promise<BenchResult> {
  const grouped = async (synchronous: 'FULL' | 'NORMAL'): Promise<number> => {
    const path = new SqlitePath(synchronous);
    const group = Array.from({ length: GROUP }, (_, i) => ({ key: `rr-${i}`, body: draft(i) }));
    const rate = (await perSecond(100, () => path.commit(group))) * GROUP;
    path.close();
    return rate;
  };
  const sides = await inTurn(
    () => grouped('FULL'),
    () => grouped('NORMAL'),
  );
  return { name: 'P6 SQLite FULL ÷ NORMAL, 32 writes a commit', ...sides, unit: 'writes/s', goal: '≥ 0.67' };
}

export async function benchFanOut(): Promise<BenchResult> {
  const sides = await inTurn(
    () => delivered(WATCHERS),
    async () => (await delivered(0)) * WATCHERS,
    5,
  );
  return {
    name: 'P7 events delivered to 50 watchers ÷ 50 × writes without watchers',
    ...sides,
    unit: 'events/s',
    goal: '≥ 0.8, none lost',
  };
}

/** Writes per second without watchers; deliveries per second, all of them counted, with some. */
async function delivered(watchers: number): Promise<number> {
  const api = await serve();
  const stop = new AbortController();
  let seen = 0;
  const readers = Array.from({ length: watchers }, async () => {
    const stream = await api.watch({ method: 'GET', path: PATH, query: { watch: '1', resourceVersion: '0' } }, stop.signal);
    if (!('lines' in stream)) throw new Error(`watch answered ${stream.code}`);
    for await (const batch of stream.lines) seen += batch.length;
  });
  await turn();
  const start = performance.now();
  for (let i = 0; i < WRITES; i++) await createOne(api, i);
  while (seen < WRITES * watchers) await turn();
  const seconds = (performance.now() - start) / 1_000;
  stop.abort(new Error('measured'));
  await Promise.allSettled(readers);
  api.close();
  if (seen !== WRITES * watchers) throw new Error(`${seen} events delivered, ${WRITES * watchers} expected`);
  return (WRITES * Math.max(1, watchers)) / seconds;
}
