/** What a pass of a check reads of its Machines, from caches as they are: with writes of ours that do not show yet. */
import { describe, expect, test } from 'vitest';
import { Cluster, Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { resourceName, type Resource } from '../../../api/resource.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { MINUTE, SECOND, silent } from '../../../base/index.ts';
import { ObjectStore } from '../../../kube/cache/object-store.ts';
import { createObservationReader } from '../../../runtime/reconcile/observation-reader.ts';
import { fakeClient } from '../../../testkit/fake-client.ts';
import { HealthEvaluator } from '../verdict/health-evaluator.ts';
import { observeCheck } from './observe-check.ts';
import { FullListTimes } from '../requests/full-list-times.ts';
import { aHealthCheck, aMachine, aNode, NOW, ready } from '../testing/a-machine.ts';
import { watchesOf } from '../watches/watches.ts';
import { WATCH_FILTER_SICKBAY, type Definitions } from '../other-controllers/managing-controller.ts';

const SIZE = 100;
const UNKNOWN = { checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] } };
const BESIDE = { selector: { matchLabels: { role: 'control-plane' } } };

/** Caches of a fleet, all of it well, and the check that is about it. */
class Caches {
  readonly #stores: ReadonlyMap<string, ObjectStore<KubeObject>>;
  readonly #how: Parameters<typeof observeCheck>[2];
  #version = 1;

