import { describe, expect, test } from 'vitest';
import { ConfigMap, Deployment, Node, Pod, ReplicaSet } from '../src/api/builtin/index.ts';
import type { KubeObject } from '../src/api/meta.ts';
import type { Resource } from '../src/api/resource.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import { workflows } from './registry.ts';
import { undoChange } from './undo-change.ts';
import { aConfigMap, aNode, aPod, aWorkload, READY } from './testing/objects.ts';
import { aScene, told } from './testing/scene.ts';
import { lastUndoRecord } from '../src/api/undo-record.ts';
import type { Workflow } from './workflow.ts';

interface Row {
  readonly workflow: string;
  readonly resource: Resource;
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly make: (client: KubeClient) => Promise<unknown>;
  /** How often it writes without faults. */
  readonly writes: number;
}

const NODE = { namespace: '', name: 'n1' };
const aDeployment = (client: KubeClient) => client.create(Deployment, aWorkload() as never);
const aReadyNode = async (client: KubeClient, spec: object) => {
  await client.create(Node, aNode(spec));
  await client.patchStatus(Node, NODE, { type: 'merge', body: { status: READY } });
};
/** Gone as soon as it is deleted: no kubelet runs it here. */
const aBriefPod = (client: KubeClient, name: string) => client.create(Pod, aPod(name, {}, { terminationGracePeriodSeconds: 0 }));
const web = { resource: Deployment, name: 'web', make: aDeployment, writes: 1 };

const rows: readonly Row[] = [
  { ...web, workflow: 'restart-workload' },
  { ...web, workflow: 'scale-replicas', parameters: { REPLICAS: '5' } },
  { ...web, workflow: 'raise-memory-limits', parameters: { FACTOR: '2' } },
  { ...web, workflow: 'raise-cpu-limits', parameters: { FACTOR: '2' } },
  { ...web, workflow: 'rollback-deployment', parameters: { REVISION: '1' }, make: aBadRollout },
  {
    workflow: 'uncordon-node',
    resource: Node,
    name: 'n1',
    make: (client) => aReadyNode(client, { unschedulable: true }),
    writes: 1,
  },
  {
    workflow: 'restore-configmap',
    resource: ConfigMap,
    name: 'settings',
    make: async (client) => {
      await client.create(ConfigMap, aConfigMap('settings', { mode: 'broken' }));
      await client.create(ConfigMap, aConfigMap('settings-last-good', { mode: 'fine' }, 'settings'));
    },
    writes: 2,
  },
  {
    workflow: 'drain-node',
    resource: Node,
    name: 'n1',
    make: async (client) => {
      await aReadyNode(client, {});
      for (const name of ['web-1', 'web-2']) await aBriefPod(client, name);
    },
    writes: 3,
  },
  {
    workflow: 'delete-stuck-pod',
    resource: Pod,
    name: 'web-1',
    parameters: { STATE: 'Pending', STUCK_FOR_SECONDS: '0' },
    make: async (client) => {
      await client.create(Node, aNode());
      await aBriefPod(client, 'web-1');
    },
    writes: 1,
  },
];

async function aBadRollout(client: KubeClient): Promise<void> {
  const at = (image: string) => ({ template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } } });
  const revision = (number: number) => ({ 'deployment.kubernetes.io/revision': String(number) });
  const draft = aWorkload('Deployment', at('bad'));
  const { metadata } = await client.create(Deployment, { ...draft, metadata: { ...draft.metadata, annotations: revision(2) } } as never);
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid, controller: true }];
  for (const [index, image] of ['good', 'bad'].entries())
    await client.create(ReplicaSet, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: `web-${index + 1}`, namespace: 'shop', labels: { app: 'web' }, annotations: revision(index + 1), ownerReferences },
      spec: { selector: { matchLabels: { app: 'web' } }, ...at(image) },
    });
}

const WRITES: ReadonlySet<string> = new Set(['create', 'patch', 'delete', 'subresource']);
class Crash extends Error {}

/** The client of a run that dies at its nth write: before the request reaches the server, or before the answer reaches the run. */
function dying(client: KubeClient, nth: number, when: 'before' | 'after'): { client: KubeClient; writes: () => number } {
  let writes = 0;
  const mortal = new Proxy(client, {
    get(target, member: keyof KubeClient) {
      const call = target[member].bind(target) as (...args: unknown[]) => Promise<unknown>;
      if (!WRITES.has(member)) return call;
      return async (...args: unknown[]) => {
        const isLast = ++writes === nth;
        if (isLast && when === 'before') throw new Crash();
        const answer = await call(...args);
        if (isLast) throw new Crash();
        return answer;
      };
    },
  });
  return { client: mortal, writes: () => writes };
}

const wishOf = (object: KubeObject | undefined): object | undefined => object && { ...object, metadata: undefined, status: undefined };

async function scene(row: Row) {
  const { client, as, clock } = await aScene();
  await row.make(client);
  const key = { namespace: row.resource.namespaced ? 'shop' : '', name: row.name };
  const read = () => client.get(row.resource, key).catch(() => undefined);
  const names = async (resource: Resource) =>
    (await client.list(resource, { namespace: 'shop' })).items.map(({ metadata }) => metadata.name);
  /** Every object that the run may touch. */
  const state = async () => ({ wish: wishOf(await read()), pods: await names(Pod), maps: await names(ConfigMap) });
  return { own: as(row.workflow), clock, read, state, env: told(row.resource.kind, row.name, row.parameters) };
}

describe.each(rows)('$workflow', (row) => {
  const run = workflows[row.workflow] as Workflow;
  const moments = Array.from({ length: row.writes }, (_, index) => [`before write ${index + 1}`, `after write ${index + 1}`]).flat();

  async function clean(): Promise<unknown> {
    const { own, env, clock, state } = await scene(row);
    const { client, writes } = dying(own, 0, 'before');
    await run(client, env, { clock: patient(clock) });
    expect(writes()).toBe(row.writes);
    return state();
  }

  test.each(moments)('that died %s is finished by the next run, and can be undone', async (moment) => {
    const [when = '', , nth] = moment.split(' ');
    const { own, env, clock, read, state } = await scene(row);
    const before = await read();
    await expect(run(dying(own, Number(nth), when as 'before').client, env, { clock: patient(clock) })).rejects.toThrow(Crash);
    // No change exists without its record.
    const changed = await read();
    if (changed && JSON.stringify(wishOf(changed)) !== JSON.stringify(wishOf(before)))
      expect(lastUndoRecord(changed)).toMatchObject({ execution: 'wfe-1', undo: { workflow: expect.any(String) as string } });
    await run(own, env, { clock: patient(clock) });
    expect(await state()).toEqual(await clean());
    if (row.workflow === 'delete-stuck-pod') return;
    await undoChange(row.workflow)(own, { ...env, WORKFLOW_EXECUTION: 'wfe-2', UNDO_EXECUTION: 'wfe-1' });
    expect(wishOf(await read())).toEqual(wishOf(before));
  });
});

/** Nothing takes time here, so no wait is real. */
const patient = <T extends { now(): unknown }>(clock: T) => ({ now: () => clock.now(), waitUntil: async () => undefined }) as never;
