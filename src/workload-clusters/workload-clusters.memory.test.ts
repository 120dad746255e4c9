import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Namespace, Node, Secret } from '../api/builtin/index.ts';
import { createMemoryApi } from '../apiserver/index.ts';
import { MINUTE, SECOND, seededRandom, silent, turn, type Fields, type Logger } from '../base/index.ts';
import { createClient } from '../kube/client/api-client.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { FarCluster, Network, putKubeconfig } from './testing/clusters.ts';
import { WorkloadClusters } from './workload-clusters.ts';
import type { NodesChange } from './workload-nodes.ts';

const PROD = { namespace: 'shop', name: 'prod' };
const STAGE = { namespace: 'shop', name: 'stage' };
const PROD_SERVER = 'https://prod.example.com:6443';
const STAGE_SERVER = 'https://stage.example.com:6443';

let clock: ManualClock;
let api: ReturnType<typeof createMemoryApi>;
let network: Network;
let prod: FarCluster;
let stage: FarCluster;
let clusters: WorkloadClusters;
let wanted: boolean;
/** Our own server does not answer. */
let isOwnMute: boolean;
let news: string[];
let lines: (Fields & { message: string })[];
let stopListening: () => void;

const admin = () => createClient(api);
const settle = async (): Promise<void> => {
  for (let i = 0; i < 40; i++) await turn();
};
const advance = async (ms: number): Promise<void> => {
  await clock.advance(ms);
  await settle();
};
const told = ({ cluster, change }: NodesChange): string =>
  `${cluster.name} ${typeof change === 'string' ? change : `${change.kind} ${change.object.metadata.name}`}`;

beforeEach(async () => {
  clock = new ManualClock();
  api = createMemoryApi({ clock, random: seededRandom(1) });
  await admin().create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  network = new Network();
  prod = new FarCluster(clock, 2);
  stage = new FarCluster(clock, 3);
  for (const [server, cluster] of [
    [PROD_SERVER, prod],
    [STAGE_SERVER, stage],
  ] as const) {
    network.add(server, cluster);
    await cluster.addNode('worker-0');
  }
  await putKubeconfig(admin(), PROD, { server: PROD_SERVER });
  await putKubeconfig(admin(), STAGE, { server: STAGE_SERVER });
  wanted = true;
  isOwnMute = false;
  news = [];
  lines = [];
  const note = (message: string, fields?: Fields): void => void lines.push({ ...fields, message });
  const log: Logger = { ...silent, info: note, warn: note, error: note, with: () => log };
  clusters = new WorkloadClusters({
    client: createClient({
      request: (request, signal) => (isOwnMute ? Promise.reject(new Error('no answer')) : api.request(request, signal)),
      watch: (request, signal) => api.watch(request, signal),
    }),
    clock,
    random: seededRandom(4),
    log,
    open: network.connect,
    isWanted: () => wanted,
  });
  stopListening = clusters.onChange((change) => news.push(told(change)));
});
afterEach(async () => {
  stopListening();
  await settle();
  await clusters.ended();
  expect(network.open).toBe(0);
  expect(clock.waiting).toBe(0);
  for (const cluster of [prod, stage]) cluster.close();
  api.close();
});

const readyOf = (cluster = PROD, name = 'worker-0'): string => {
  const read = clusters.get(cluster, name);
  if (read.kind === 'value') return read.value.status?.conditions?.[0]?.status ?? 'nothing';
  return read.kind === 'unreadable' ? read.reason : read.kind;
};
const UNLISTED = 'the Nodes of the cluster prod cannot be read: its Nodes have not been listed yet';
const AT_PROD = `the Nodes of the cluster prod cannot be read: ${PROD_SERVER} (Secret shop/prod-kubeconfig): `;

/** Both are followed. */
async function follow(): Promise<void> {
  readyOf(PROD);
  readyOf(STAGE);
  await settle();
  expect([readyOf(PROD), readyOf(STAGE)]).toEqual(['True', 'True']);
  news.length = 0;
}

