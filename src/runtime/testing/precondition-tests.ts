import { expect, test } from 'vitest';
import { ConfigMap, Job } from '../../api/builtin/index.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { resourceName } from '../../api/resource.ts';
import { hasCode, silent, systemClock } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client.ts';
import { FakeStore } from '../../testkit/fake-store.ts';
import { Errand } from '../../testkit/sample/errand.ts';
import type { Controller, Decision, Effect } from '../controller.ts';
import { HELD_JOB, releaseJob } from '../held-runs.ts';
import { reconcileOnce, type Outcome, type World } from '../reconcile-once.ts';

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

/** What a server must enforce so that a stale view cannot act. The same on every server that we run against. */
export function preconditionTests(site: () => Site): void {
  let made = 0;
  const fresh = (): ObjectKey => ({ namespace: site().namespace, name: `p${++made}` });
  const anErrand = (key = fresh()): Promise<Errand> =>
    site().client.create(Errand, { apiVersion: 'test.sickbay.dev/v1', kind: 'Errand', metadata: { ...key }, spec: { target: 'plants' } });
  const aMap = (key = fresh()): Promise<ConfigMap> =>
    site().client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key }, data: { a: '1' } });
  const mapNow = (key: ObjectKey): Promise<ConfigMap> => site().client.get(ConfigMap, key);
  const effects = async (...wanted: readonly Effect[]): Promise<Outcome['kind']> =>
    (await decideOn(site().client, await anErrand(), { effects: wanted })).kind;
  const setA = (map: ConfigMap, more: { readonly uid?: string; readonly resourceVersion?: string } = {}): Effect => ({
    kind: 'Patch',
    resource: ConfigMap,
    key: keyOf(map),
    uid: map.metadata.uid,
    operations: [{ op: 'replace', path: '/data/a', value: '2' }],
    ...more,
  });
  const exists = async (key: ObjectKey): Promise<boolean> => {
    try {
      return (await mapNow(key)).metadata.name === key.name;
    } catch (error) {
      if (hasCode(error, 'NotFound')) return false;
      throw error;
    }
  };

  test('a status is written whole: members that went are gone', async () => {
    const { client } = site();
    const errand = await anErrand();
    expect(await decideOn(client, errand, { status: { phase: 'Pending', reason: 'x' }, effects: [] })).toMatchObject({ kind: 'settled' });
    const written = await client.get(Errand, keyOf(errand));
    expect(written.status).toEqual({ phase: 'Pending', reason: 'x' });
    await decideOn(client, written, { status: { phase: 'Running' }, effects: [] });
    expect((await client.get(Errand, keyOf(errand))).status).toEqual({ phase: 'Running' });
  });

  test('a status decided on an older version is refused, and no effect runs', async () => {
    const { client } = site();
    const errand = await anErrand();
    await decideOn(client, errand, { status: { phase: 'Pending' }, effects: [] });
    const map = fresh();
    const create: Effect = { kind: 'Create', resource: ConfigMap, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...map } } };
    const outcome = await decideOn(client, errand, { status: { phase: 'Running' }, effects: [create] });
    expect(outcome.kind).toBe('stale');
    expect((await client.get(Errand, keyOf(errand))).status).toEqual({ phase: 'Pending' });
    expect(await exists(map)).toBe(false);
  });

  test('a status for an object that was replaced by another of its name is refused', async () => {
    const { client } = site();
    const errand = await anErrand();
    await client.delete(Errand, keyOf(errand));
    const outcomeGone = await decideOn(client, errand, { status: { phase: 'Pending' }, effects: [] });
    const other = await anErrand(keyOf(errand));
    const outcomeReplaced = await decideOn(client, errand, { status: { phase: 'Pending' }, effects: [] });
    expect([outcomeGone.kind, outcomeReplaced.kind]).toEqual(['stale', 'stale']);
    expect((await client.get(Errand, keyOf(other))).status).toBeUndefined();
  });

  test('a status that breaks the schema is a failure of ours, not a stale view', async () => {
    const outcome = await decideOn(site().client, await anErrand(), { status: { phase: 'Nonsense' }, effects: [] });
    expect(outcome).toMatchObject({ kind: 'failed', step: 'act' });
  });

  test('a patch is for the object that was seen', async () => {
    const map = await aMap();
    expect(await effects(setA(map, { uid: 'another' }))).toBe('stale');
    expect(await effects(setA(map, { resourceVersion: '1' }))).toBe('stale');
    expect((await mapNow(keyOf(map))).data).toEqual({ a: '1' });
    expect(await effects(setA(map, { resourceVersion: map.metadata.resourceVersion }))).toBe('settled');
    expect((await mapNow(keyOf(map))).data).toEqual({ a: '2' });
    expect(await effects(setA(map, { resourceVersion: map.metadata.resourceVersion }))).toBe('stale');
    expect(await effects(setA(map))).toBe('settled');
  });

  test('a patch for what is gone, or what has taken its name, does nothing', async () => {
    const { client } = site();
    const map = await aMap();
    await client.delete(ConfigMap, keyOf(map));
    expect(await effects(setA(map))).toBe('stale');
    await aMap(keyOf(map));
    expect(await effects(setA(map))).toBe('stale');
    expect((await mapNow(keyOf(map))).data).toEqual({ a: '1' });
  });

  test('a patch that makes the object invalid is a failure of ours', async () => {
    const errand = await anErrand();
    const patch: Effect = {
      kind: 'Patch',
      resource: Errand,
      key: keyOf(errand),
      uid: errand.metadata.uid,
      operations: [{ op: 'replace', path: '/spec/target', value: 'letters' }],
    };
    expect(await effects(patch)).toBe('failed');
  });

  test('the status of another object is under its own version', async () => {
    const { client } = site();
    const errand = await anErrand();
    const write = (phase: string): Effect => ({
      kind: 'PatchStatus',
      resource: Errand,
      key: keyOf(errand),
      resourceVersion: errand.metadata.resourceVersion,
      status: { phase },
    });
    expect(await effects(write('Pending'))).toBe('settled');
    expect(await effects(write('Running'))).toBe('stale');
    expect((await client.get(Errand, keyOf(errand))).status).toEqual({ phase: 'Pending' });
  });

  test('a deletion is of the object that was seen; one that is gone is fine', async () => {
    const map = await aMap();
    const remove = (uid: string): Effect => ({ kind: 'Delete', resource: ConfigMap, key: keyOf(map), uid });
    expect(await effects(remove('another'))).toBe('stale');
    expect(await exists(keyOf(map))).toBe(true);
    expect(await effects(remove(map.metadata.uid))).toBe('settled');
    expect(await exists(keyOf(map))).toBe(false);
    expect(await effects(remove(map.metadata.uid))).toBe('settled');
  });

  test('a creation leaves what exists alone', async () => {
    const map = await aMap();
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...keyOf(map) }, data: { a: 'other' } };
    expect(await effects({ kind: 'Create', resource: ConfigMap, object })).toBe('settled');
    expect(await mapNow(keyOf(map))).toEqual(map);
  });

  test('a held Job is let go once, as it was seen', async () => {
    const { client } = site();
    const key = fresh();
    const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'c', image: 'sickbay.test/busybox:1' }] } };
    // Managed by nobody, so that its version changes only by our doing.
    const spec = { ...HELD_JOB, managedBy: 'test.sickbay.dev/nobody', template };
    const job: Job = await client.create(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata: { ...key }, spec });
    const other: KubeObject = { ...job, metadata: { ...job.metadata, uid: 'another' } };
    expect(await effects(releaseJob(Job, other))).toBe('stale');
    expect(await effects(releaseJob(Job, job))).toBe('settled');
    expect((await client.get(Job, key)).spec.suspend).toBe(false);
    expect(await effects(releaseJob(Job, job))).toBe('stale');
  });
}
