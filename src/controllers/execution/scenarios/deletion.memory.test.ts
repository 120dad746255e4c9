import { afterEach, describe, expect, test } from 'vitest';
import { Job, Lease, Namespace, Pod } from '../../../api/builtin/index.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { storedBlock } from '../history/index.ts';
import { runName } from '../names.ts';
import { CLEARED } from '../testing/finished-executions.ts';
import { Ward } from '../testing/ward.ts';

const { namespace, executionNamespace } = DEFAULT_SETTINGS;
const TARGET = 'shop/Deployment/checkout';
const LOCK = { namespace: executionNamespace, name: runName({ targetResource: TARGET }) };

let ward: Ward;
afterEach(() => ward.stage.end());

const opened = async (): Promise<Ward> => (ward = await Ward.open());
const remove = async (resource: typeof WorkflowExecution | typeof RemediationRequest, name: string): Promise<void> => {
  await ward.stage.admin.delete(resource, { namespace, name });
  await ward.stage.advance(SECOND);
};
const names = async (resource: typeof WorkflowExecution | typeof Job | typeof Lease): Promise<readonly string[]> => {
  const where = resource === WorkflowExecution ? namespace : executionNamespace;
  return (await ward.stage.admin.list(resource as typeof Job, { namespace: where })).items.map(({ metadata }) => metadata.name);
};
/** What is left in the cluster: executions, runs, locks. */
const left = async () => [...(await names(WorkflowExecution)), ...(await names(Job)), ...(await names(Lease))];
const record = async () => storedBlock(await ward.stage.admin.get(Lease, LOCK));

/** A pod of the run, which is at work until the test ends it. */
async function startPod(): Promise<void> {
  const job = await ward.stage.admin.get(Job, LOCK);
  const labels = { ...job.metadata.labels, 'job-name': LOCK.name };
  await ward.stage.admin.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'worker', namespace: executionNamespace, labels },
    spec: { containers: [{ name: 'workflow', image: 'image:1' }] },
  });
  const state = { running: { startedAt: '2026-11-15T03:00:00Z' } };
  await setPod({ phase: 'Running', containerStatuses: [{ name: 'workflow', ready: true, restartCount: 0, state }] });
}
const setPod = async (status: object): Promise<void> => {
  await ward.stage.admin.patchStatus(Pod, { namespace: executionNamespace, name: 'worker' }, { type: 'merge', body: { status } });
  await ward.stage.settle();
};

describe('an execution that an operator deletes', { timeout: 60_000 }, () => {
  test('while it runs: stopped, and kept until its pods are gone; the lock too', async () => {
    await opened();
    await ward.remediate('one', TARGET);
    await startPod();
    await remove(WorkflowExecution, 'we-one');
    expect(await left()).toEqual(['we-one', LOCK.name]);
    expect((await ward.statusOf('one')).failureDetails).toMatchObject({ wasExecutionFailure: true });
    expect(await ward.readyOf('one')).toContain(
      'CleanupBlocked: it is being deleted, and is removed once its run and its lock are deleted: pod worker',
    );
    await ward.stage.advance(HOUR);
    expect(await left()).toEqual(['we-one', LOCK.name]);
    await setPod({ phase: 'Failed' });
    await ward.stage.advance(10 * SECOND);
    expect(await left()).toEqual([LOCK.name]);
    expect(ward.stage.told.at(-1)).toBe('WorkflowExecutionDeleted');
    // The deletion came before the failure, so it is no decision about the target.
    expect(await record()).toMatchObject({ reason: 'PreviousExecutionFailed', name: 'we-one' });
  });

  test('before anything ran: gone at once, the next one runs', async () => {
    await opened();
    ward.change({ paused: 'incident' });
    await ward.remediate('one', TARGET);
    expect(await left()).toEqual(['we-one', LOCK.name]);
    await remove(WorkflowExecution, 'we-one');
    expect(await left()).toEqual([]);
    ward.change({});
    await ward.remediate('two', TARGET);
    expect((await ward.atWork()).length).toBe(1);
  });

  test('after a success: without any delay, in the cooldown and after it', async () => {
    await opened();
    for (const wait of [0, 2 * MINUTE]) {
      await ward.remediate(`one-${wait}`, TARGET);
      await ward.endOne();
      await ward.stage.advance(wait);
      await remove(WorkflowExecution, `we-one-${wait}`);
      expect(await left()).toEqual([]);
    }
  });

  test('is not kept any more once all is cleared up', async () => {
    await opened();
    await ward.remediate('one', TARGET);
    await ward.endOne();
    await ward.stage.advance(2 * MINUTE);
    const { metadata } = await ward.stage.admin.get(WorkflowExecution, { namespace, name: 'we-one' });
    expect(metadata.finalizers).toBeUndefined();
  });

  test('[WE-101] what it held is unlocked: other executions may run on it', async () => {
    await opened();
    await ward.remediate('one', TARGET);
    await ward.endOne();
    await remove(WorkflowExecution, 'we-one');
    await ward.remediate('two', TARGET);
    expect((await ward.atWork()).length).toBe(1);
  });
});