describe('a cluster', () => {
  test('is followed from the first read on, and notifies when its Nodes are known', async () => {
    await settle();
    expect([clusters.size, prod.requests]).toEqual([0, 0]);
    expect(readyOf()).toBe(UNLISTED);
    await settle();
    expect(news).toEqual(['prod seen']);
    expect(readyOf()).toBe('True');
    expect(readyOf(PROD, 'worker-9')).toBe('absent');
    expect(stage.requests).toBe(0);
  });

  test('[MH-135] has Nodes of its own, whatever those of another are called', async () => {
    await follow();
    await prod.turnReady('worker-0', 'Unknown');
    await settle();
    expect(news).toEqual(['prod put worker-0']);
    expect([readyOf(PROD), readyOf(STAGE)]).toEqual(['Unknown', 'True']);
    await stage.admin.delete(Node, { namespace: '', name: 'worker-0' });
    await settle();
    expect(news).toEqual(['prod put worker-0', 'stage gone worker-0']);
    expect([readyOf(PROD), readyOf(STAGE)]).toEqual(['Unknown', 'absent']);
  });

  test('is read directly when a live read is needed', async () => {
    await follow();
    expect(await clusters.fetch(PROD, 'worker-0')).toMatchObject({ kind: 'value' });
    expect(await clusters.fetch(PROD, 'worker-9')).toEqual({ kind: 'absent' });
    prod.stop();
    expect(await clusters.fetch(PROD, 'worker-0')).toMatchObject({ kind: 'unreadable' });
  });

  test('that is our own, at whatever address, is not followed a second time', async () => {
    const own = Object.assign(new FarCluster(clock, 9), { seenWith: () => api });
    network.add('https://api.own.example.com', own);
    await putKubeconfig(admin(), PROD, { server: 'https://api.own.example.com' });
    readyOf();
    await settle();
    expect(clusters.get(PROD, 'worker-0')).toEqual({ kind: 'local' });
    expect(await clusters.fetch(PROD, 'worker-0')).toEqual({ kind: 'local' });
    expect(clusters.isLocal(PROD)).toBe(true);
    expect(news).toEqual(['prod seen']);
    own.close();
  });

  test('is known to be another only once it was read', async () => {
    expect(clusters.isLocal(PROD)).toBeUndefined();
    prod.stop();
    readyOf(PROD);
    expect(clusters.isLocal(PROD)).toBeUndefined();
    await settle();
    expect(clusters.isLocal(PROD)).toBeUndefined();
    prod.isUp = true;
    await advance(MINUTE);
    expect(clusters.isLocal(PROD)).toBe(false);
    prod.stop();
    await advance(MINUTE);
    expect([clusters.isLocal(PROD), clusters.isLocal(STAGE)]).toEqual([false, undefined]);
  });

  test('is released when no reader needs it, and followed again when one asks', async () => {
    await follow();
    wanted = false;
    await advance(MINUTE);
    expect([clusters.size, network.open]).toEqual([0, 0]);
    wanted = true;
    readyOf();
    await settle();
    expect(readyOf()).toBe('True');
  });

  test('is released with the last listener, and not followed before there is one', async () => {
    await follow();
    const another = clusters.onChange(() => undefined);
    stopListening();
    expect(clusters.size).toBe(2);
    another();
    await clusters.ended();
    expect([clusters.size, network.open]).toEqual([0, 0]);
    expect(readyOf()).toBe('this process does not lead, so that it follows no other clusters');
    expect(await clusters.fetch(PROD, 'worker-0')).toMatchObject({ kind: 'unreadable' });
    expect(clusters.size).toBe(0);
  });
});

