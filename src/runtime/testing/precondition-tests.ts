import { expect, test } from 'vitest';
import { ConfigMap, Job } from '../../api/builtin/index.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { resourceName } from '../../api/resource.ts';
import { hasCode, silent, systemClock } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { FakeStore } from '../../testkit/fake-store.ts';
import { Errand } from '../../testkit/sample/errand.ts';
import type { Controller, Decision, Effect } from '../reconcile/controller.ts';
import { HELD_JOB, releaseJob } from '../reconcile/release-suspended-runs.ts';
import { reconcileOnce, type Outcome, type World } from '../reconcile/reconcile-once.ts';

/** A server under test: the Errand kind is installed, the namespace is this suite's own. */
export interface Site {
  readonly client: KubeClient;
  readonly namespace: string;
}

/** One pass whose observation is `seen`, however old, and whose decision is given. */
async function decideOn(client: KubeClient, seen: Errand, decision: Decision): Promise<Outcome> {
  const controller: Controller = {
    name: 'preconditions',
    primary: Errand,
    watches: [],
    observe: () => ({ object: seen }),
    decide: () => decision,
  };
  const world: World = {
    stores: new Map([[resourceName(Errand), new FakeStore(Errand, [seen])]]),
    client,
    clock: systemClock,
    events: { record: () => Promise.resolve() },
    calls: {},
    log: silent,
    signal: new AbortController().signal,
    mayAct: () => true,
  };
  return reconcileOnce(controller, keyOf(seen), world);
}

/** A server under test, with what the tests need to make and see. */
class TestServer {
  readonly client: KubeClient;
  readonly #namespace: string;
  #made = 0;

  constructor({ client, namespace }: Site) {
    this.client = client;
    this.#namespace = namespace;
  }

  fresh(): ObjectKey {
    return { namespace: this.#namespace, name: `p${++this.#made}` };
  }

  anErrand(key = this.fresh()): Promise<Errand> {
    const draft = { apiVersion: 'test.sickbay.dev/v1', kind: 'Errand', metadata: { ...key }, spec: { target: 'plants' } };
    return this.client.create(Errand, draft);
  }

  aMap(key = this.fresh()): Promise<ConfigMap> {
    return this.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key }, data: { a: '1' } });
  }

  mapNow(key: ObjectKey): Promise<ConfigMap> {
    return this.client.get(ConfigMap, key);
  }

  async exists(key: ObjectKey): Promise<boolean> {
    try {
      return (await this.mapNow(key)).metadata.name === key.name;
    } catch (error) {
      if (hasCode(error, 'NotFound')) return false;
      throw error;
    }
  }

  /** How a pass ends that performs these effects. */
  async effects(...wanted: readonly Effect[]): Promise<Outcome['kind']> {
    return (await decideOn(this.client, await this.anErrand(), { effects: wanted })).kind;
  }
}

const setA = (map: ConfigMap, more: { readonly uid?: string; readonly resourceVersion?: string } = {}): Effect => ({
  kind: 'Patch',
  resource: ConfigMap,
  key: keyOf(map),
  uid: map.metadata.uid,
  operations: [{ op: 'replace', path: '/data/a', value: '2' }],
  ...more,
});

/** What a server must enforce so that a stale view cannot act. The same on every server that we run against. */
export function preconditionTests(site: () => Site): void {
  let made: TestServer | undefined;
  const server = (): TestServer => (made ??= new TestServer(site()));
  statusTests(server);
  patchTests(server);
  otherEffectTests(server);
}

function statusTests(server: () => TestServer): void {
  test('a status is written whole: members that went are gone', async () => {
    const on = server();
    const { client } = on;
    const errand = await on.anErrand();
    expect(await decideOn(client, errand, { status: { phase: 'Pending', reason: 'x' }, effects: [] })).toMatchObject({ kind: 'settled' });
    const written = await client.get(Errand, keyOf(errand));
    expect(written.status).toEqual({ phase: 'Pending', reason: 'x' });
    await decideOn(client, written, { status: { phase: 'Running' }, effects: [] });
    expect((await client.get(Errand, keyOf(errand))).status).toEqual({ phase: 'Running' });
  });

  test('a status decided on an older version is refused, and no effect runs', async () => {
    const on = server();
    const { client } = on;
    const errand = await on.anErrand();
    await decideOn(client, errand, { status: { phase: 'Pending' }, effects: [] });
    const map = on.fresh();
    const create: Effect = { kind: 'Create', resource: ConfigMap, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...map } } };
    const outcome = await decideOn(client, errand, { status: { phase: 'Running' }, effects: [create] });
    expect(outcome.kind).toBe('stale');
    expect((await client.get(Errand, keyOf(errand))).status).toEqual({ phase: 'Pending' });
    expect(await on.exists(map)).toBe(false);
  });

  test('a status for an object that was replaced by another of its name is refused', async () => {
    const on = server();
    const { client } = on;
    const errand = await on.anErrand();
    await client.delete(Errand, keyOf(errand));
    const outcomeGone = await decideOn(client, errand, { status: { phase: 'Pending' }, effects: [] });
    const other = await on.anErrand(keyOf(errand));
    const outcomeReplaced = await decideOn(client, errand, { status: { phase: 'Pending' }, effects: [] });
    expect([outcomeGone.kind, outcomeReplaced.kind]).toEqual(['stale', 'stale']);
    expect((await client.get(Errand, keyOf(other))).status).toBeUndefined();
  });

  test('a status that breaks the schema is a failure of ours, not a stale view', async () => {
    const on = server();
    const outcome = await decideOn(on.client, await on.anErrand(), { status: { phase: 'Nonsense' }, effects: [] });
    expect(outcome).toMatchObject({ kind: 'failed', step: 'act' });
  });
}

