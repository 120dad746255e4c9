import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Node, type NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PipelineRemediationTemplate } from '../../../api/pipeline-remediation/pipeline-remediation-template.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { Stage } from '../../testing/stage.ts';
import { createMachineHealthControllers, createUnmanagedCheckLogger, LOG_UNMANAGED_CHECK } from '../index.ts';
import { PIPELINE, POWER_CYCLE } from '../testing/health-stage.ts';

const NAMESPACE = 'shop';
const OURS = {
  labels: { 'cluster.x-k8s.io/watch-filter': 'sickbay' },
  annotations: { 'cluster.x-k8s.io/paused': '' },
};
const key = (name: string) => ({ namespace: NAMESPACE, name });
const FORBIDDEN = {
  code: 403,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', message: 'no', code: 403 },
};
let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start({
    kinds: [
      Machine,
      MachineHealthCheck,
      PowerCycleRemediation,
      PowerCycleRemediationTemplate,
      PipelineRemediation,
      PipelineRemediationTemplate,
    ],
    controllers: createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), { definitions: 'cluster-api' }),
    calls: ({ log }) => ({ [LOG_UNMANAGED_CHECK]: createUnmanagedCheckLogger(log) }),
  });
  for (const name of ['worker-0', 'worker-1']) await machine(name);
});
afterEach(async () => {
  expect(stage.troubles).toEqual([]);
  await stage.end();
});

async function machine(name: string): Promise<void> {
  await stage.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  await turn(name, name === 'worker-0' ? 'Unknown' : 'True');
  const metadata = { ...key(name), labels: { role: 'worker', pool: name } };
  await stage.admin.create(Machine, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata, spec: { clusterName: 'c' } });
  await stage.admin.patchStatus(Machine, key(name), { type: 'merge', body: { status: { nodeRef: { name } } } });
}

async function turn(name: string, status: NodeCondition['status']): Promise<void> {
  const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: toTime(stage.clock.now()) };
  await stage.admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions: [ready] } } });
}

const create = (name: string, metadata: object = {}, spec: object = {}) =>
  stage.admin.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { ...key(name), ...metadata },
    spec: {
      clusterName: 'c',
      selector: { matchLabels: { role: 'worker' } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 60 }] },
      ...spec,
    },
  });

const versions = async () =>
  [...(await stage.admin.list(Machine)).items, ...(await stage.admin.list(MachineHealthCheck)).items].map(
    ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
  );
const mark = async (name: string) =>
  (await stage.admin.get(Machine, key(name))).status?.conditions?.find(({ type }) => type === 'HealthCheckSucceeded')?.status;

describe("where the definitions are Cluster API's", () => {
  test('a check of another controller is judged and reported, and nothing is written', async () => {
    await create('theirs');
    const before = await versions();
    await stage.advance(5 * MINUTE);
    expect(await versions()).toEqual(before);
    expect(stage.told).toEqual([]);
    const told = { check: 'shop/theirs', machines: 2, healthy: 1 };
    expect(stage.lines).toMatchObject([
      { ...told, unhealthy: [] },
      { ...told, unhealthy: ['worker-0'], remediationAllowed: true },
    ]);
  });

  test('a check labelled for Sickbay that Cluster API still manages gets an Event about that, and nothing is written', async () => {
    await create('contested', { labels: OURS.labels });
    const before = await versions();
    await stage.advance(5 * MINUTE);
    expect(await versions()).toEqual(before);
    expect(new Set(stage.told)).toEqual(new Set(['NotKeptOff']));
  });

  test.each([{}, { labels: OURS.labels }, { annotations: OURS.annotations }])(
    'from %j on a check of ours is worked on when it is ours',
    async (before) => {
      await create('example', before);
      await stage.advance(5 * MINUTE);
      expect(await mark('worker-0')).toBeUndefined();
      await stage.admin.patch(MachineHealthCheck, key('example'), { type: 'merge', body: { metadata: OURS } });
      await stage.advance(2 * SECOND);
      expect(await mark('worker-0')).toBe('False');
      const { status } = await stage.admin.get(MachineHealthCheck, key('example'));
      expect(status).toMatchObject({ expectedMachines: 2, currentHealthy: 1 });
      expect(status?.conditions?.map(({ type }) => type)).not.toContain('Paused');
    },
  );

  test('and no longer from the moment that it is not', async () => {
    await create('example', OURS, { selector: { matchLabels: { pool: 'worker-1' } } });
    await stage.advance(MINUTE);
    expect(await mark('worker-1')).toBe('True');
    await stage.admin.patch(MachineHealthCheck, key('example'), { type: 'merge', body: { metadata: { annotations: null } } });
    await stage.settle();
    const before = await versions();
    await stage.admin.delete(Node, { namespace: '', name: 'worker-1' });
    await stage.advance(5 * MINUTE);
    expect(await versions()).toEqual(before);
  });

  test('a Machine that a check of theirs is about is left alone, and our check says with whom it overlaps', async () => {
    await create('ours', OURS);
    await create('theirs', {}, { selector: { matchLabels: { pool: 'worker-0' } } });
    await stage.advance(5 * MINUTE);
    expect(await mark('worker-0')).toBeUndefined();
    expect(await mark('worker-1')).toBe('True');
    const { status } = await stage.admin.get(MachineHealthCheck, key('ours'));
    expect(status?.conditions?.find(({ type }) => type === 'Overlapping')).toMatchObject({ status: 'True' });
  });

  test('a Machine of theirs keeps what Cluster API said about it, also when our check finds it well', async () => {
    await create('ours', OURS);
    await create('theirs', {}, { selector: { matchLabels: { pool: 'worker-1' } } });
    const said = (type: string, status: string, reason: string) => ({
      type,
      status,
      reason,
      message: '',
      lastTransitionTime: toTime(stage.clock.now()),
    });
    const conditions = [
      said('HealthCheckSucceeded', 'True', 'HealthCheckSucceeded'),
      said('ExternallyRemediated', 'False', 'RemediationTemplateNotFound'),
    ];
    await stage.admin.patchStatus(Machine, key('worker-1'), { type: 'merge', body: { status: { conditions } } });
    const { resourceVersion } = (await stage.admin.get(Machine, key('worker-1'))).metadata;
    await stage.advance(5 * MINUTE);
    expect((await stage.admin.get(Machine, key('worker-1'))).metadata.resourceVersion).toBe(resourceVersion);
  });

  test('two checks of ours over one Machine hand it out, although Cluster API says that they are paused', async () => {
    const now = toTime(stage.clock.now());
    const conditions = [{ type: 'Paused', status: 'True', reason: 'Paused', message: '', lastTransitionTime: now }];
    for (const name of ['first', 'second']) {
      await create(name, OURS);
      await stage.admin.patchStatus(MachineHealthCheck, key(name), { type: 'merge', body: { status: { conditions } } });
    }
    await stage.advance(5 * MINUTE);
    const { status } = await stage.admin.get(Machine, key('worker-0'));
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'OwnerRemediated', status: 'False' }));
  });
});

