import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap, Node, Secret, type NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { ledgerKey } from '../../budget/index.ts';
import { createMachineHealthControllers } from '../../machine-health/index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import { Stage } from '../../testing/stage.ts';
import { createPowerCalls, createPowerCycleController, POWER_CALL, PowerNotes } from './index.ts';
import { SimBmc } from './testing/sim-bmc.ts';

const NAMESPACE = 'shop';
const NAME = 'worker-0';
const KEY = { namespace: NAMESPACE, name: NAME };
let stage: Stage;
let bmc: SimBmc;
let settings: Settings;

beforeEach(async () => {
  bmc = new SimBmc();
  settings = DEFAULT_SETTINGS;
  const notes = new PowerNotes();
  stage = await Stage.start({
    kinds: [Machine, MachineHealthCheck, PowerCycleRemediation, PowerCycleRemediationTemplate, WorkflowExecution],
    controllers: [
      ...createMachineHealthControllers(() => ({ ...settings.machineHealth })),
      createPowerCycleController({ settings: () => settings, door: bmc, notes }),
    ],
    calls: ({ client, log, clock }) => ({ [POWER_CALL]: createPowerCalls({ client, log, clock, door: bmc, notes }) }),
  });
  await machine();
});
afterEach(async () => {
  expect(stage.troubles).toEqual([]);
  await stage.end();
});

async function machine(): Promise<void> {
  await stage.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: NAME } });
  await turnReady('True');
  await stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...KEY, labels: { role: 'worker' } },
    spec: { clusterName: 'here' },
  });
  await stage.admin.patchStatus(Machine, KEY, { type: 'merge', body: { status: { nodeRef: { name: NAME } } } });
  const data = { address: 'https://bmc-0', username: 'admin', password: 'secret-of-the-host' };
  await stage.admin.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: NAMESPACE, name: `${NAME}-bmc` },
    data: Object.fromEntries(Object.entries(data).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')])),
  });
}

async function turnReady(status: NodeCondition['status']): Promise<void> {
  const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: toTime(stage.clock.now()) };
  await stage.admin.patchStatus(Node, { namespace: '', name: NAME }, { type: 'merge', body: { status: { conditions: [ready] } } });
  await stage.settle();
}

async function check(spec: object = {}): Promise<void> {
  await stage.admin.create(PowerCycleRemediationTemplate, {
    apiVersion: 'remediation.sickbay.dev/v1alpha1',
    kind: PowerCycleRemediationTemplate.kind,
    metadata: { namespace: NAMESPACE, name: 'cycle' },
    spec: { template: { spec } },
  });
  await stage.admin.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { namespace: NAMESPACE, name: 'workers' },
    spec: {
      clusterName: 'here',
      selector: { matchLabels: { role: 'worker' } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 60 }] },
      remediation: {
        templateRef: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PowerCycleRemediationTemplate.kind, name: 'cycle' },
      },
    },
  });
  await stage.settle();
}

/** The Node stops to report, and its Machine is found ill. */
async function fallIll(): Promise<void> {
  await turnReady('Unknown');
  await stage.advance(62 * SECOND);
}

const request = () => stage.admin.get(PowerCycleRemediation, KEY).catch(() => undefined);
const statusOf = async () => (await request())?.status ?? {};
const taints = async () => ((await stage.admin.get(Node, { namespace: '', name: NAME })).spec?.taints ?? []).map(({ key }) => key);
const host = () => bmc.host('https://bmc-0');
const claims = async () =>
  Object.values((await stage.admin.get(ConfigMap, ledgerKey('sickbay-system'))).data ?? {}).map((text) => JSON.parse(text) as object);

describe('on a server with the real schemas', () => {
  test('[MH-038] [MH-110] a transient fault is cured by one power cycle', async () => {
    await check();
    const { uid } = (await stage.admin.get(Machine, KEY)).metadata;
    await fallIll();
    expect(await request()).toBeDefined();
    await stage.advance(MINUTE);
    expect(host().heard).toEqual(['off', 'on']);
    expect(await statusOf()).toMatchObject({ phase: 'waiting', retryCount: 0 });
    await turnReady('True');
    await stage.advance(2 * MINUTE);
    expect(await request()).toBeUndefined();
    expect((await stage.admin.get(Machine, KEY)).metadata.uid).toBe(uid);
    expect([host().power, await taints()]).toEqual(['On', []]);
    expect(await claims()).toEqual([expect.objectContaining({ node: NAME, endedAt: expect.any(String) as string })]);
  });
});