describe('a run that failed', { timeout: 60_000 }, () => {
  const failed = async (): Promise<void> => {
    await opened();
    await ward.remediate('bad', TARGET);
    await ward.endOne('Failed');
    await ward.stage.advance(2 * MINUTE);
  };
  const nextIs = async (): Promise<string> => {
    await ward.remediate('next', TARGET);
    const { phase, skipDetails } = await ward.statusOf('next');
    return skipDetails?.reason ?? phase ?? '';
  };

  test('[BO-130] no longer blocks when the execution itself is deleted while its request lives', async () => {
    await failed();
    await remove(WorkflowExecution, 'we-bad');
    expect(await left()).toEqual([]);
    expect(await nextIs()).toBe('Running');
  });

  test.each(['Background', 'Foreground'] as const)(
    '[BO-131] blocks on when its request is deleted in the %s; its lock keeps the record',
    async (propagationPolicy) => {
      await failed();
      await ward.stage.admin.delete(RemediationRequest, { namespace, name: 'bad' }, { propagationPolicy });
      await ward.stage.advance(MINUTE);
      expect(await left()).toEqual([LOCK.name]);
      expect(await record()).toMatchObject({ reason: 'PreviousExecutionFailed', name: 'we-bad', workflowId: 'w' });
      expect((await ward.stage.admin.get(Lease, LOCK)).spec?.holderIdentity).toContain('blocked by we-bad: PreviousExecutionFailed');
      expect(await nextIs()).toBe('PreviousExecutionFailed');
      expect((await ward.statusOf('next')).skipDetails).toMatchObject({
        message: expect.stringContaining('sickbay clear-block we-bad --reason') as string,
        recentRemediation: { name: 'we-bad', outcome: 'Failed', targetResource: TARGET },
      });
      await ward.stage.advance(48 * HOUR);
      expect(await record()).toBeDefined();
    },
  );

  test('[BO-131] blocks on when the namespace is deleted', async () => {
    await failed();
    await ward.stage.admin.delete(Namespace, { namespace: '', name: namespace });
    await ward.stage.advance(MINUTE);
    expect(await left()).toEqual([LOCK.name]);
    expect(await record()).toMatchObject({ name: 'we-bad' });
  });

  test('leaves nothing when a person cleared it before', async () => {
    await failed();
    await ward.stage.admin.patchStatus(
      WorkflowExecution,
      { namespace, name: 'we-bad' },
      { type: 'merge', body: { status: { blockClearance: CLEARED } } },
    );
    await remove(RemediationRequest, 'bad');
    expect(await left()).toEqual([]);
    expect(await nextIs()).toBe('Running');
  });

  test('keeps its record where its own lock has not gone yet', async () => {
    await opened();
    await ward.remediate('bad', TARGET);
    await ward.endOne('Failed');
    await remove(RemediationRequest, 'bad');
    expect(await left()).toEqual([LOCK.name]);
    expect(await record()).toMatchObject({ name: 'we-bad' });
  });
});
