import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../api/builtin/index.ts';
import { MachineSet } from '../../../api/machine-set/machine-set.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Listed, Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { observeSet } from './observe-set.ts';
import { ago, aMachine, ASKED, aSet, NOW, stated } from '../testing/builders.ts';

const OWNED = {
  ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: 'uid-workers', controller: true }],
};
const own = (name: string, change: Parameters<typeof aMachine>[1] = {}): Machine => aMachine(name, { ...OWNED, ...change });
const unreadable = { kind: 'unreadable', reason: 'no' } as const;

interface World {
  readonly set?: MachineSet;
  /** The set as the server has it, where the cache is behind. */
  readonly setNow?: Read<MachineSet>;
  readonly clusterNow?: Read<Cluster>;
  /** What the cache has of the set's Machines. */
  readonly cached?: readonly Machine[];
  /** What the server has in the namespace. */
  readonly served?: Listed<Machine>;
  /** What it has a moment later, when it is asked for all of them. */
  readonly later?: Listed<Machine>;
  readonly cluster?: Read<Cluster>;
}

/** A reader that notes what was asked of the server. */
function reader({ set = aSet(), cached = [], served = { kind: 'value', value: [] }, cluster = { kind: 'absent' }, ...world }: World) {
  const asked: string[] = [];
  const { setNow = { kind: 'value', value: set }, clusterNow = cluster, later = served } = world;
  const read: Reader = {
    get: <T extends KubeObject>({ kind }: Resource<T>): Read<T> =>
      (kind === MachineSet.kind ? { kind: 'value', value: set } : cluster) as Read<KubeObject> as Read<T>,
    list: <T extends KubeObject>({ kind }: Resource<T>): Listed<T> =>
      ({ kind: 'value', value: kind === Machine.kind ? cached : [] }) as Listed<KubeObject> as Listed<T>,
    fetch: <T extends KubeObject>({ kind }: Resource<T>, { name }: ObjectKey): Promise<Read<T>> => {
      asked.push(`${kind} ${name}`);
      if (kind === MachineSet.kind) return Promise.resolve(setNow as Read<KubeObject> as Read<T>);
      if (kind === 'Cluster') return Promise.resolve(clusterNow as Read<KubeObject> as Read<T>);
      const found =
        served.kind === 'value' && kind === Machine.kind ? served.value.find(({ metadata }) => metadata.name === name) : undefined;
      return Promise.resolve((found ? { kind: 'value', value: found } : { kind: 'absent' }) as Read<KubeObject> as Read<T>);
    },
    fetchList: <T extends KubeObject>({ kind }: Resource<T>, { namespace = '' }): Promise<Listed<T>> => {
      asked.push(`all ${kind} in ${namespace}`);
      return Promise.resolve(later as Listed<KubeObject> as Listed<T>);
    },
  };
  return { read, asked };
}

const observed = async (world: World) => {
  const { read, asked } = reader(world);
  const seen = await observeSet({ namespace: 'shop', name: 'workers' }, read, { settings: DEFAULT_SETTINGS, now: NOW });
  return { seen, asked };
};
const namesOf = (machines: readonly Machine[] = []): readonly string[] => machines.map(({ metadata }) => metadata.name);

describe('how many Machines a set has', () => {
  test('are read live when one is missing in the cache', async () => {
    const foreign = aMachine('workers-9');
    const strayed = own('workers-8', { labels: {} });
    const { seen, asked } = await observed({ served: { kind: 'value', value: [own('workers-1'), foreign, strayed] } });
    expect(asked).toEqual(['all Machine in shop', 'MachineSet workers']);
    expect(namesOf(seen?.machines)).toEqual(['workers-1']);
    expect([...(seen?.names ?? [])]).toEqual(['workers-1', 'workers-9', 'workers-8']);
  });

  test('is not asked where none is missing', async () => {
    const { seen, asked } = await observed({ cached: [own('workers-1')] });
    expect(asked).toEqual([]);
    expect(seen).not.toHaveProperty('names');
  });

  test('is unknown where the server cannot say', async () =>
    expect((await observed({ served: unreadable })).seen).toMatchObject({ unreadable: 'its Machines cannot be read: no', machines: [] }));
});

