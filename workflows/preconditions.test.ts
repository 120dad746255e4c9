import { describe, expect, test } from 'vitest';
import { ConfigMap, Deployment, HorizontalPodAutoscaler, Node } from '../src/api/builtin/index.ts';
import type { Resource } from '../src/api/resource.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import { workflows } from './registry.ts';
import { aConfigMap, aNode, aWorkload, READY } from './testing/objects.ts';
import { aScene, told } from './testing/scene.ts';
import type { Workflow } from './workflow.ts';
import { workloadOf } from './workloads.ts';

/** Runs a workflow that must refuse, and sees that the target is as it was. */
async function refusal(
  workflow: string,
  resource: Resource,
  { make, name, parameters, see = (client) => client }: Refused,
): Promise<unknown> {
  const { client, as } = await aScene();
  await make(client);
  const read = () => client.get(resource, { namespace: resource.namespaced ? 'shop' : '', name });
  const before = await read();
  const run = workflows[workflow] as Workflow;
  const end = await run(see(as(workflow)), told(resource.kind, name, parameters)).catch((error: unknown) => error);
  expect(await read()).toEqual(before);
  return end;
}

interface Refused {
  readonly make: (client: KubeClient) => Promise<unknown>;
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly see?: (client: KubeClient) => KubeClient;
}

interface Case {
  readonly what: string;
  readonly workflow: string;
  readonly kind?: string;
  readonly spec?: object;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

const HIGH = [{ name: 'web', image: 'a', resources: { limits: { memory: '4Gi' } } }];

describe('a workload is not touched when', () => {
  test.each<Case>([
    { what: 'its rollouts are paused', workflow: 'restart-workload', spec: { paused: true }, says: /rollout resume/ },
    { what: 'it has no replicas', workflow: 'restart-workload', spec: { replicas: 0 }, says: /no replicas to restart/ },
    {
      what: 'its pods change only when they are deleted',
      workflow: 'restart-workload',
      kind: 'DaemonSet',
      spec: { updateStrategy: { type: 'OnDelete' } },
      says: /OnDelete/,
    },
    {
      what: 'it is scaled to zero',
      workflow: 'scale-replicas',
      spec: { replicas: 0 },
      parameters: { REPLICAS: '3' },
      says: /no replicas/,
    },
    { what: 'its rollouts are paused, either', workflow: 'raise-memory-limits', spec: { paused: true }, says: /rollout resume/ },
    {
      what: 'it has no such container',
      workflow: 'raise-memory-limits',
      parameters: { CONTAINER: 'db' },
      says: /no container db, only web, side, free/,
    },
    { what: 'the container has no limit', workflow: 'raise-cpu-limits', parameters: { CONTAINER: 'side' }, says: /has a cpu limit/ },
    {
      what: 'its limits have reached the cap',
      workflow: 'raise-memory-limits',
      spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers: HIGH } } },
      says: /reached MAX_LIMIT \(4Gi\): web 4Gi/,
    },
    {
      what: 'a limit would go below what is requested',
      workflow: 'raise-memory-limits',
      parameters: { RESTORE: 'web=100Mi' },
      says: /requests 128Mi of memory, more than the limit 100Mi/,
    },
    {
      what: 'the way back names a container that is gone',
      workflow: 'raise-memory-limits',
      parameters: { RESTORE: 'web=100Mi,old=1Gi' },
      says: /no container old/,
    },
  ])('$what ($workflow)', async ({ workflow, kind = 'Deployment', spec = {}, parameters = {}, says }) => {
    const resource = workloadOf(kind);
    const make = (client: KubeClient) => client.create(resource, aWorkload(kind, spec));
    const end = await refusal(workflow, resource, { make, name: 'web', parameters });
    expect(end).toMatchObject({ exitCode: 3, message: expect.stringMatching(says) as string });
  });

  test('an autoscaler decides on its replicas', async () => {
    const autoscaler = { metadata: { name: 'web-hpa' }, spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 9 } };
    const see = (client: KubeClient): KubeClient =>
      new Proxy(client, {
        get: (target, member: keyof KubeClient) =>
          member === 'list'
            ? async (resource: Resource) => ({ items: resource === HorizontalPodAutoscaler ? [autoscaler] : [], resourceVersion: '1' })
            : (target[member].bind(target) as unknown),
      });
    const make = (client: KubeClient) => client.create(Deployment, aWorkload() as never);
    const end = await refusal('scale-replicas', Deployment, { make, name: 'web', parameters: { REPLICAS: '3' }, see });
    expect(end).toMatchObject({ exitCode: 3, message: expect.stringContaining('HorizontalPodAutoscaler web-hpa') as string });
  });
});

