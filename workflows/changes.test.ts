import { describe, expect, test } from 'vitest';
import { ConfigMap, Deployment, Node, ReplicaSet } from '../src/api/builtin/index.ts';
import type { KubeObject } from '../src/api/meta.ts';
import type { Resource } from '../src/api/resource.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import { workflows } from './registry.ts';
import { aConfigMap, aNode, aWorkload, READY } from './testing/objects.ts';
import { aScene, disturbed, told } from './testing/scene.ts';
import { lastUndoRecord } from '../src/api/undo-record.ts';
import { ANNOTATIONS } from '../src/api/well-known.ts';
import type { Workflow } from './workflow.ts';
import { workloadOf } from './workloads.ts';

interface Row {
  readonly workflow: string;
  readonly resource: Resource;
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Creates the broken object. */
  readonly make: (client: KubeClient) => Promise<unknown>;
  /** What the object must become. */
  readonly becomes: object;
  readonly says: string;
  /** Another actor's change of the spec. */
  readonly rival: object;
}

const workloads: readonly Row[] = ['Deployment', 'StatefulSet', 'DaemonSet'].flatMap((kind): readonly Row[] => {
  const resource = workloadOf(kind);
  const base = { resource, name: 'web', make: (client: KubeClient) => client.create(resource, aWorkload(kind)) };
  const rival = { spec: { template: { metadata: { labels: { rival: 'was-here' } } } } };
  return [
    {
      ...base,
      rival,
      workflow: 'restart-workload',
      parameters: {},
      becomes: { spec: { template: { metadata: { annotations: { 'kubernaut.ai/restarted-for': 'wfe-1' } } } } },
      says: `${kind} shop/web restarted for wfe-1`,
    },
    {
      ...base,
      rival,
      workflow: 'raise-memory-limits',
      parameters: { FACTOR: '2' },
      becomes: limits({ memory: '512Mi', cpu: '500m' }, { memory: '128Mi' }),
      says: `${kind} shop/web given higher memory limits: web 256Mi → 512Mi, side 64Mi → 128Mi`,
    },
    {
      ...base,
      rival,
      workflow: 'raise-cpu-limits',
      parameters: { LIMIT: '1500m' },
      becomes: limits({ memory: '256Mi', cpu: '1500m' }, { memory: '64Mi' }),
      says: `${kind} shop/web given higher cpu limits: web 500m → 1500m`,
    },
  ];
});

function limits(web: object, side: object): object {
  const [first, second, third] = [
    { name: 'web', resources: { limits: web, requests: { memory: '128Mi', cpu: '100m' } } },
    { name: 'side', resources: { limits: side } },
    { name: 'free' },
  ];
  return { spec: { template: { spec: { containers: [first, second, third] } } } };
}

const rows: readonly Row[] = [
  ...workloads,
  ...['Deployment', 'StatefulSet'].map((kind) => ({
    workflow: 'scale-replicas',
    resource: workloadOf(kind),
    name: 'web',
    parameters: { REPLICAS: '5' },
    make: (client: KubeClient) => client.create(workloadOf(kind), aWorkload(kind)),
    becomes: { spec: { replicas: 5 } },
    says: `${kind} shop/web scaled from 2 to 5 replicas`,
    rival: { spec: { replicas: 3 } },
  })),
  {
    workflow: 'rollback-deployment',
    resource: Deployment,
    name: 'web',
    parameters: { REVISION: '1' },
    make: aBadRollout,
    becomes: { spec: { template: { spec: { containers: [{ image: 'good' }] } } } },
    says: 'Deployment shop/web rolled back from revision 2 to the template of revision 1 (ReplicaSet web-1)',
    rival: { spec: { template: { metadata: { labels: { rival: 'was-here' } } } } },
  },
  {
    workflow: 'uncordon-node',
    resource: Node,
    name: 'n1',
    parameters: { TAINT_KEY: 'maintenance' },
    make: async (client) => {
      const taints = [
        { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
        { key: 'maintenance', value: 'yes', effect: 'NoSchedule' },
      ];
      await client.create(Node, aNode({ unschedulable: true, taints }));
      await client.patchStatus(Node, { namespace: '', name: 'n1' }, { type: 'merge', body: { status: READY } });
    },
    becomes: { spec: { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] } },
    says: 'Node n1 uncordoned and freed of the taint maintenance=yes:NoSchedule',
    rival: { spec: { taints: [{ key: 'rival', effect: 'NoExecute' }] } },
  },
  {
    workflow: 'restore-configmap',
    resource: ConfigMap,
    name: 'settings',
    parameters: {},
    make: async (client) => {
      await client.create(ConfigMap, aConfigMap('settings', { mode: 'broken', leftover: 'yes' }));
      await client.create(ConfigMap, aConfigMap('settings-last-good', { mode: 'fine' }, 'settings'));
    },
    becomes: { data: { mode: 'fine' } },
    says: 'ConfigMap shop/settings restored to the content of settings-last-good; its former content is kept in settings-was-222de14848b209d5',
    rival: { data: { mode: 'another' } },
  },
];