describe('a Machine that is to be replaced', () => {
  const cached = [own('workers-1', { status: { conditions: ASKED } })];

  test('is as the server has it: one that leaves there is in flight', async () => {
    const leaving = own('workers-1', { deletionTimestamp: ago(0), status: { conditions: ASKED } });
    const { seen } = await observed({ set: aSet({ replicas: 0 }), cached, served: { kind: 'value', value: [leaving] } });
    expect(seen).toMatchObject({ machines: [leaving], toReplace: [] });
  });

  test.each([
    ['is gone', []],
    ['is another of its name', [own('workers-1', { uid: 'uid-later' })]],
  ])('is not among them where it %s', async (_, value) => {
    const { seen } = await observed({ set: aSet({ replicas: 0 }), cached, served: { kind: 'value', value } });
    expect(seen).toMatchObject({ machines: [], toReplace: [] });
  });
});

test('one that changes while it is read waits for the next pass', async () => {
  const unhealthy = own('workers-1', { status: { conditions: ASKED } });
  const well = own('workers-1', { resourceVersion: '8', status: { conditions: [stated('HealthCheckSucceeded', 'True'), ASKED[1]!] } });
  const world: World = { set: aSet({ replicas: 2 }), cached: [unhealthy], served: { kind: 'value', value: [unhealthy] } };
  const { seen } = await observed({ ...world, later: { kind: 'value', value: [well] } });
  expect(seen).toMatchObject({ machines: [well], toReplace: [] });
  expect((await observed(world)).seen?.toReplace).toHaveLength(1);
});

describe('whether a set is paused', () => {
  const set = aSet({ clusterName: 'prod' });
  const cluster = (paused: boolean): Read<Cluster> => ({
    kind: 'value',
    value: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: aMachine('prod').metadata, spec: { paused } },
  });
  const annotated = { ...set, metadata: { ...set.metadata, annotations: { [ANNOTATIONS.paused]: '' } } };

  test.each<readonly [string, World, readonly string[], string | undefined]>([
    ['its Cluster says', { set, cluster: cluster(true) }, ['Cluster prod is paused'], undefined],
    ['its Cluster denies', { set, cluster: cluster(false) }, [], undefined],
    ['no Cluster stands for it', { set }, [], undefined],
    ['its Cluster cannot be read', { set, cluster: unreadable }, [], 'Cluster prod cannot be read: no'],
    ['it says so itself', { set: annotated, cluster: unreadable }, ['the annotation cluster.x-k8s.io/paused is set'], undefined],
  ])('%s', async (_, world, pausedBy, unreadable) => {
    const { seen } = await observed(world);
    expect([seen?.pausedBy, seen?.unreadable]).toEqual([pausedBy, unreadable]);
  });
});

describe('what is made or deleted rests on the set as the server has it', () => {
  const set = aSet({ replicas: 2, clusterName: 'prod' });
  const now = (change: Partial<MachineSet>): World => ({
    set,
    cached: [own('workers-1')],
    setNow: { kind: 'value', value: { ...set, ...change } },
  });

  test('its size', async () => {
    const { seen } = await observed(now(aSet({ replicas: 1 })));
    expect([seen?.read, seen?.object.spec.replicas]).toMatchObject([{ replicas: 1 }, 1]);
  });

  test('what paused it', async () => {
    const annotated = { metadata: { ...set.metadata, annotations: { [ANNOTATIONS.paused]: '' } } };
    expect((await observed(now(annotated))).seen?.pausedBy).toEqual(['the annotation cluster.x-k8s.io/paused is set']);
    const cluster = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: aMachine('prod').metadata,
      spec: { paused: true },
    };
    expect((await observed({ ...now({}), clusterNow: { kind: 'value', value: cluster } })).seen?.pausedBy).toEqual([
      'Cluster prod is paused',
    ]);
  });

  test('also for one that is to be replaced', async () => {
    const cached = [own('workers-1', { status: { conditions: ASKED } })];
    const { asked } = await observed({ set: aSet(), cached, served: { kind: 'value', value: cached } });
    expect(asked).toContain('MachineSet workers');
  });

  test.each<readonly [string, Read<MachineSet>, string | undefined]>([
    ['is gone', { kind: 'absent' }, undefined],
    ['is another of its name', { kind: 'value', value: { ...set, metadata: { ...set.metadata, uid: 'uid-later' } } }, undefined],
    ['cannot be read', unreadable, 'the set cannot be read: no'],
  ])('nothing where it %s', async (_, setNow, unreadable) => expect((await observed({ set, setNow })).seen?.unreadable).toBe(unreadable));

  test('nothing where its Cluster cannot be read', async () =>
    expect((await observed({ ...now({}), clusterNow: unreadable })).seen?.unreadable).toBe('Cluster prod cannot be read: no'));
});