describe('a cluster that cannot be reached', () => {
  test('is unreadable at once, not empty; the others go on; and it comes back by itself', async () => {
    await follow();
    prod.stop();
    await settle();
    expect(readyOf()).toBe(`${AT_PROD}connection reset`);
    expect(readyOf(PROD, 'worker-9')).toBe(`${AT_PROD}connection reset`);
    await advance(MINUTE);
    expect(readyOf()).toBe(`${AT_PROD}connect ECONNREFUSED`);
    expect(news).toEqual(['prod unseen']);
    await stage.turnReady('worker-0', 'False');
    await settle();
    expect(readyOf(STAGE)).toBe('False');
    await prod.turnReady('worker-0', 'Unknown');
    prod.isUp = true;
    await advance(MINUTE);
    expect(readyOf()).toBe('Unknown');
    expect(news).toEqual(['prod unseen', 'stage put worker-0', 'prod seen']);
  });

  test('from the start is reported, and retried with growing delays', async () => {
    prod.stop();
    readyOf();
    await settle();
    expect(readyOf()).toBe(`${AT_PROD}GET /api/v1/namespaces/kube-system: connect ECONNREFUSED`);
    expect(news).toEqual(['prod unseen']);
    await advance(10 * MINUTE);
    expect(prod.requests).toBeLessThan(35);
    prod.isUp = true;
    await advance(MINUTE);
    expect(readyOf()).toBe('True');
    expect(news).toEqual(['prod unseen', 'prod seen']);
  });

  test('but sends nothing on its watch is detected by a request', async () => {
    await follow();
    prod.isMute = true;
    await advance(MINUTE);
    expect(readyOf()).toBe(`${AT_PROD}no answer in 20 s`);
    expect(news).toEqual(['prod unseen']);
    prod.isMute = false;
    await advance(MINUTE);
    expect(readyOf()).toBe('True');
    expect(news).toEqual(['prod unseen', 'prod seen']);
  });

  test('for a moment in which something changed notifies of the change', async () => {
    await follow();
    prod.stop();
    await prod.turnReady('worker-0', 'Unknown');
    prod.isUp = true;
    await advance(SECOND);
    expect(news).toEqual(['prod put worker-0']);
    expect(readyOf()).toBe('Unknown');
  });

  test('for so long that the watch cannot be resumed notifies readers to read all Nodes again', async () => {
    await follow();
    prod.isForgetful = true;
    prod.endWatches();
    await prod.turnReady('worker-0', 'Unknown');
    await advance(SECOND);
    expect(news).toEqual(['prod seen']);
    expect(readyOf()).toBe('Unknown');
  });

  test('for so long that an accepted watch reports that it expired notifies readers to read all Nodes again: that is no outage', async () => {
    await follow();
    let times = 0;
    prod.streamFault = () => (times++ === 0 ? { code: 410, reason: 'Expired', message: 'too old resource version' } : undefined);
    prod.endWatches();
    await prod.turnReady('worker-0', 'Unknown');
    await advance(5 * SECOND);
    expect([readyOf(), times]).toEqual(['Unknown', 2]);
    expect(news).toEqual(['prod seen']);
  });

  test('and accepts every watch, only to fail it in its stream, is not trusted before a watch delivers something', async () => {
    const noLeader = { code: 500, reason: 'InternalError', message: 'etcdserver: no leader' };
    await follow();
    prod.streamFault = () => noLeader;
    prod.endWatches();
    await settle();
    await prod.turnReady('worker-0', 'Unknown');
    await advance(MINUTE);
    expect(readyOf()).toBe(`${AT_PROD}the server answered 500: etcdserver: no leader`);
    // Also not in the moment in which a watch starts, which is when a waiting listener would read.
    const seen = new Set<string>();
    for (let i = 0; i < 300; i++) {
      await clock.advance(SECOND / 5);
      seen.add(readyOf());
    }
    expect([...seen]).toEqual([`${AT_PROD}the server answered 500: etcdserver: no leader`]);
    expect(news).toEqual(['prod unseen']);
    prod.streamFault = () => undefined;
    await advance(2 * MINUTE);
    expect(readyOf()).toBe('Unknown');
    expect(news).toEqual(['prod unseen', 'prod seen']);
  });

  test('for a moment that no reader noticed is not reported', async () => {
    await follow();
    prod.stop();
    prod.isUp = true;
    await advance(SECOND);
    expect(readyOf()).toBe('True');
    expect(news).toEqual([]);
  });
});

