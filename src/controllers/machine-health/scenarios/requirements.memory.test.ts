import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Pod, PodDisruptionBudget } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { LABELS } from '../../../api/well-known.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { HealthStage, inShop, NAMESPACE, POWER_CYCLE } from '../testing/health-stage.ts';

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
});
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.stage.end();
});

const external = { remediation: { templateRef: POWER_CYCLE } };

async function fail(...names: readonly string[]): Promise<void> {
  for (const name of names) await the.turn(name, 'Unknown');
  await the.stage.advance(6 * MINUTE);
}

async function recover(...names: readonly string[]): Promise<void> {
  for (const name of names) await the.turn(name, 'True');
  await the.stage.advance(5 * SECOND);
}

/** Requests to the server from now on: `METHOD path`. */
function follow(): string[] {
  const seen: string[] = [];
  the.stage.intercept = ({ method, path }) => void seen.push(`${method} ${path}`);
  return seen;
}

const group = (zone: string, size: number): Promise<void> => the.fleet(size, { role: 'worker', zone }, `${zone}-`);
const checkOf = (zone: string, spec: object): Promise<void> => the.check({ selector: { matchLabels: { zone } }, ...spec }, zone);

/** As the proposal writes it: at or above the threshold nothing is remediated. */
const asProposed = (maxUnhealthy: number | string, name = 'example'): Promise<void> =>
  the
    .check(
      {
        writtenAs: 'v1alpha3',
        maxUnhealthy,
        checks: undefined,
        unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '5m' }],
      },
      name,
    )
    .then(() => undefined);

describe('the threshold', () => {
  test.each([
    { title: '[MH-050] a number is the threshold itself', maxUnhealthy: 2, below: 1, at: 2 },
    { title: '[MH-051] a share is taken from the Machines of this check, not from all', maxUnhealthy: '40%', below: 1, at: 2 },
  ])('$title', async ({ maxUnhealthy, below, at }) => {
    await the.fleet(5);
    await the.fleet(20, { role: 'storage' }, 'storage-');
    await asProposed(maxUnhealthy);
    await fail(...['worker-0', 'worker-1'].slice(0, at));
    expect(await the.asked()).toEqual([]);
    await recover('worker-1');
    expect(await the.asked()).toHaveLength(below);
  });

  test('[MH-007] [MH-016] [MH-159] is set for each check alone, stops the group of that check only, and needs nothing but the check', async () => {
    await group('a', 3);
    await group('b', 3);
    await checkOf('a', { maxUnhealthy: 1, writtenAs: 'v1beta1' });
    await checkOf('b', { maxUnhealthy: 2, writtenAs: 'v1beta1' });
    await fail('a-0', 'a-1', 'b-0', 'b-1');
    expect(await the.asked()).toEqual(['b-0', 'b-1']);
    expect(await the.gate('a')).toContain('False TooManyUnhealthy');
    expect(await the.gate('b')).toContain('True RemediationAllowed');
  });

  test('[MH-087] holds for requests too: reached, no new one is made', async () => {
    await the.fleet(5);
    await the.templates();
    await the.check({ ...external, remediation: { ...external.remediation, triggerIf: { unhealthyLessThanOrEqualTo: 2 } } });
    await fail('worker-0');
    await fail('worker-1', 'worker-2');
    expect(await the.asked()).toEqual(['worker-0']);
  });

  test('[MH-138] [MH-139] all are counted and held against it before anything is written about any of them', async () => {
    await the.fleet(5);
    await the.templates();
    await the.check({ ...external, remediation: { ...external.remediation, triggerIf: { unhealthyLessThanOrEqualTo: 2 } } });
    const seen = follow();
    await fail('worker-0', 'worker-1', 'worker-2');
    expect(await the.statusOf()).toMatchObject({ expectedMachines: 5, currentHealthy: 2 });
    expect(seen.filter((line) => line.startsWith('POST') && line.includes('remediations'))).toEqual([]);
    expect(await the.asked()).toEqual([]);
  });
});