function patchTests(server: () => TestServer): void {
  test('a patch is for the object that was seen', async () => {
    const on = server();
    const map = await on.aMap();
    expect(await on.effects(setA(map, { uid: 'another' }))).toBe('stale');
    expect(await on.effects(setA(map, { resourceVersion: '1' }))).toBe('stale');
    expect((await on.mapNow(keyOf(map))).data).toEqual({ a: '1' });
    expect(await on.effects(setA(map, { resourceVersion: map.metadata.resourceVersion }))).toBe('settled');
    expect((await on.mapNow(keyOf(map))).data).toEqual({ a: '2' });
    expect(await on.effects(setA(map, { resourceVersion: map.metadata.resourceVersion }))).toBe('stale');
    expect(await on.effects(setA(map))).toBe('settled');
  });

  test('a patch for what is gone, or what has taken its name, does nothing', async () => {
    const on = server();
    const { client } = on;
    const map = await on.aMap();
    await client.delete(ConfigMap, keyOf(map));
    expect(await on.effects(setA(map))).toBe('stale');
    await on.aMap(keyOf(map));
    expect(await on.effects(setA(map))).toBe('stale');
    expect((await on.mapNow(keyOf(map))).data).toEqual({ a: '1' });
  });

  test('a patch that makes the object invalid is a failure of ours', async () => {
    const on = server();
    const errand = await on.anErrand();
    const patch: Effect = {
      kind: 'Patch',
      resource: Errand,
      key: keyOf(errand),
      uid: errand.metadata.uid,
      operations: [{ op: 'replace', path: '/spec/target', value: 'letters' }],
    };
    expect(await on.effects(patch)).toBe('failed');
  });

  test('the status of another object is under its own version', async () => {
    const on = server();
    const { client } = on;
    const errand = await on.anErrand();
    const write = (phase: string): Effect => ({
      kind: 'PatchStatus',
      resource: Errand,
      key: keyOf(errand),
      resourceVersion: errand.metadata.resourceVersion,
      status: { phase },
    });
    expect(await on.effects(write('Pending'))).toBe('settled');
    expect(await on.effects(write('Running'))).toBe('stale');
    expect((await client.get(Errand, keyOf(errand))).status).toEqual({ phase: 'Pending' });
  });
}

function otherEffectTests(server: () => TestServer): void {
  test('a deletion is of the object that was seen; one that is gone is fine', async () => {
    const on = server();
    const map = await on.aMap();
    const remove = (uid: string): Effect => ({ kind: 'Delete', resource: ConfigMap, key: keyOf(map), uid });
    expect(await on.effects(remove('another'))).toBe('stale');
    expect(await on.exists(keyOf(map))).toBe(true);
    expect(await on.effects(remove(map.metadata.uid))).toBe('settled');
    expect(await on.exists(keyOf(map))).toBe(false);
    expect(await on.effects(remove(map.metadata.uid))).toBe('settled');
  });

  test('a deletion under a version is of the object as it was seen', async () => {
    const on = server();
    const map = await on.aMap();
    const { uid, resourceVersion } = map.metadata;
    const remove = (version: string): Effect => ({ kind: 'Delete', resource: ConfigMap, key: keyOf(map), uid, resourceVersion: version });
    const { metadata } = await on.client.patch(ConfigMap, keyOf(map), { type: 'merge', body: { data: { a: '2' } } });
    expect(await on.effects(remove(resourceVersion))).toBe('stale');
    expect(await on.exists(keyOf(map))).toBe(true);
    expect(await on.effects(remove(metadata.resourceVersion))).toBe('settled');
    expect(await on.exists(keyOf(map))).toBe(false);
  });

  test('a creation leaves what exists alone', async () => {
    const on = server();
    const map = await on.aMap();
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...keyOf(map) }, data: { a: 'other' } };
    expect(await on.effects({ kind: 'Create', resource: ConfigMap, object })).toBe('settled');
    expect(await on.mapNow(keyOf(map))).toEqual(map);
  });

  test('a suspended Job is released once, as it was observed', async () => {
    const on = server();
    const { client } = on;
    const key = on.fresh();
    const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'c', image: 'sickbay.test/busybox:1' }] } };
    // Managed by no controller, so that its version changes only by our writes.
    const spec = { ...HELD_JOB, managedBy: 'test.sickbay.dev/nobody', template };
    const job: Job = await client.create(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata: { ...key }, spec });
    const other: KubeObject = { ...job, metadata: { ...job.metadata, uid: 'another' } };
    expect(await on.effects(releaseJob(Job, other))).toBe('stale');
    expect(await on.effects(releaseJob(Job, job))).toBe('settled');
    expect((await client.get(Job, key)).spec.suspend).toBe(false);
    expect(await on.effects(releaseJob(Job, job))).toBe('stale');
  });
}
