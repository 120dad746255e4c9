import { beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap, Deployment, Node, Pod } from '../../api/builtin/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { seededRandom } from '../../base/index.ts';
import { createClient, type KubeClient } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { ensureNamespace } from '../process/install.ts';
import { breakTarget, restartPods } from './break-target.ts';
import { FAULTS, faultLines, findFault, onTarget } from './faults.ts';
import { healFaults } from './heal-faults.ts';
import { openShop, WORKER_SETTINGS } from './shop.ts';

const SYSTEM = 'sickbay-system';
let client: KubeClient;
beforeEach(async () => {
  client = createClient(createMemoryApi({ clock: new ManualClock(), random: seededRandom(7) }));
  await ensureNamespace(client, SYSTEM);
  expect(await openShop(client, SYSTEM)).toBe(true);
});

const templateOf = async (target: { readonly namespace?: string; readonly name: string }) =>
  (await client.get(Deployment, { namespace: '', ...target })).spec.template;
const names = async (): Promise<readonly string[]> =>
  (await client.list(Deployment)).items
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .toSorted((a, b) => a.localeCompare(b));

describe('the shop', () => {
  test('is created once: what a user deletes stays deleted', async () => {
    expect(await names()).toEqual(['payments/payments', 'shop/checkout', 'shop/web', 'shop/worker']);
    await client.delete(Deployment, { namespace: 'shop', name: 'web' });
    expect(await openShop(client, SYSTEM)).toBe(false);
    expect(await names()).toEqual(['payments/payments', 'shop/checkout', 'shop/worker']);
  });
});

describe('a fault', () => {
  const releases = FAULTS.filter(({ kind }) => kind === 'release');

  test.each(releases)('$name is a release, and healing restores the one before', async (fault) => {
    const before = await templateOf(fault.target);
    const { did } = await breakTarget(client, fault);
    expect(did).toMatch(/gets release 2\.0\.0$/);
    expect(await templateOf(fault.target)).not.toEqual(before);
    await expect(breakTarget(client, fault)).rejects.toThrow(`broken by ${fault.name} already: sickbay heal ${fault.name}`);
    const [line] = await healFaults(client, fault.name);
    expect(line).toMatch(/has its release from before again$/);
    expect(await templateOf(fault.target)).toEqual(before);
    expect(await healFaults(client, undefined)).toEqual([]);
  });

  test('that was remediated can be broken again, and needs no healing', async () => {
    const fault = findFault('crash-loop');
    const template = await templateOf(fault.target);
    await breakTarget(client, fault);
    await client.patch(Deployment, { namespace: 'shop', name: 'checkout' }, { type: 'merge', body: { spec: { template } } });
    await expect(breakTarget(client, fault)).resolves.toBeDefined();
    await client.patch(Deployment, { namespace: 'shop', name: 'checkout' }, { type: 'merge', body: { spec: { template } } });
    expect(await healFaults(client, undefined)).toEqual(['crash-loop: Deployment shop/checkout was healed already']);
  });

  test('in the settings restarts the pods that read them, and no others', async () => {
    const pods = { namespace: 'shop', containers: [{ name: 'app', image: 'busybox' }] };
    for (const app of ['worker', 'web'])
      await client.create(Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'shop', name: app, labels: { app } },
        spec: { containers: pods.containers },
      });
    const start = async () => (await client.get(ConfigMap, WORKER_SETTINGS)).data?.[WORKER_SETTINGS.key];
    const before = await start();
    await breakTarget(client, findFault('bad-config'));
    expect(await start()).toMatch(/exit 78/);
    const left = (await client.list(Pod, { namespace: 'shop' })).items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(left.map(({ metadata }) => metadata.name)).toEqual(['web']);
    await healFaults(client, 'bad-config');
    expect(await start()).toBe(before);
  });

  test('is broken again after its remediation was healed: the limit that was raised is low again', async () => {
    const fault = findFault('out-of-memory');
    const before = await templateOf(fault.target);
    await breakTarget(client, fault);
    const [first] = before.spec.containers;
    const raised = { ...first, resources: { ...first?.resources, limits: { memory: '96Mi' } } };
    const template = { spec: { containers: [raised] } };
    await client.patch(Deployment, { namespace: 'shop', name: 'worker' }, { type: 'merge', body: { spec: { template } } });
    expect(await healFaults(client, undefined)).toEqual([
      'out-of-memory: ConfigMap shop/worker-settings has its value from before again, and Deployment shop/worker its pod template',
    ]);
    expect(await templateOf(fault.target)).toEqual(before);
    await breakTarget(client, fault);
    expect((await templateOf(fault.target)).spec.containers[0]?.resources?.limits).toEqual({ memory: '64Mi' });
    expect((await client.get(ConfigMap, WORKER_SETTINGS)).data?.[WORKER_SETTINGS.key]).toMatch(/80m/);
  });

  test.each([
    ['is empty', {}, ['web', 'worker']],
    ['has expressions only', { matchExpressions: [{ key: 'app', operator: 'In' as const, values: ['worker'] }] }, ['web']],
  ])('restarts no pods of others where the selector %s', async (_what, selector, left) => {
    for (const app of ['worker', 'web'])
      await client.create(Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'shop', name: app, labels: { app } },
        spec: { containers: [{ name: 'app', image: 'busybox' }] },
      });
    const deployment = await client.get(Deployment, { namespace: 'shop', name: 'worker' });
    const restarted = restartPods(client, { ...deployment, spec: { ...deployment.spec, selector } });
    const problem = await restarted.then(() => '', String);
    expect(problem).toMatch(left.length === 2 ? /shop\/worker has an empty selector/ : /^$/);
    const pods = (await client.list(Pod, { namespace: 'shop' })).items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(pods.map(({ metadata }) => metadata.name).toSorted()).toEqual(left);
  });

  test.each([
    ['bad-config', 'shop/web', /Deployment shop\/web does not read key start of ConfigMap worker-settings/],
    ['crash-loop', 'shop/gone', /there is no Deployment shop\/gone to break/],
    ['node-silent', 'worker-9', /there is no Node worker-9 to break/],
    ['node-silent', 'local', /Node local is this process/],
    ['node-silent', 'foreign', /Node foreign is not run by the local cluster/],
  ])('%s on %s is refused, and nothing is changed', async (name, target, problem) => {
    for (const node of ['local', 'foreign']) await client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: node } });
    await expect(breakTarget(client, onTarget(findFault(name), target))).rejects.toThrow(problem);
    expect(await healFaults(client, undefined)).toEqual([]);
  });

  test.each([
    ['crash-loop', 'checkout', /takes a Deployment as namespace\/name, such as shop\/checkout/],
    ['node-silent', 'shop/web', /takes the name of a node, such as worker-1/],
  ])('%s takes no target like %s', (name, target, problem) => expect(() => onTarget(findFault(name), target)).toThrow(problem));

  test('that does not exist is refused with the nearest that does', () => {
    expect(() => findFault('out-of-memroy')).toThrow('there is no fault out-of-memroy: did you mean out-of-memory?');
    expect(() => findFault('flood')).toThrow(/choose one of crash-loop, bad-image/);
  });

  test('is listed with what it does and how it ends', () => {
    const lines = faultLines('npx sickbay');
    for (const { name } of FAULTS) expect(lines.join('\n')).toMatch(new RegExp(`^${name} \\(`, 'm'));
    expect(lines.filter((line) => line.startsWith('    ends: '))).toHaveLength(FAULTS.length);
  });
});