describe("where Cluster API's definitions have no place for the record", () => {
  beforeEach(async () => {
    stage.intercept = ({ method, path, body }) => {
      if (method !== 'PATCH' || !/machinehealthchecks\/[^/]+\/status$/.test(path)) return;
      for (const { value } of body as { value?: { remediations?: unknown } }[]) if (typeof value === 'object') delete value.remediations;
    };
    const { apiVersion, kind, name } = POWER_CYCLE;
    const { spec } = PowerCycleRemediationTemplate.sample;
    await stage.admin.create(PowerCycleRemediationTemplate, { apiVersion, kind, metadata: key(name), spec });
    await create('example', OURS, { remediation: { templateRef: POWER_CYCLE } });
    await stage.advance(3 * MINUTE);
  });
  const requests = async () => (await stage.admin.list(PowerCycleRemediation)).items.map(({ metadata }) => metadata.name);

  test.each([
    { how: 'recovers', change: {} },
    { how: 'is opted out', change: { annotations: { 'cluster.x-k8s.io/skip-remediation': '' } } },
    { how: 'is no longer selected', change: { labels: { role: 'spare' } } },
  ])('the request of a Machine that $how is withdrawn, and so is the claim', async ({ how, change }) => {
    expect(await requests()).toEqual(['worker-0']);
    expect((await stage.admin.get(MachineHealthCheck, key('example'))).status?.remediations).toBeUndefined();
    if (how === 'recovers') await turn('worker-0', 'True');
    else await stage.admin.patch(Machine, key('worker-0'), { type: 'merge', body: { metadata: change } });
    await stage.advance(MINUTE);
    expect(await requests()).toEqual([]);
    const { status } = await stage.admin.get(Machine, key('worker-0'));
    expect(status?.conditions?.map(({ type }) => type)).not.toContain('ExternallyRemediated');
  });

  test('a template that replaces one whose requests are refused is used, although no request of it is recorded', async () => {
    await stage.admin.delete(PowerCycleRemediation, key('worker-0'));
    const keepsNoRecord = stage.intercept;
    stage.intercept = (request) =>
      request.method === 'POST' && request.path.endsWith('/powercycleremediations') ? FORBIDDEN : keepsNoRecord?.(request);
    await stage.advance(2 * MINUTE);
    const said = async () =>
      (await stage.admin.get(Machine, key('worker-0'))).status?.conditions?.find(({ type }) => type === 'ExternallyRemediated')?.reason;
    expect(await said()).toBe('RemediationRequestCreationFailed');
    const { apiVersion, kind, name } = PIPELINE;
    await stage.admin.create(PipelineRemediationTemplate, {
      apiVersion,
      kind,
      metadata: key(name),
      spec: PipelineRemediationTemplate.sample.spec,
    });
    await stage.admin.patch(MachineHealthCheck, key('example'), {
      type: 'merge',
      body: { spec: { remediation: { templateRef: PIPELINE } } },
    });
    await stage.advance(5 * SECOND);
    expect((await stage.admin.list(PipelineRemediation)).items.map(({ metadata }) => metadata.name)).toEqual(['worker-0']);
    stage.troubles.length = 0;
  });

  test('one that is paused keeps it, and so does one that another check asked for', async () => {
    await stage.admin.patch(Machine, key('worker-0'), {
      type: 'merge',
      body: { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } },
    });
    await create('another', OURS, { selector: { matchLabels: { pool: 'worker-1' } }, remediation: { templateRef: POWER_CYCLE } });
    await stage.advance(20 * MINUTE);
    expect(await requests()).toEqual(['worker-0']);
  });
});
