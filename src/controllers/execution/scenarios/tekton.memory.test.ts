import { afterEach, describe, expect, test } from 'vitest';
import { CustomResourceDefinition, Job, Lease, PipelineRun } from '../../../api/builtin/index.ts';
import { keyOf } from '../../../api/meta.ts';
import { MINUTE, toTime } from '../../../base/index.ts';
import { TEKTON_KINDS } from '../../../testkit/rivals/tekton.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { Ward } from '../testing/ward.ts';

const { executionNamespace } = DEFAULT_SETTINGS;
const TARGET = 'shop/Deployment/checkout';
const TEKTON = { workflowId: 'w-tekton', executionEngine: 'tekton' } as const;

let ward: Ward;
afterEach(() => ward.stage.end());

async function opened(isInstalled: boolean): Promise<Ward> {
  ward = await Ward.open({ running: { cluster: 1, namespace: 1, node: 1 } });
  if (isInstalled) await install();
  return ward;
}

async function install(): Promise<void> {
  for (const kind of TEKTON_KINDS) await ward.stage.admin.create(CustomResourceDefinition, kind);
  await ward.stage.advance(MINUTE);
}

const runs = async (): Promise<readonly PipelineRun[]> =>
  (await ward.stage.admin.list(PipelineRun, { namespace: executionNamespace })).items;
const locks = async (): Promise<number> => (await ward.stage.admin.list(Lease, { namespace: executionNamespace })).items.length;

async function end(status: 'True' | 'False'): Promise<void> {
  const [run] = await runs();
  if (!run) throw new Error('there is no run');
  const time = toTime(ward.stage.clock.now());
  const conditions = [{ type: 'Succeeded', status, reason: status === 'True' ? 'Succeeded' : 'CouldntGetPipeline', message: 'so it is' }];
  const body = { status: { startTime: time, completionTime: time, conditions } };
  await ward.stage.admin.patchStatus(PipelineRun, keyOf(run), { type: 'merge', body });
  await ward.stage.settle();
}

describe('where Tekton is installed', () => {
  test('[WE-175] a PipelineRun is created in the execution namespace and released, and its end is the execution’s', async () => {
    const here = await opened(true);
    await here.remediate('rr', TARGET, TEKTON);
    expect((await runs()).map(({ spec }) => spec.status)).toEqual([undefined]);
    expect(await here.statusOf('rr')).toMatchObject({
      phase: 'Running',
      executionRef: { kind: 'PipelineRun', namespace: executionNamespace },
    });
    await end('True');
    expect(await here.statusOf('rr')).toMatchObject({ phase: 'Completed' });
    await here.stage.advance(2 * MINUTE);
    expect([await runs(), await locks()]).toEqual([[], 0]);
    expect(here.stage.troubles).toEqual([]);
  });

  test('a pipeline that Tekton cannot get is a failure before anything ran, and the next execution waits for its turn only', async () => {
    const here = await opened(true);
    await here.remediate('rr', TARGET, TEKTON);
    await end('False');
    expect((await here.statusOf('rr')).failureDetails).toMatchObject({ reason: 'ConfigurationError', wasExecutionFailure: false });
    await here.remediate('other', 'shop/Deployment/cart');
    expect(await here.statusOf('other')).toMatchObject({ phase: 'Running', executionRef: { kind: 'Job' } });
  });

  test('a Job on the target keeps a PipelineRun away, and the other way round', async () => {
    const here = await opened(true);
    await here.remediate('job', TARGET);
    await here.remediate('pipeline', TARGET, TEKTON);
    expect((await here.statusOf('pipeline')).skipDetails).toMatchObject({ reason: 'ResourceBusy' });
    expect(await runs()).toEqual([]);
    await here.endOne();
    await here.stage.advance(2 * MINUTE);
    await here.remediate('pipeline-2', TARGET, TEKTON);
    expect(await here.statusOf('pipeline-2')).toMatchObject({ phase: 'Running' });
    await here.remediate('job-2', TARGET);
    expect((await here.statusOf('job-2')).skipDetails).toMatchObject({ reason: 'ResourceBusy' });
    expect(await here.atWork()).toEqual([]);
  });

  test('even where an operator deletes the lock', async () => {
    const here = await opened(true);
    await here.remediate('pipeline', TARGET, TEKTON);
    const [lock] = (await here.stage.admin.list(Lease, { namespace: executionNamespace })).items;
    if (lock) await here.stage.admin.delete(Lease, keyOf(lock));
    await here.remediate('job', TARGET);
    expect((await here.statusOf('job')).skipDetails).toMatchObject({ reason: 'ResourceBusy' });
    expect((await here.stage.admin.list(Job, { namespace: executionNamespace })).items).toEqual([]);
  });
});

describe('where Tekton is not installed', () => {
  test('its workflow fails before anything ran, its lock goes, and its place in the budget is free', async () => {
    const here = await opened(false);
    await here.remediate('rr', TARGET, TEKTON);
    const { phase, failureDetails } = await here.statusOf('rr');
    expect({ phase, ...failureDetails }).toMatchObject({ phase: 'Failed', reason: 'ConfigurationError', wasExecutionFailure: false });
    await here.remediate('other', 'shop/Deployment/cart');
    expect(await here.statusOf('other')).toMatchObject({ phase: 'Running' });
    await here.endOne('Failed');
    await here.stage.advance(2 * MINUTE);
    expect(await locks()).toBe(0);
    await here.remediate('third', 'shop/Deployment/search');
    expect(await here.statusOf('third')).toMatchObject({ phase: 'Running' });
    expect(here.stage.troubles).toEqual([]);
  });

  test('it is used as soon as it is installed', async () => {
    const here = await opened(false);
    await here.remediate('early', TARGET, TEKTON);
    expect(await here.statusOf('early')).toMatchObject({ phase: 'Failed' });
    await install();
    await here.remediate('late', 'shop/Deployment/cart', TEKTON);
    expect(await here.statusOf('late')).toMatchObject({ phase: 'Running', executionRef: { kind: 'PipelineRun' } });
    await end('True');
    expect(await here.statusOf('late')).toMatchObject({ phase: 'Completed' });
  });
});
