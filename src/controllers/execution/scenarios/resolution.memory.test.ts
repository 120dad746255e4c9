import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap, Job, Namespace, Secret, ServiceAccount } from '../../../api/builtin/index.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { forbid } from '../../testing/stage.ts';
import { aParameter } from '../testing/a-workflow.ts';
import { Ward } from '../testing/ward.ts';

type Ref = WorkflowExecution['spec']['workflowRef'];
const { namespace, executionNamespace } = DEFAULT_SETTINGS;
const TARGET = 'shop/Deployment/checkout';
const NEEDS = { secrets: [{ name: 'token' }], configMaps: [{ name: 'hosts' }] };
const PLAN: Ref = { workflowId: 'w', version: '1.0.0', executionBundle: 'image:1', executionEngine: 'job' };

let ward: Ward | undefined;
afterEach(() => ward?.stage.end());
const opened = async (): Promise<Ward> => (ward = await Ward.open());

/** The Secret and the ConfigMap that the workflow says it needs. */
async function provide(
  { stage }: Ward,
  where: string,
  which: readonly ('Secret' | 'ConfigMap')[] = ['Secret', 'ConfigMap'],
): Promise<void> {
  const type = { apiVersion: 'v1' };
  if (which.includes('Secret'))
    await stage.admin.create(Secret, {
      ...type,
      kind: 'Secret',
      metadata: { name: 'token', namespace: where },
      stringData: { key: 'hunter2' },
    });
  if (which.includes('ConfigMap'))
    await stage.admin.create(ConfigMap, { ...type, kind: 'ConfigMap', metadata: { name: 'hosts', namespace: where }, data: {} });
}

const account = ({ stage }: Ward, name: string): Promise<unknown> =>
  stage.admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: executionNamespace } });

const jobs = async ({ stage }: Ward): Promise<readonly Job[]> => (await stage.admin.list(Job, {})).items;
const podOf = async (here: Ward) => (await jobs(here))[0]?.spec.template.spec;

describe('what a plan leaves open', () => {
  test('[WE-043] [WE-170] is taken from the catalogue: engine, settings, account and dependencies', async () => {
    const here = await opened();
    await provide(here, executionNamespace);
    await account(here, 'own');
    const execution = { engine: 'job', bundle: 'image:1', engineConfig: { args: ['go'] }, serviceAccountName: 'own' } as const;
    await here.remediate('open', TARGET, {}, { leavesEngineOpen: true, offered: { execution, dependencies: NEEDS } });
    const pod = await podOf(here);
    expect(pod?.containers[0]?.args).toEqual(['go']);
    expect(pod?.serviceAccountName).toBe('own');
    expect(pod?.volumes?.map(({ name }) => name)).toEqual(['tmp', 'secret-token', 'configmap-hosts']);
    expect(await here.statusOf('open')).toMatchObject({ phase: 'Running', executionEngine: 'job', serviceAccountName: 'own' });
  });
});