describe('how remediation of a Machine is requested', () => {
  test('[MH-014] [MH-072] [MH-085] without a template by a condition on the Machine, and no request is made', async () => {
    await the.fleet(3);
    await the.templates();
    await the.check();
    const seen = follow();
    await fail('worker-0');
    const { status } = await the.machine('worker-0');
    expect(status?.conditions?.find(({ type }) => type === 'OwnerRemediated')).toMatchObject({
      status: 'False',
      reason: 'WaitingForRemediation',
    });
    expect(seen.filter((line) => line.includes('remediation.sickbay.dev'))).toEqual([]);
  });

  test('[MH-015] [MH-088] [MH-141] with a template by a request, after the template was read, and by nothing else', async () => {
    await the.fleet(3);
    await the.templates();
    await the.check(external);
    const seen = follow();
    await fail('worker-0');
    const read = seen.findIndex((line) => line.startsWith('GET') && line.endsWith('/powercycleremediationtemplates/cycle'));
    const made = seen.findIndex((line) => line.startsWith('POST') && line.endsWith('/powercycleremediations'));
    expect(read).toBeGreaterThanOrEqual(0);
    expect(made).toBeGreaterThan(read);
    expect(await the.says('worker-0')).not.toHaveProperty('OwnerRemediated');
    expect(await the.request('worker-0')).toBeDefined();
  });

  test('[MH-012] nothing delays it: with the gate open, remediation is requested in the moment in which the Machine fails', async () => {
    await the.fleet(3);
    await the.templates();
    await the.check(external);
    const annotations = { 'machine.cluster.x-k8s.io/exclude-node-draining': '', 'pre-remediation.hook.example.com/wait': 'please' };
    await the.patch(Machine, 'worker-0', { metadata: { annotations, finalizers: ['pre-remediation.example.com/hook'] } });
    await the.turn('worker-0', 'Unknown');
    await the.stage.advance(5 * MINUTE + 3 * SECOND);
    expect(await the.asked()).toEqual(['worker-0']);
  });

  test('[MH-136] every Machine of the check is gone over, with its Node or without', async () => {
    await the.fleet(3);
    await the.stage.admin.create(Machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...inShop('unborn'), labels: { role: 'worker' } },
      spec: { clusterName: 'here' },
    });
    await the.check();
    await the.stage.advance(5 * SECOND);
    expect(await the.statusOf()).toMatchObject({
      expectedMachines: 4,
      currentHealthy: 3,
      targets: ['unborn', 'worker-0', 'worker-1', 'worker-2'],
    });
    await the.turn('worker-1', 'Unknown');
    await the.stage.advance(11 * MINUTE);
    expect(await the.says('unborn')).toMatchObject({ HealthCheckSucceeded: 'False NodeStartupTimeout' });
    expect(await the.asked()).toEqual(['unborn', 'worker-1']);
  });

  test('[MH-117] a check without conditions goes by Nodes that are missing, and by nothing else', async () => {
    await the.fleet(3);
    await the.check({ checks: { nodeStartupTimeoutSeconds: 600 } });
    await fail('worker-0');
    await the.stage.advance(HOUR);
    expect(await the.asked()).toEqual([]);
    await the.removeNode('worker-1');
    await the.stage.advance(5 * SECOND);
    expect(await the.says('worker-1')).toMatchObject({ HealthCheckSucceeded: 'False NodeDeleted' });
    expect(await the.asked()).toEqual(['worker-1']);
  });

  test('[MH-161] Machines of every role are checked by the one controller, each group by a check of its own', async () => {
    await the.templates();
    for (const zone of ['metal', 'storage']) await group(zone, 2);
    await the.fleet(2, { role: 'worker', zone: 'control', [LABELS.controlPlane]: '' }, 'control-');
    const owner = { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'KubeadmControlPlane', name: 'control', uid: 'control' };
    for (const name of ['control-0', 'control-1']) await the.patch(Machine, name, { metadata: { ownerReferences: [owner] } });
    await checkOf('metal', external);
    await checkOf('control', {});
    await checkOf('storage', {});
    await fail('metal-0', 'control-0', 'storage-0');
    expect(await the.asked()).toEqual(['control-0', 'metal-0', 'storage-0']);
    expect(await the.request('metal-0')).toBeDefined();
    expect(await the.says('control-0')).toMatchObject({ HasRemediatingOwner: 'False OwnerNotActing' });
    expect(await the.says('storage-0')).toMatchObject({ HasRemediatingOwner: 'False NoOwner' });
  });
});

describe('while a request is open', () => {
  beforeEach(async () => {
    await the.fleet(3);
    await the.templates();
    await the.check(external);
    await fail('worker-0');
  });

  test('[MH-098] [MH-101] [MH-107] [MH-112] for however many hours, it is neither changed, deleted nor recreated, and nothing else is deleted', async () => {
    const before = await the.request('worker-0');
    const seen = follow();
    await the.stage.advance(48 * HOUR);
    expect(await the.request('worker-0')).toEqual(before);
    expect(seen.filter((line) => /^(POST|PUT|PATCH|DELETE) .*remediations/.test(line))).toEqual([]);
    expect(seen.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect(await the.says('worker-0')).not.toHaveProperty('OwnerRemediated');
  });

  test.each([
    { title: 'that it waits for the Node', phases: ['pending', 'power-off', 'freeing', 'power-on', 'waiting'] },
    { title: 'that it has given up', phases: ['pending', 'power-off', 'escalated'] },
  ])('[MH-106] what the remediator says in its status changes nothing: $title', async ({ phases }) => {
    const { uid } = (await the.request('worker-0'))!.metadata;
    const say = (phase: string) =>
      the.stage.admin.patchStatus(PowerCycleRemediation, inShop('worker-0'), { type: 'merge', body: { status: { phase } } });
    for (const phase of phases) await say(phase);
    await the.stage.advance(HOUR);
    expect((await the.request('worker-0'))?.metadata.uid).toBe(uid);
    expect(await the.record()).toEqual(['worker-0']);
    await recover('worker-0');
    expect(await the.request('worker-0')).toBeUndefined();
  });

  test('[MH-160] the flow ends with the Machine kept, when it is well', async () => {
    const { uid } = (await the.machine('worker-0')).metadata;
    await recover('worker-0');
    await the.stage.advance(HOUR);
    const { metadata } = await the.machine('worker-0');
    expect(metadata.uid).toBe(uid);
    expect(metadata.deletionTimestamp).toBeUndefined();
    expect(await the.asked()).toEqual([]);
  });
});

test.each([true, false])(
  '[MH-010] remediation is requested for the same Machines whether a workload could bear it or not: %s',
  async (isGuarded) => {
    await the.fleet(3);
    await the.check();
    const metadata = { namespace: NAMESPACE, labels: { app: 'quorum' } };
    for (const name of ['worker-0', 'worker-1'])
      await the.stage.admin.create(Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, name: `quorum-${name}` },
        spec: { nodeName: name, containers: [{ name: 'main', image: 'quorum' }] },
      });
    const spec = { minAvailable: '100%', selector: { matchLabels: { app: 'quorum' } } };
    if (isGuarded)
      await the.stage.admin.create(PodDisruptionBudget, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: inShop('quorum'),
        spec,
      });
    await fail('worker-0', 'worker-1');
    expect(await the.asked()).toEqual(['worker-0', 'worker-1']);
  },
);