async function aBadRollout(client: KubeClient): Promise<void> {
  const at = (image: string) => ({ template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } } });
  const revision = (number: number) => ({ 'deployment.kubernetes.io/revision': String(number) });
  const draft = aWorkload('Deployment', at('bad'));
  const { metadata } = await client.create(Deployment, { ...draft, metadata: { ...draft.metadata, annotations: revision(2) } } as never);
  for (const [index, image] of ['good', 'bad'].entries())
    await client.create(ReplicaSet, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `web-${index + 1}`,
        namespace: 'shop',
        labels: { app: 'web' },
        annotations: revision(index + 1),
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid, controller: true }],
      },
      spec: { selector: { matchLabels: { app: 'web' } }, ...at(image) },
    });
}

/** Everything but metadata and status: the desired state. */
const wishOf = (object: KubeObject): object => ({ ...object, metadata: undefined, status: undefined });

describe.each(rows.map((row) => ({ ...row, kind: row.resource.kind })))('$workflow of a $kind', (row) => {
  const { workflow, resource, parameters, becomes, says, rival } = row;
  const key = { namespace: resource.namespaced ? 'shop' : '', name: row.name };
  const run = workflows[workflow] as Workflow;
  const env = told(resource.kind, row.name, parameters);
  const merge = (body: object) => ({ type: 'merge', body }) as const;

  async function set() {
    const scene = await aScene();
    await row.make(scene.client);
    const read = () => scene.client.get(resource, key);
    return { ...scene, read, own: scene.as(workflow) };
  }

  test('acts with the rights of its own account alone, and reports what it did', async () => {
    const { own, read } = await set();
    expect(await run(own, env)).toBe(says);
    expect(await read()).toMatchObject(becomes);
  });

  test('a second time changes nothing and reports it', async () => {
    const { own, read } = await set();
    await run(own, env);
    const before = await read();
    expect(await run(own, env)).toMatch(/already/);
    expect(await read()).toEqual(before);
  });

  test('a dry run shows the change and writes nothing', async () => {
    const { own, client, read } = await set();
    const [before, maps] = [await read(), await client.list(ConfigMap, { namespace: 'shop' })];
    const shown = await run(own, env, { dryRun: true });
    expect(shown).toContain(`${resource.kind} ${key.namespace === '' ? '' : 'shop/'}${row.name} would be `);
    expect(shown.split('\n').filter((line) => /^[+-] \/(spec|data)/.test(line)).length).toBeGreaterThan(0);
    expect(await read()).toEqual(before);
    expect((await client.list(ConfigMap, { namespace: 'shop' })).items).toEqual(maps.items);
  });

  test('records its undo with the change, and the undo restores the object', async () => {
    const { own, as, read } = await set();
    const before = await read();
    await run(own, env);
    const record = lastUndoRecord(await read());
    expect(record).toMatchObject({ workflow, execution: 'wfe-1' });
    const undo = record && 'workflow' in record.undo ? record.undo : { workflow: 'none', parameters: {} };
    await workflows[undo.workflow]?.(as(undo.workflow), {
      ...told(resource.kind, row.name, undo.parameters),
      WORKFLOW_EXECUTION: 'wfe-2',
    });
    const after = await read();
    const { [ANNOTATIONS.undo]: _, ...annotations } = after.metadata.annotations ?? {};
    expect({ ...wishOf(after), annotations }).toEqual({ ...wishOf(before), annotations: before.metadata.annotations ?? {} });
  });

  test('reads again when only labels changed, and keeps them', async () => {
    const { own, client, read } = await set();
    const by = (nth: number) => client.patch(resource, key, merge({ metadata: { labels: { touched: String(nth) } } }));
    await run(disturbed(own, { write: 'patch', times: 4, by }), env);
    expect(await read()).toMatchObject({ ...becomes, metadata: { labels: { touched: '4' } } });
  });

  test('fails when another actor changes the spec, and overwrites nothing', async () => {
    const { own, client, read } = await set();
    const by = () => client.patch(resource, key, merge(rival));
    await expect(run(disturbed(own, { write: 'patch', by }), env)).rejects.toMatchObject({
      code: 'Conflict',
      message: expect.stringContaining('another actor changed it') as string,
    });
    expect(await read()).toMatchObject(rival);
    expect(lastUndoRecord(await read())).toBeUndefined();
  });

  test('fails when the target is deleted and recreated meanwhile', async () => {
    const { own, client, read } = await set();
    const by = async () => {
      const { metadata: _, ...rest } = await read();
      await client.delete(resource, key);
      await client.create(resource, { ...rest, metadata: key.namespace === '' ? { name: key.name } : key });
    };
    await expect(run(disturbed(own, { write: 'patch', by }), env)).rejects.toMatchObject({ code: 'Conflict' });
    expect(lastUndoRecord(await read())).toBeUndefined();
  });

  test.each([
    { what: 'another than was meant', change: { TARGET_UID: 'older' }, why: /not the object that was analysed/ },
    { what: 'absent', change: { TARGET_RESOURCE_NAME: 'gone' }, why: /it does not exist/ },
  ])('refuses a target that is $what', async ({ change, why }) => {
    const { own, read } = await set();
    const before = await read();
    await expect(run(own, { ...env, ...change })).rejects.toMatchObject({ exitCode: 3, message: expect.stringMatching(why) as string });
    expect(await read()).toEqual(before);
  });

  test('refuses a target of another kind', async () => {
    const { own } = await set();
    await expect((async () => run(own, { ...env, TARGET_RESOURCE_KIND: 'Secret' }))()).rejects.toMatchObject({ exitCode: 2 });
  });
});
