import { describe, expect, test } from 'vitest';
import { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import type { Listed, Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { nodePool } from './node-pool.ts';
import { observeMachineLifecycle } from './observe-machine.ts';
import type { Provider } from './provider.ts';
import { ago, aMachine, aNode } from '../testing/builders.ts';

const CLAIM = 'shop/workers-1/uid-workers-1';

/** The cache knows of no Node; the server has these. */
function reader(machine: Machine, nodes: Listed<Node>): Reader & { readonly asked: string[] } {
  const asked: string[] = [];
  const own = { kind: 'value', value: machine } as const;
  return {
    asked,
    get: <T extends KubeObject>(): Read<T> => own as Read<KubeObject> as Read<T>,
    list: () => ({ kind: 'value', value: [] }),
    fetch: <T extends KubeObject>({ kind }: Resource<T>, { name }: ObjectKey): Promise<Read<T>> => {
      const found = kind === Node.kind && nodes.kind === 'value' ? nodes.value.find(({ metadata }) => metadata.name === name) : undefined;
      return Promise.resolve((found ? { kind: 'value', value: found } : { kind: 'absent' }) as Read<KubeObject> as Read<T>);
    },
    fetchList: <T extends KubeObject>(
      { kind }: Resource<T>,
      { labelSelector }: { readonly labelSelector?: string },
    ): Promise<Listed<T>> => {
      if (kind !== Node.kind) return Promise.resolve({ kind: 'value', value: [] });
      asked.push(labelSelector ?? 'all');
      return Promise.resolve(nodes as Listed<KubeObject> as Listed<T>);
    },
  };
}

const look = (machine: Machine, world: Reader) =>
  observeMachineLifecycle(() => DEFAULT_SETTINGS, nodePool as Provider)({ namespace: 'shop', name: machine.metadata.name }, world);
const observed = async (machine: Machine, nodes: Listed<Node>) => {
  const world = reader(machine, nodes);
  const seen = await look(machine, world);
  return { node: seen?.kind === 'leaving' ? seen.node : undefined, asked: world.asked };
};

describe('whose life is seen to', () => {
  const releaseEffects = { deletionTimestamp: ago(0) };
  const ofControlPlane = { [LABELS.machinePool]: 'workers', [LABELS.controlPlane]: '' };
  const skipped = { annotations: { [ANNOTATIONS.skipRemediation]: '' } };
  const paused = { annotations: { [ANNOTATIONS.paused]: '' } };

  test.each<readonly [string, Parameters<typeof aMachine>[1], string]>([
    ['one of a pool', {}, 'staying'],
    ['not one of none', { labels: {} }, 'none of ours'],
    ['not one of the control plane', { labels: ofControlPlane }, 'none of ours'],
    ['one that has our finalizer and goes, whatever it is of', { ...releaseEffects, labels: ofControlPlane }, 'leaving'],
    ['not one that goes without', { ...releaseEffects, finalizers: [] }, 'none of ours'],
    ['one that was taken out of remediation: it is only never replaced', skipped, 'staying'],
    ['one that was excluded from remediation and then deleted', { ...releaseEffects, ...skipped }, 'leaving'],
    ['not one that is paused', paused, 'none of ours'],
    ['not one that is paused, though it goes', { ...releaseEffects, ...paused }, 'none of ours'],
  ])('%s', async (_, change, kind) => {
    const machine = aMachine('workers-1', change);
    expect(await look(machine, reader(machine, { kind: 'value', value: [] }))).toMatchObject({ kind });
  });
});

describe('the Node of a Machine that leaves and names none', () => {
  const leaving = aMachine('workers-1', { deletionTimestamp: ago(0) });
  const taken = aNode('node-2', { claim: CLAIM });

  test('is one that it took, on the server’s word: the cache may not show it yet', async () =>
    expect(await observed(leaving, { kind: 'value', value: [aNode('node-1'), taken] })).toEqual({
      node: { kind: 'value', value: taken },
      asked: ['machines.sickbay.dev/pool=workers'],
    }));

  test('is unknown where the server does not say', async () =>
    expect((await observed(leaving, { kind: 'unreadable', reason: 'no' })).node).toEqual({ kind: 'unreadable', reason: 'no' }));

  test('is not looked for where there is no pool', async () =>
    expect(await observed(aMachine('workers-1', { deletionTimestamp: ago(0), labels: {} }), { kind: 'value', value: [taken] })).toEqual({
      node: { kind: 'absent' },
      asked: [],
    }));

  test('is not looked for where it names one', async () => {
    const named = aMachine('workers-1', { deletionTimestamp: ago(0), status: { nodeRef: { name: 'node-2' } } });
    expect(await observed(named, { kind: 'value', value: [taken] })).toEqual({ node: { kind: 'value', value: taken }, asked: [] });
  });
});