describe('a workflow', () => {
  test('[WE-046] [WE-042] [CO-170] that the catalogue does not know fails before anything runs, and counts', async () => {
    const here = await opened();
    await here.remediate('unknown', TARGET, {}, { offered: false });
    expect(await here.statusOf('unknown')).toMatchObject({
      phase: 'Failed',
      consecutiveFailures: 1,
      failureDetails: { reason: 'ConfigurationError', wasExecutionFailure: false, message: 'workflow w is not in the catalogue' },
    });
    expect(await jobs(here)).toEqual([]);
  });

  test('of a catalogue that cannot be read waits, says why, and starts by itself', async () => {
    const here = await opened();
    here.stage.intercept = forbid(/remediationworkflows/);
    await here.remediate('waits', TARGET, { workflowId: 'late' }, { offered: false });
    expect(await here.readyOf('waits')).toBe('WaitingForCatalogue: the catalogue of workflows cannot be read: not allowed');
    here.stage.intercept = () => undefined;
    await here.offer({ workflowRef: { ...PLAN, workflowId: 'late' } });
    await here.stage.advance(MINUTE);
    expect((await here.statusOf('waits')).phase).toBe('Running');
  });

  test('that was edited under its version while the plan waited is not run, and no failure is counted against the target', async () => {
    const here = await opened();
    await provide(here, executionNamespace);
    here.stage.intercept = forbid(/secrets/);
    await here.remediate('edited', TARGET, { dependencies: NEEDS });
    await here.offer({ workflowRef: { ...PLAN, executionBundle: 'evil:1' } });
    here.stage.intercept = () => undefined;
    await here.stage.advance(20 * SECOND);
    const status = await here.statusOf('edited');
    expect(status).toMatchObject({ phase: 'Failed', failureDetails: { reason: 'ConfigurationError', wasExecutionFailure: false } });
    expect(status.failureDetails?.message).toContain('runs evil:1, and the plan says image:1');
    expect(status).not.toHaveProperty('consecutiveFailures');
    expect(await jobs(here)).toEqual([]);
  });

  test('[WE-180] [WE-182] [WE-183] [WE-184] [WE-185] [WE-186] [WE-188] is given all its parameters, or not run', async () => {
    const here = await opened();
    const told = { REVISION: '2', DRY_RUN: 'false' };
    const target = { TARGET_RESOURCE_KIND: 'Deployment', TARGET_RESOURCE_NAME: 'checkout', TARGET_RESOURCE_NAMESPACE: 'shop' };
    await here.remediate('told', TARGET, {}, { parameters: { ...told, ...target } });
    const env = (await podOf(here))?.containers[0]?.env ?? [];
    expect(Object.fromEntries(env.map(({ name, value }) => [name, value]))).toMatchObject({ ...told, ...target, TARGET_RESOURCE: TARGET });
    await here.remediate(
      'more',
      'shop/Deployment/cart',
      { workflowId: 'strict' },
      { parameters: told, offered: { parameters: [aParameter('REVISION')] } },
    );
    expect((await here.statusOf('more')).failureDetails?.naturalLanguageSummary).toMatch(/does not declare DRY_RUN.*It takes REVISION/s);
    expect(await jobs(here)).toHaveLength(1);
  });

  test('[WE-012] with a parameter outside its schema fails: field, value and what would be right', async () => {
    const here = await opened();
    const offered = { parameters: [aParameter('REPLICAS', { type: 'integer', minimum: 1, maximum: 50 })] };
    await here.remediate('many', TARGET, {}, { parameters: { REPLICAS: '51' }, offered });
    expect((await here.statusOf('many')).failureDetails).toMatchObject({
      reason: 'ConfigurationError',
      message: 'parameter REPLICAS=51 is more than 50',
    });
    expect(await jobs(here)).toEqual([]);
  });
});

