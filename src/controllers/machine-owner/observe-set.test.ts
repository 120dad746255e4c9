import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../api/builtin/index.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import type { Listed, Read, Reader } from '../../runtime/controller.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { observeSet } from './observe-set.ts';
import { ago, aMachine, ASKED, aSet, NOW } from './testing/builders.ts';

const OWNED = {
  ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: 'uid-workers', controller: true }],
};
const own = (name: string, change: Parameters<typeof aMachine>[1] = {}): Machine => aMachine(name, { ...OWNED, ...change });
const unreadable = { kind: 'unreadable', reason: 'no' } as const;

interface World {
  readonly set?: MachineSet;
  /** What the cache has of the set's Machines. */
  readonly cached?: readonly Machine[];
  /** What the server has in the namespace. */
  readonly served?: Listed<Machine>;
  readonly cluster?: Read<Cluster>;
}

/** A reader that notes what was asked of the server. */
function reader({ set = aSet(), cached = [], served = { kind: 'value', value: [] }, cluster = { kind: 'absent' } }: World) {
  const asked: string[] = [];
  const read: Reader = {
    get: <T extends KubeObject>({ kind }: Resource<T>): Read<T> =>
      (kind === MachineSet.kind ? { kind: 'value', value: set } : cluster) as Read<KubeObject> as Read<T>,
    list: <T extends KubeObject>({ kind }: Resource<T>): Listed<T> =>
      ({ kind: 'value', value: kind === Machine.kind ? cached : [] }) as Listed<KubeObject> as Listed<T>,
    fetch: <T extends KubeObject>({ kind }: Resource<T>, { name }: ObjectKey): Promise<Read<T>> => {
      asked.push(`${kind} ${name}`);
      const found =
        served.kind === 'value' && kind === Machine.kind ? served.value.find(({ metadata }) => metadata.name === name) : undefined;
      return Promise.resolve((found ? { kind: 'value', value: found } : { kind: 'absent' }) as Read<KubeObject> as Read<T>);
    },
    fetchList: <T extends KubeObject>({ kind }: Resource<T>, { namespace = '' }): Promise<Listed<T>> => {
      asked.push(`all ${kind} in ${namespace}`);
      return Promise.resolve(served as Listed<KubeObject> as Listed<T>);
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
  test('is for the server to say where one is missing in the cache', async () => {
    const foreign = aMachine('workers-9');
    const strayed = own('workers-8', { labels: {} });
    const { seen, asked } = await observed({ served: { kind: 'value', value: [own('workers-1'), foreign, strayed] } });
    expect(asked).toEqual(['all Machine in shop']);
    expect(namesOf(seen?.machines)).toEqual(['workers-1']);
    expect([...(seen?.names ?? [])]).toEqual(['workers-1', 'workers-9', 'workers-8']);
  });

  test('is not asked where none is missing', async () => {
    const { seen, asked } = await observed({ cached: [own('workers-1')] });
    expect(asked).toEqual([]);
    expect(seen).not.toHaveProperty('names');
  });

  test('is unknown where the server cannot say', async () =>
    expect((await observed({ served: unreadable })).seen).toMatchObject({ blind: 'its Machines cannot be read: no', machines: [] }));
});

describe('a Machine that is to be replaced', () => {
  const cached = [own('workers-1', { status: { conditions: ASKED } })];

  test('is as the server has it: one that leaves there is in flight', async () => {
    const leaving = own('workers-1', { deletionTimestamp: ago(0), status: { conditions: ASKED } });
    const { seen } = await observed({ set: aSet({ replicas: 0 }), cached, served: { kind: 'value', value: [leaving] } });
    expect(seen).toMatchObject({ machines: [leaving], patients: [] });
  });

  test.each([
    ['is gone', []],
    ['is another of its name', [own('workers-1', { uid: 'uid-later' })]],
  ])('is not among them where it %s', async (_, value) => {
    const { seen } = await observed({ set: aSet({ replicas: 0 }), cached, served: { kind: 'value', value } });
    expect(seen).toMatchObject({ machines: [], patients: [] });
  });
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
  ])('%s', async (_, world, pausedBy, blind) => {
    const { seen } = await observed(world);
    expect([seen?.pausedBy, seen?.blind]).toEqual([pausedBy, blind]);
  });
});