describe('the Secret', () => {
  test.each([
    { name: 'is missing', break: () => admin().delete(Secret, key), says: 'Secret shop/prod-kubeconfig does not exist' },
    {
      name: 'holds no kubeconfig',
      break: () => patchSecret({ value: Buffer.from('token: [s3cret').toString('base64') }),
      says: 'the kubeconfig in Secret shop/prod-kubeconfig cannot be used: it is not YAML',
    },
  ])('that $name is named, and used once it is there', async ({ break: broken, says }) => {
    await broken();
    readyOf();
    await settle();
    expect(readyOf()).toBe(`the Nodes of the cluster prod cannot be read: ${says}`);
    await admin()
      .delete(Secret, key)
      .catch(() => undefined);
    await putKubeconfig(admin(), PROD, { server: PROD_SERVER });
    await advance(MINUTE);
    expect(readyOf()).toBe('True');
  });

  test('that changes is followed: a new token, and another server', async () => {
    await follow();
    prod.token = 'new';
    prod.stop();
    prod.isUp = true;
    await advance(MINUTE);
    expect(readyOf()).toBe(`${AT_PROD}Unauthorized`);
    await putKubeconfig(admin(), PROD, { server: PROD_SERVER, token: 'new' });
    await advance(MINUTE);
    expect(readyOf()).toBe('True');
    await stage.turnReady('worker-0', 'False');
    await putKubeconfig(admin(), PROD, { server: STAGE_SERVER });
    await advance(MINUTE + SECOND);
    expect(readyOf()).toBe('False');
    expect(network.open).toBe(2);
  });

  test('that changes while its credential is refused is looked for at once', async () => {
    await follow();
    await advance(10 * SECOND);
    await putKubeconfig(admin(), PROD, { server: PROD_SERVER, token: 'new' });
    prod.token = 'new';
    prod.stop();
    prod.isUp = true;
    await advance(5 * SECOND);
    expect(readyOf()).toBe('True');
  });

  test('that cannot be read now counts as unchanged', async () => {
    await follow();
    isOwnMute = true;
    await advance(5 * MINUTE);
    expect([readyOf(PROD), readyOf(STAGE)]).toEqual(['True', 'True']);
    expect([news, network.open]).toEqual([[], 2]);
  });

  test('that cannot be read now does not stop the checks of its cluster', async () => {
    await follow();
    isOwnMute = true;
    prod.isMute = true;
    await advance(MINUTE);
    expect([readyOf(PROD), readyOf(STAGE)]).toEqual([`${AT_PROD}no answer in 20 s`, 'True']);
    prod.isMute = false;
    await advance(MINUTE);
    expect(readyOf(PROD)).toBe('True');
    expect(news).toEqual(['prod unseen', 'prod seen']);
  });

  test('that cannot be read at first is named, with the reason', async () => {
    isOwnMute = true;
    readyOf();
    await settle();
    expect(readyOf()).toMatch(/^the Nodes of the cluster prod cannot be read: Secret shop\/prod-kubeconfig cannot be read: .*no answer$/);
    isOwnMute = false;
    await advance(MINUTE);
    expect(readyOf()).toBe('True');
  });

  test('that is deleted ends the connection', async () => {
    await follow();
    await admin().delete(Secret, key);
    await advance(MINUTE);
    expect(readyOf()).toBe('the Nodes of the cluster prod cannot be read: Secret shop/prod-kubeconfig does not exist');
    expect(network.open).toBe(1);
    expect(news).toEqual(['prod unseen']);
  });

  test('never shows in what is logged', async () => {
    await putKubeconfig(admin(), PROD, { server: PROD_SERVER, token: 's3cret' });
    readyOf();
    await advance(MINUTE);
    prod.token = 's3cret';
    await advance(MINUTE);
    prod.stop();
    await advance(MINUTE);
    expect(lines.length).toBeGreaterThan(2);
    expect(JSON.stringify(lines)).not.toContain('s3cret');
  });
});

const key = { namespace: 'shop', name: 'prod-kubeconfig' };
const patchSecret = (data: object) => admin().patch(Secret, key, { type: 'merge', body: { data } });