describe('what a workflow depends on', () => {
  test('[WE-106] [WE-066] is asked for before the Job is created, as metadata, and mounted to read only', async () => {
    const here = await opened();
    await provide(here, executionNamespace);
    const asked: string[] = [];
    here.stage.intercept = ({ method, path, accept }) => {
      if (/\/(secrets|configmaps\/hosts|jobs)/.test(path))
        asked.push([method, path.split('/').slice(-2).join('/'), accept ?? ''].join(' ').trim());
      return undefined;
    };
    await here.remediate('needs', TARGET, { dependencies: NEEDS });
    const created = asked.findIndex((one) => one.startsWith('POST'));
    expect(asked.slice(0, created)).toEqual(expect.arrayContaining(['GET secrets/token metadata', 'GET configmaps/hosts metadata']));
    expect(asked.filter((one) => one.includes('secrets')).every((one) => one.endsWith('metadata'))).toBe(true);
    const mounts = (await podOf(here))?.containers[0]?.volumeMounts ?? [];
    expect(mounts).toEqual(
      expect.arrayContaining([
        { name: 'secret-token', mountPath: '/run/kubernaut/secrets/token', readOnly: true },
        { name: 'configmap-hosts', mountPath: '/run/kubernaut/configmaps/hosts', readOnly: true },
      ]),
    );
    const said = JSON.stringify(await here.statusOf('needs'));
    expect(said).not.toContain('hunter2');
  });

  test.each([
    { id: 'WE-071', there: ['ConfigMap'], says: `Secret ${executionNamespace}/token` },
    { id: 'WE-072', there: ['Secret'], says: `ConfigMap ${executionNamespace}/hosts` },
  ] as const)('[$id] [WE-012] [WE-023] and is missing ($says) fails it, and no Job is created', async ({ there, says }) => {
    const here = await opened();
    await provide(here, executionNamespace, there);
    await here.remediate('needs', TARGET, { dependencies: NEEDS });
    const { phase, failureDetails } = await here.statusOf('needs');
    expect([phase, failureDetails?.reason, failureDetails?.wasExecutionFailure]).toEqual(['Failed', 'ConfigurationError', false]);
    expect(failureDetails?.message).toBe(`the workflow depends on ${says}, which does not exist`);
    expect(failureDetails?.naturalLanguageSummary).toContain(`Create it in namespace ${executionNamespace}`);
    expect(await jobs(here)).toEqual([]);
  });

  test('[WE-069] and is there in the namespaces of target and execution only is missing', async () => {
    const here = await opened();
    await provide(here, 'shop');
    await provide(here, namespace);
    await here.remediate('needs', TARGET, { dependencies: NEEDS });
    expect((await here.statusOf('needs')).phase).toBe('Failed');
  });

  test('and cannot be read is waited for; nothing is created meanwhile', async () => {
    const here = await opened();
    await provide(here, executionNamespace);
    here.stage.intercept = forbid(/secrets/);
    await here.remediate('needs', TARGET, { dependencies: NEEDS });
    expect(await here.readyOf('needs')).toBe(`WaitingForDependencies: Secret ${executionNamespace}/token cannot be read: not allowed`);
    expect(await jobs(here)).toEqual([]);
    here.stage.intercept = () => undefined;
    await here.stage.advance(10 * SECOND);
    expect((await here.statusOf('needs')).phase).toBe('Running');
  });

  test('[WE-036] is checked when the cooldown is over, and not before', async () => {
    const here = await opened();
    await here.remediate('first', TARGET);
    await here.endOne();
    await here.remediate('needs', TARGET, { dependencies: NEEDS });
    expect(await here.readyOf('needs')).toMatch(/^CooldownActive/);
    await here.stage.advance(50 * SECOND);
    expect((await here.statusOf('needs')).phase).toBe('Pending');
    await here.stage.advance(30 * SECOND);
    expect((await here.statusOf('needs')).failureDetails?.message).toContain(`Secret ${executionNamespace}/token`);
  });
});

describe('the account of a run', () => {
  test('is its own; one that is missing fails it before anything runs', async () => {
    const here = await opened();
    await here.remediate('own', TARGET, { serviceAccountName: 'own' });
    expect((await here.statusOf('own')).failureDetails).toMatchObject({
      reason: 'ConfigurationError',
      wasExecutionFailure: false,
      message: `the workflow depends on ServiceAccount ${executionNamespace}/own, which does not exist`,
    });
    await account(here, 'own');
    await here.remediate('other', 'shop/Deployment/cart', { serviceAccountName: 'own' });
    expect((await podOf(here))?.serviceAccountName).toBe('own');
  });

  test('[WE-177] is the common one where the workflow names none, which exists without manual steps', async () => {
    const here = await opened();
    await here.remediate('common', TARGET);
    expect((await podOf(here))?.serviceAccountName).toBe('kubernaut-workflow-runner');
    const { items } = await here.stage.admin.list(ServiceAccount, { namespace: executionNamespace });
    expect(items.map(({ metadata }) => metadata.name)).toContain('kubernaut-workflow-runner');
    expect((await here.statusOf('common')).phase).toBe('Running');
  });
});

test('[WE-174] a run is in the execution namespace, whatever the namespaces of execution and target', async () => {
  const here = await opened();
  await here.stage.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'far' } });
  await here.remediate('one', 'far/Deployment/checkout');
  await here.remediate('two', 'Node/worker-1');
  expect((await jobs(here)).map(({ metadata }) => metadata.namespace)).toEqual([executionNamespace, executionNamespace]);
});