describe('a parameter is refused when', () => {
  test.each<Case>([
    { what: 'there is no number of replicas', workflow: 'scale-replicas', says: /REPLICAS is not set/ },
    { what: 'none would be left', workflow: 'scale-replicas', parameters: { REPLICAS: '0' }, says: /from 1 to 50/ },
    { what: 'too many are asked for', workflow: 'scale-replicas', parameters: { REPLICAS: '51' }, says: /from 1 to 50/ },
    { what: 'two ways are given', workflow: 'raise-memory-limits', parameters: { FACTOR: '2', LIMIT: '1Gi' }, says: /both set/ },
    { what: 'the limit is above the cap', workflow: 'raise-memory-limits', parameters: { LIMIT: '5Gi' }, says: /more than MAX_LIMIT/ },
    { what: 'the limit is none', workflow: 'raise-cpu-limits', parameters: { LIMIT: 'lots' }, says: /an amount such as/ },
    { what: 'the cap is nothing', workflow: 'raise-cpu-limits', parameters: { MAX_LIMIT: '0' }, says: /an amount such as/ },
    { what: 'the factor lowers', workflow: 'raise-cpu-limits', parameters: { FACTOR: '0.5' }, says: /from 1.1 to 4/ },
    {
      what: 'no run is named for a factor',
      workflow: 'raise-cpu-limits',
      parameters: { WORKFLOW_EXECUTION: '' },
      says: /WORKFLOW_EXECUTION/,
    },
    {
      what: 'no run is named for a restart',
      workflow: 'restart-workload',
      parameters: { WORKFLOW_EXECUTION: '' },
      says: /WORKFLOW_EXECUTION/,
    },
    { what: 'the way back is no pair', workflow: 'raise-cpu-limits', parameters: { RESTORE: 'web=1=2' }, says: /CONTAINER=LIMIT/ },
    { what: 'the way back is no amount', workflow: 'raise-cpu-limits', parameters: { RESTORE: 'web=x' }, says: /an amount such as/ },
    { what: 'the mark is no name', workflow: 'restart-workload', parameters: { MARK: '"}' }, says: /must match/ },
  ])('$what ($workflow)', async ({ workflow, parameters = {}, says }) => {
    const make = (client: KubeClient) => client.create(Deployment, aWorkload() as never);
    const end = await refusal(workflow, Deployment, { make, name: 'web', parameters });
    expect(end).toMatchObject({ exitCode: 2, message: expect.stringMatching(says) as string });
  });
});

describe('limits', () => {
  test.each<{ what: string; workflow: string; parameters: Readonly<Record<string, string>>; says: string }>([
    {
      what: 'go up to the cap, not beyond',
      workflow: 'raise-memory-limits',
      parameters: { FACTOR: '4', MAX_LIMIT: '500M' },
      says: 'web 256Mi → 500M, side 64Mi → 256Mi',
    },
    {
      what: 'of one container alone',
      workflow: 'raise-memory-limits',
      parameters: { CONTAINER: 'side', FACTOR: '2' },
      says: 'side 64Mi → 128Mi',
    },
    { what: 'are never lowered', workflow: 'raise-memory-limits', parameters: { LIMIT: '200Mi' }, says: 'side 64Mi → 200Mi' },
    { what: 'go up by half when nothing is said', workflow: 'raise-cpu-limits', parameters: {}, says: 'web 500m → 750m' },
  ])('$what', async ({ workflow, parameters, says }) => {
    const { client, as } = await aScene();
    await client.create(Deployment, aWorkload() as never);
    expect(await (workflows[workflow] as Workflow)(as(workflow), told('Deployment', 'web', parameters))).toMatch(
      new RegExp(`limits: ${says}$`),
    );
  });

  test('by a factor are raised again for another run', async () => {
    const { client, as } = await aScene();
    await client.create(Deployment, aWorkload() as never);
    const raise = workflows['raise-memory-limits'] as Workflow;
    await raise(as('raise-memory-limits'), told('Deployment', 'web', { FACTOR: '2' }));
    const again = told('Deployment', 'web', { FACTOR: '2', WORKFLOW_EXECUTION: 'wfe-2' });
    expect(await raise(as('raise-memory-limits'), again)).toContain('web 512Mi → 1Gi');
  });

  test('that are there already are left alone', async () => {
    const { client, as } = await aScene();
    await client.create(Deployment, aWorkload() as never);
    const raise = workflows['raise-cpu-limits'] as Workflow;
    expect(await raise(as('raise-cpu-limits'), told('Deployment', 'web', { LIMIT: '0.5' }))).toMatch(
      /already has these cpu limits: web 500m/,
    );
  });
});

