import { describe, expect, test } from 'vitest';
import { Lease } from '../../api/builtin/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { seededRandom, turn } from '../../base/index.ts';
import { createClient, type KubeClient, type Transport } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { ensureNamespace } from '../process/install.ts';
import { until } from './until.ts';

const namespace = 'shop';
const look = { resource: Lease, namespace };
const lease = (name: string, holderIdentity = '', labels = {}) => ({
  apiVersion: 'coordination.k8s.io/v1' as const,
  kind: 'Lease' as const,
  metadata: { namespace, name, labels },
  spec: { holderIdentity },
});

const namesOf = (leases: readonly Lease[]): string => leases.map(({ metadata }) => metadata.name).join(' ');

/** An API whose watches the test can see and end. */
async function setUp() {
  const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
  const watches: AbortController[] = [];
  const transport: Transport = {
    request: (request, signal) => api.request(request, signal),
    watch: (request, signal) => {
      const cut = new AbortController();
      watches.push(cut);
      return api.watch(request, AbortSignal.any([signal, cut.signal]));
    },
  };
  const client = createClient(transport);
  await ensureNamespace(client, namespace);
  const watching = async (count: number): Promise<void> => {
    while (watches.length < count) await turn();
  };
  return { client, watches, watching };
}

const never = new AbortController().signal;
const hasTwo = (leases: readonly Lease[]): string | undefined => (leases.length === 2 ? namesOf(leases) : undefined);
const create = (client: KubeClient, name: string, holder?: string, labels?: object) => client.create(Lease, lease(name, holder, labels));

describe('until', () => {
  test('what exists at the first read is enough: nothing is watched', async () => {
    const { client, watches } = await setUp();
    await create(client, 'a');
    expect(await until(client, look, namesOf, never)).toBe('a');
    expect(watches).toHaveLength(0);
  });

  test('any answer but undefined is one', async () => {
    const { client } = await setUp();
    expect(await until(client, look, () => false, never)).toBe(false);
    expect(await until(client, look, () => '', never)).toBe('');
  });

  test('sees what is created later, together with what was there', async () => {
    const { client, watching } = await setUp();
    await create(client, 'a');
    const found = until(client, look, hasTwo, never);
    await watching(1);
    await create(client, 'b');
    expect(await found).toBe('a b');
  });

  test('sees a change', async () => {
    const { client, watching } = await setUp();
    await create(client, 'a');
    const isHeld = (leases: readonly Lease[]) => leases.find(({ spec }) => spec?.holderIdentity === 'us')?.metadata.name;
    const found = until(client, look, isHeld, never);
    await watching(1);
    await client.patch(Lease, { namespace, name: 'a' }, { type: 'merge', body: { spec: { holderIdentity: 'us' } } });
    expect(await found).toBe('a');
  });

  test('sees that something is gone', async () => {
    const { client, watching } = await setUp();
    await create(client, 'a');
    await create(client, 'b');
    const found = until(client, look, (leases) => (leases.length === 1 ? namesOf(leases) : undefined), never);
    await watching(1);
    await client.delete(Lease, { namespace, name: 'a' });
    expect(await found).toBe('b');
  });

  test('sees only its own namespace and labels', async () => {
    const { client, watching } = await setUp();
    await ensureNamespace(client, 'elsewhere');
    const seen: string[] = [];
    const judge = (leases: readonly Lease[]): true | undefined => {
      seen.push(namesOf(leases));
      return leases.length > 0 || undefined;
    };
    const found = until(client, { ...look, labelSelector: 'app=shop' }, judge, never);
    await watching(1);
    await client.create(Lease, { ...lease('far'), metadata: { namespace: 'elsewhere', name: 'far', labels: { app: 'shop' } } });
    await create(client, 'other');
    await create(client, 'ours', '', { app: 'shop' });
    await found;
    expect(seen).toEqual(['', 'ours']);
  });

  test('a watch that ends is opened again, and what happened in between is seen', async () => {
    const { client, watches, watching } = await setUp();
    const found = until(client, look, hasTwo, never);
    await watching(1);
    await create(client, 'a');
    watches[0]?.abort();
    await watching(2);
    await create(client, 'b');
    expect(await found).toBe('a b');
  });

  test('rejects with the reason when it is aborted', async () => {
    const { client, watching } = await setUp();
    const stop = new AbortController();
    const found = until(client, look, hasTwo, stop.signal);
    await watching(1);
    stop.abort(new Error('enough'));
    await expect(found).rejects.toThrow('enough');
  });

  test('reads nothing when it was stopped before', async () => {
    const { client } = await setUp();
    const looks: string[] = [];
    const judge = (leases: readonly Lease[]) => looks.push(namesOf(leases));
    await expect(until(client, look, judge, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(looks).toEqual([]);
  });

  test('what the server refuses is not waited for', async () => {
    const { client } = await setUp();
    await expect(until(client, { ...look, labelSelector: 'not a selector' }, hasTwo, never)).rejects.toMatchObject({ code: 'BadRequest' });
  });
});