  constructor(definitions: Definitions = 'sickbay') {
    const none = () => [];
    const watches = watchesOf({ isCheckedType: () => true, machines: none, checks: none, nodes: none, clusters: none });
    const kinds: readonly Resource[] = [Machine, MachineHealthCheck, Node, Cluster];
    this.#stores = new Map(
      kinds.map((resource) => {
        const store = new ObjectStore<KubeObject>({ resource }, silent);
        store.addIndexes(watches.find((watch) => watch.resource === resource)?.indexes as never);
        store.replace([], '1');
        return [resourceName(resource), store];
      }),
    );
    this.#how = { evaluator: new HealthEvaluator(), now: NOW, annotationRemediates: false, fullLists: new FullListTimes(), definitions };
    for (let i = 0; i < SIZE; i++) {
      const name = `worker-${i}`;
      this.put(Machine, aMachine({ metadata: { name, uid: `m-${i}` }, status: { nodeRef: { name } } }));
      this.put(Node, aNode([ready('True', 30 * MINUTE)]), { name, uid: `n-${i}` });
    }
  }

  store(resource: Resource): ObjectStore<KubeObject> {
    const store = this.#stores.get(resourceName(resource));
    if (!store) throw new Error(`no ${resource.kind} here`);
    return store;
  }

  put<T extends KubeObject>(resource: Resource, object: T, metadata: object = {}): T {
    const shown = { ...object, metadata: { ...object.metadata, ...metadata, resourceVersion: `${++this.#version}` } };
    this.store(resource).put(shown);
    return shown;
  }

  /** One pass: who is told of and how, how many Nodes were looked up, and whether all of it was in vain. */
  async pass() {
    const reader = createObservationReader({ stores: this.#stores, client: fakeClient().client, signal: new AbortController().signal });
    let looked = 0;
    const get: typeof reader.get = (resource, key) => {
      if ((resource as Resource) === Node) looked++;
      return reader.get(resource, key);
    };
    const seen = await observeCheck({ namespace: 'machine-api', name: 'example' }, { ...reader, get }, this.#how);
    const told = seen?.targets.map(({ target, verdict }) => `${target.machine.metadata.name} ${verdict.kind}`) ?? [];
    return { told, looked, isInVain: reader.lags.length > 0, targetsUnknown: seen?.targetsUnknown };
  }
}

describe('a pass of a check over many Machines', () => {
  test('looks up one Node after one has changed, and none after none has', async () => {
    const caches = new Caches();
    caches.put(MachineHealthCheck, aHealthCheck(UNKNOWN));
    expect(await caches.pass()).toMatchObject({ told: [], looked: SIZE });
    caches.put(Node, aNode([ready('Unknown', SECOND)]), { name: 'worker-7', uid: 'n-7' });
    expect(await caches.pass()).toMatchObject({ told: ['worker-7 waiting'], looked: 1 });
    caches.put(Node, aNode([ready('True', SECOND)]), { name: 'worker-7', uid: 'n-7' });
    expect(await caches.pass()).toMatchObject({ told: [], looked: 1 });
    expect(await caches.pass()).toMatchObject({ told: [], looked: 0 });
  });

  test('sees a Node that changes while a Machine elsewhere, on a Node of the same name, is being written', async () => {
    const caches = new Caches();
    caches.put(MachineHealthCheck, aHealthCheck(UNKNOWN));
    const elsewhere = caches.put(Machine, aMachine({ metadata: { namespace: 'other', name: 'worker-7', uid: 'm-x' } }));
    await caches.pass();
    caches.put(Node, aNode([ready('Unknown', SECOND)]), { name: 'worker-7', uid: 'n-7' });
    caches.store(Machine).writes.begin('other/worker-7', elsewhere);
    expect(await caches.pass()).toMatchObject({ told: ['worker-7 waiting'], isInVain: false });
    const shown = caches.put(Machine, elsewhere);
    caches.store(Machine).writes.wrote('other/worker-7', shown);
    expect(await caches.pass()).toMatchObject({ told: ['worker-7 waiting'], isInVain: false });
  });

  test.each<{ readonly resource: Resource; readonly key: string; readonly object: KubeObject }>([
    { resource: Node, key: 'worker-3', object: aNode([ready('True', 30 * MINUTE)]) },
    { resource: Machine, key: 'machine-api/worker-3', object: aMachine() },
    { resource: MachineHealthCheck, key: 'machine-api/beside', object: aHealthCheck(BESIDE) },
  ])('that is in vain, as $resource.kind $key is being written, makes the next one forget nothing', async ({ resource, key, object }) => {
    const caches = new Caches();
    caches.put(MachineHealthCheck, aHealthCheck(UNKNOWN));
    caches.put(MachineHealthCheck, aHealthCheck(BESIDE), { name: 'beside', uid: 'c-1' });
    await caches.pass();
    caches.put(Node, aNode([ready('Unknown', SECOND)]), { name: 'worker-7', uid: 'n-7' });
    caches.store(resource).writes.begin(key, object);
    expect(await caches.pass()).toMatchObject({ isInVain: true });
    caches.store(resource).writes.refused(key);
    const next = await caches.pass();
    expect(next).toMatchObject({ told: ['worker-7 waiting'], isInVain: false });
    expect(next.looked).toBeLessThan(3);
  });

  test('is not in vain for what is written on a check of another namespace', async () => {
    const caches = new Caches();
    caches.put(MachineHealthCheck, aHealthCheck(UNKNOWN));
    const elsewhere = caches.put(MachineHealthCheck, aHealthCheck(), { namespace: 'other', name: 'third', uid: 'c-3' });
    await caches.pass();
    caches.store(MachineHealthCheck).writes.begin('other/third', elsewhere);
    expect(await caches.pass()).toMatchObject({ told: [], looked: 0, isInVain: false });
  });

  test('reads no Machine for a Cluster API check beside it', async () => {
    const caches = new Caches('cluster-api');
    const ours = { labels: { [LABELS.watchFilter]: WATCH_FILTER_SICKBAY }, annotations: { [ANNOTATIONS.paused]: '' } };
    caches.put(MachineHealthCheck, aHealthCheck(UNKNOWN), ours);
    caches.put(MachineHealthCheck, aHealthCheck(BESIDE), { name: 'theirs', uid: 'c-1' });
    expect(await caches.pass()).toMatchObject({ looked: SIZE });
    expect(await caches.pass()).toMatchObject({ looked: 0 });
  });

  test('counts no Machine as healthy while Nodes cannot be read, and continues from the earlier state afterwards', async () => {
    const caches = new Caches();
    caches.put(MachineHealthCheck, aHealthCheck(UNKNOWN));
    await caches.pass();
    caches.store(Node).unreadable = 'forbidden';
    const { told } = await caches.pass();
    expect(told).toHaveLength(SIZE);
    expect(new Set(told.map((text) => text.split(' ')[1]))).toEqual(new Set(['unjudged']));
    caches.store(Node).unreadable = undefined;
    expect(await caches.pass()).toMatchObject({ told: [], looked: 0 });
  });
});