describe('a node is not opened when', () => {
  const open = async (parameters: Readonly<Record<string, string>>, status?: object): Promise<unknown> =>
    refusal('uncordon-node', Node, {
      name: 'n1',
      parameters,
      make: async (client) => {
        await client.create(Node, aNode({ unschedulable: true }));
        if (status) await client.patchStatus(Node, { namespace: '', name: 'n1' }, { type: 'merge', body: { status } });
      },
    });

  test.each([
    { what: 'it is unknown whether it is ready', status: undefined, says: 'Ready is Unknown' },
    { what: 'it is not ready', status: { conditions: [{ type: 'Ready', status: 'False' }] }, says: 'Ready is False' },
  ])('$what', async ({ status, says }) =>
    expect(await open({}, status)).toMatchObject({ exitCode: 3, message: expect.stringContaining(says) as string }),
  );

  test.each<[string, Readonly<Record<string, string>>]>([
    ['the taint is the cluster’s own', { TAINT_KEY: 'node.kubernetes.io/not-ready' }],
    ['the taint marks its role', { TAINT_KEY: 'node-role.kubernetes.io/control-plane' }],
    ['there is nothing to do', { UNCORDON: 'false' }],
    ['the effect is none', { TAINT_KEY: 'a', TAINT_EFFECT: 'Sometimes' }],
    ['the undo is not a taint', { RESTORE: 'cordon,nonsense' }],
    ['the undo has several keys', { RESTORE: 'a=b:NoSchedule,c=d:NoSchedule' }],
    ['the undo has a taint of the cluster', { RESTORE: 'node.kubernetes.io/not-ready:NoExecute' }],
  ])('%s', async (_, parameters) => expect(await open(parameters, READY)).toMatchObject({ exitCode: 2 }));
});

describe('a taint', () => {
  const NAMED = { namespace: '', name: 'n1' };
  const taints = [
    { key: 'a', effect: 'NoSchedule' },
    { key: 'a', effect: 'NoExecute' },
  ];

  test.each<[string, Readonly<Record<string, string>>, readonly object[] | undefined]>([
    ['goes with every effect', { TAINT_KEY: 'a' }, undefined],
    ['goes with the effect that is named alone', { TAINT_KEY: 'a', TAINT_EFFECT: 'NoExecute' }, [{ key: 'a', effect: 'NoSchedule' }]],
  ])('%s, and leaves the cordon alone', async (_, parameters, left) => {
    const { client, as } = await aScene();
    await client.create(Node, aNode({ unschedulable: true, taints }));
    await client.patchStatus(Node, NAMED, { type: 'merge', body: { status: READY } });
    await (workflows['uncordon-node'] as Workflow)(as('uncordon-node'), told('Node', 'n1', { UNCORDON: 'false', ...parameters }));
    const { spec } = await client.get(Node, NAMED);
    expect([spec?.unschedulable, spec?.taints]).toEqual([true, left]);
  });
});

describe('a ConfigMap is not restored when', () => {
  const restore = async (others: readonly ReturnType<typeof aConfigMap>[], more: object = {}, parameters = {}): Promise<unknown> =>
    refusal('restore-configmap', ConfigMap, {
      name: 'settings',
      parameters,
      make: async (client) => {
        await client.create(ConfigMap, { ...aConfigMap('settings', { mode: 'broken' }), ...more });
        for (const other of others) await client.create(ConfigMap, other);
      },
    });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['no version is kept', () => restore([]), /no ConfigMap shop\/settings-last-good/],
    [
      'what is named does not say that it is one',
      () => restore([aConfigMap('other', { token: 's' })], {}, { SOURCE: 'other' }),
      /is not a version of it/,
    ],
    ['it is a version of another', () => restore([aConfigMap('settings-last-good', {}, 'others')]), /is not a version of it/],
    ['it is immutable', () => restore([aConfigMap('settings-last-good', {}, 'settings')], { immutable: true }), /immutable/],
    [
      'the copy for the undo belongs to something else',
      () =>
        restore([
          aConfigMap('settings-last-good', { mode: 'fine' }, 'settings'),
          aConfigMap('settings-was-c5873f51317f129d', {}, 'settings'),
        ]),
      /belongs to something else/,
    ],
  ])('%s', async (_, end, says) => expect(await end()).toMatchObject({ exitCode: 3, message: expect.stringMatching(says) as string }));
});
