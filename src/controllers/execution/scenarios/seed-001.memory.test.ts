import { afterEach, describe, expect, test } from 'vitest';
import { Job, Pod, type ContainerState } from '../../../api/builtin/index.ts';
import { crdOf } from '../../../api/crd-of.ts';
import { keyOf } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, HOUR, MINUTE, parseTime, SECOND, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { CLEARED } from '../testing/finished-executions.ts';
import { Ward } from '../testing/ward.ts';

const { namespace, executionNamespace } = DEFAULT_SETTINGS;
const TARGET = 'shop/Deployment/checkout';
/** Hours of virtual time take some seconds. */
const LIMIT = { timeout: 60_000 };

let ward: Ward;
afterEach(() => ward.stage.end());
const opened = async (): Promise<Ward> => (ward = await Ward.open());

/** A run whose image cannot be pulled: a Job is there, and nothing of the workflow ever runs. */
const failToPull = (job: Job): Promise<void> => failIn(job, { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } });

/** A run whose workflow finds that a precondition is not met. */
const refuse = (job: Job): Promise<void> => failIn(job, { terminated: { exitCode: 3, reason: 'Error', message: 'it has an autoscaler' } });

async function failIn(job: Job, state: ContainerState): Promise<void> {
  const key = { namespace: executionNamespace, name: `pod-of-${job.metadata.uid}` };
  await ward.stage.admin.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...key,
      labels: { ...job.metadata.labels, 'job-name': job.metadata.name },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: job.metadata.name, uid: job.metadata.uid, controller: true }],
    },
    spec: { containers: [{ name: 'workflow', image: 'image:1' }] },
  });
  const status = { phase: 'Pending', containerStatuses: [{ name: 'workflow', ready: false, restartCount: 0, state }] };
  await ward.stage.admin.patchStatus(Pod, key, { type: 'merge', body: { status } });
  await ward.end(job, 'Failed');
  await ward.stage.admin.patchStatus(Pod, key, { type: 'merge', body: { status: { phase: 'Failed' } } });
}

/** Starts that fail one after the other, each as soon as it may be tried. */
async function failStarts(count: number, prefix = 'bad', fail = failToPull): Promise<void> {
  for (let i = 1; i <= count; i++) {
    await ward.remediate(`${prefix}-${i}`, TARGET);
    let [job] = await ward.atWork();
    while (!job) {
      await ward.stage.advance(10 * SECOND);
      [job] = await ward.atWork();
    }
    await fail(job);
  }
}

const clear = (name: string) =>
  ward.stage.admin.patchStatus(
    WorkflowExecution,
    { namespace, name: `we-${name}` },
    { type: 'merge', body: { status: { blockClearance: CLEARED } } },
  );
const wentFor = async (name: string): Promise<string> => {
  await ward.remediate(name, TARGET);
  const { phase, skipDetails } = await ward.statusOf(name);
  return skipDetails?.reason ?? phase ?? '';
};

describe('failures before anything runs', LIMIT, () => {
  test('[BO-003] [BO-030] [BO-031] [BO-032] [BO-033] [BO-034] [BO-151] [BO-163] wait 1, 2, 4, 8 and 10 minutes, through the real controller', async () => {
    await opened();
    const begun = ward.stage.clock.now();
    await failStarts(5);
    const ends = await Promise.all([1, 2, 3, 4, 5].map((i) => ward.statusOf(`bad-${i}`)));
    const minutes = ends.map(({ completionTime }) => Math.floor(((parseTime(completionTime) ?? 0) - begun) / MINUTE));
    expect(minutes).toEqual([0, 1, 3, 7, 15]);
    const waits = ends.map((one) => ((parseTime(one.nextAllowedExecution) ?? 0) - (parseTime(one.completionTime) ?? 0)) / MINUTE);
    expect(waits).toEqual([1, 2, 4, 8, 10]);
    expect(ends.map(({ consecutiveFailures }) => consecutiveFailures)).toEqual([1, 2, 3, 4, 5]);
    expect(ends.map(({ failureDetails }) => failureDetails?.wasExecutionFailure)).toEqual([false, false, false, false, false]);
    // Exhausted at once, and not after the ten minutes only.
    expect(await wentFor('sixth')).toBe('ExhaustedRetries');
  });

  test('[BO-003] [BO-114] a precondition that is not met counts as one of them (ruling 118): it waits, blocks nothing, and runs after the wait', async () => {
    await opened();
    await failStarts(2, 'bad', refuse);
    const ends = await Promise.all([1, 2].map((i) => ward.statusOf(`bad-${i}`)));
    expect(ends.map(({ consecutiveFailures }) => consecutiveFailures)).toEqual([1, 2]);
    expect(ends.map(({ failureDetails }) => failureDetails?.wasExecutionFailure)).toEqual([false, false]);
    expect(await ward.readyOf('bad-1')).toBe('TaskFailed: a precondition is not met: it has an autoscaler');
    expect(await wentFor('next')).toBe('Pending');
    expect(await ward.readyOf('next')).toContain('RecentlyRemediated: backs off after we-bad-2 (failure 2 in a row');
    await ward.stage.advance(2 * MINUTE);
    await ward.stage.advance(SECOND);
    expect((await ward.statusOf('next')).phase).toBe('Running');
  });

  test('[BO-028] [BO-055] [BO-136] five failures recorded: the next is not run, within the ten minutes as well as after them', async () => {
    await opened();
    await failStarts(5);
    expect(await wentFor('within')).toBe('ExhaustedRetries');
    await ward.stage.advance(48 * HOUR);
    expect(await wentFor('after')).toBe('ExhaustedRetries');
    expect(await ward.atWork()).toEqual([]);
  });

  test('[BO-008] [BO-038] another name meets the same count and wait, and runs after it', async () => {
    await opened();
    await failStarts(1);
    expect(await wentFor('quite-another')).toBe('Pending');
    expect(await ward.readyOf('quite-another')).toContain('RecentlyRemediated');
    await ward.stage.advance(MINUTE);
    await ward.stage.advance(SECOND);
    expect((await ward.statusOf('quite-another')).phase).toBe('Running');
  });

  test('[BO-043] [BO-044] [BO-124] [BO-125] a success after several failures restarts the count', async () => {
    await opened();
    await failStarts(3);
    await ward.stage.advance(5 * MINUTE);
    await ward.remediate('good', TARGET);
    await ward.endOne();
    const good = await ward.statusOf('good');
    expect([good.phase, good.consecutiveFailures, good.nextAllowedExecution]).toEqual(['Completed', undefined, undefined]);
    await ward.stage.advance(2 * MINUTE);
    await failStarts(1, 'again');
    const again = await ward.statusOf('again-1');
    expect(again.consecutiveFailures).toBe(1);
    expect((parseTime(again.nextAllowedExecution) ?? 0) - (parseTime(again.completionTime) ?? 0)).toBe(MINUTE);
  });

  test('[BO-129] deleting the newest of them restarts the count, although older ones are there', async () => {
    await opened();
    await failStarts(5);
    await ward.stage.admin.delete(WorkflowExecution, { namespace, name: 'we-bad-5' });
    await ward.stage.advance(10 * SECOND);
    await failStarts(1, 'fresh');
    expect((await ward.statusOf('fresh-1')).consecutiveFailures).toBe(1);
    expect((await ward.statusOf('bad-4')).nextAllowedExecution).toBeUndefined();
  });

  test('[BO-131] deleting the request of the fifth lifts nothing', async () => {
    await opened();
    await failStarts(5);
    await ward.stage.advance(2 * MINUTE);
    await ward.stage.admin.delete(RemediationRequest, { namespace, name: 'bad-5' });
    await ward.stage.advance(10 * SECOND);
    expect(await wentFor('next')).toBe('ExhaustedRetries');
  });

  test('[BO-153] one target that is exhausted and one that is blocked hold up no other', async () => {
    await opened();
    await failStarts(5);
    await ward.remediate('blocked', 'shop/Deployment/cart');
    await ward.endOne('Failed');
    await ward.remediate('free', 'shop/Deployment/search');
    expect((await ward.statusOf('free')).phase).toBe('Running');
  });
});

describe('a run that failed', LIMIT, () => {
  const failed = async (): Promise<void> => {
    await opened();
    await ward.remediate('bad', TARGET);
    await ward.endOne('Failed');
  };

  test('[BO-001] [BO-023] [BO-036] is not counted and leads to no wait: the next is skipped at once', async () => {
    await failed();
    const { consecutiveFailures, nextAllowedExecution } = await ward.statusOf('bad');
    expect([consecutiveFailures, nextAllowedExecution]).toEqual([undefined, undefined]);
    expect(await wentFor('next')).toBe('PreviousExecutionFailed');
  });

  test('[BO-010] [BO-012] is Failed at once, marked for a person, and never started again', async () => {
    await failed();
    const { phase, completionTime, failureDetails } = await ward.statusOf('bad');
    expect([phase, completionTime]).toEqual(['Failed', toTime(ward.stage.clock.now())]);
    expect(failureDetails).toMatchObject({ wasExecutionFailure: true, requiresManualReview: true });
    await ward.stage.advance(HOUR);
    expect(await ward.atWork()).toEqual([]);
    expect((await ward.stage.admin.list(Job, { namespace: executionNamespace })).items).toEqual([]);
  });

  test('[BO-050] [BO-051] however many fail, it is never called exhausted; retries that ran out are never called a failed run', async () => {
    await failed();
    for (const i of [1, 2, 3, 4, 5]) {
      await clear(i === 1 ? 'bad' : `run-${i - 1}`);
      await ward.stage.advance(2 * MINUTE);
      await ward.remediate(`run-${i}`, TARGET);
      await ward.endOne('Failed');
    }
    expect(await wentFor('next')).toBe('PreviousExecutionFailed');
  });

  test('[BO-006] is not counted with what fails before it runs once a person has cleared it', async () => {
    await failed();
    await clear('bad');
    await ward.stage.advance(2 * MINUTE);
    await failStarts(1);
    const { consecutiveFailures, nextAllowedExecution, completionTime } = await ward.statusOf('bad-1');
    expect(consecutiveFailures).toBe(1);
    expect((parseTime(nextAllowedExecution) ?? 0) - (parseTime(completionTime) ?? 0)).toBe(MINUTE);
  });
});

describe('[WE-058] the cooldown', LIMIT, () => {
  test.each([
    { id: 'WE-051', type: 'Complete', workflowId: 'w' },
    { id: 'WE-053', type: 'Complete', workflowId: 'another' },
  ] as const)(
    '[$id] [BO-002] [WE-057] [WE-060] of one minute after a run holds the next one back, which goes on by itself',
    async ({ type, workflowId }) => {
      await opened();
      await ward.remediate('one', TARGET);
      await ward.endOne(type);
      const end = ward.stage.clock.now();
      await ward.remediate('two', TARGET, { workflowId });
      expect(await ward.readyOf('two')).toContain(`CooldownActive: the cooldown after we-one lasts until ${toTime(after(end, MINUTE))}`);
      await ward.stage.advance(MINUTE - SECOND);
      expect((await ward.statusOf('two')).phase).toBe('Pending');
      await ward.stage.advance(SECOND);
      await ward.stage.advance(SECOND);
      expect((await ward.statusOf('two')).phase).toBe('Running');
    },
  );

  test('[WE-049] is that of one target: another is worked on at once', async () => {
    await opened();
    await ward.remediate('one', TARGET);
    await ward.endOne();
    await ward.remediate('two', TARGET);
    await ward.remediate('other', 'shop/Deployment/cart');
    expect([(await ward.statusOf('two')).phase, (await ward.statusOf('other')).phase]).toEqual(['Pending', 'Running']);
  });

  test('[WE-052] follows a failure too, and where it is longer than the back-off it counts', async () => {
    await opened();
    ward.settings = { ...ward.settings, cooldownMs: 3 * MINUTE };
    await failStarts(1);
    await ward.remediate('next', TARGET);
    expect(await ward.readyOf('next')).toContain('CooldownActive');
    await ward.stage.advance(2 * MINUTE);
    expect((await ward.statusOf('next')).phase).toBe('Pending');
    await ward.stage.advance(MINUTE);
    await ward.stage.advance(10 * SECOND);
    expect((await ward.statusOf('next')).phase).toBe('Running');
  });

  test.each([DEFAULT_SETTINGS.cooldownMs, 3 * MINUTE])('[WE-096] keeps run and lock for %d ms, as configured', async (cooldownMs) => {
    await opened();
    expect(DEFAULT_SETTINGS.cooldownMs).toBe(MINUTE);
    ward.settings = { ...ward.settings, cooldownMs };
    await ward.remediate('one', TARGET);
    await ward.endOne();
    const runs = async () => (await ward.stage.admin.list(Job, { namespace: executionNamespace })).items.length;
    await ward.stage.advance(cooldownMs - SECOND);
    expect(await runs()).toBe(1);
    await ward.stage.advance(SECOND);
    expect(await runs()).toBe(0);
  });

  test('[WE-159] [WE-160] [WE-165] the orphans of an earlier execution are deleted, and the next one runs', async () => {
    for (const type of ['Complete', 'Failed'] as const) {
      await opened();
      await ward.remediate('one', TARGET);
      const [job] = await ward.atWork();
      if (job) await ward.end(job, type);
      await clear('one').catch(() => undefined);
      // No execution is left to clean up after it.
      await ward.stage.admin.patch(
        WorkflowExecution,
        { namespace, name: 'we-one' },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      );
      await ward.stage.admin.delete(WorkflowExecution, { namespace, name: 'we-one' });
      await ward.remediate('two', TARGET);
      await ward.stage.advance(MINUTE);
      await ward.stage.advance(20 * SECOND);
      const [next] = await ward.atWork();
      expect(next && keyOf(next)).toEqual(job && keyOf(job));
      expect(next?.metadata.uid).not.toBe(job?.metadata.uid);
      if (type === 'Complete') await ward.stage.end();
    }
  });
});

describe('the fields of seed 001', () => {
  const { openAPIV3Schema } = crdOf(WorkflowExecution).spec.versions[0]?.schema ?? {};
  const properties = (of: string) =>
    (openAPIV3Schema as { properties: Record<string, { properties: Record<string, object>; required?: string[] }> }).properties[of];

  test('[BO-045] [BO-046] consecutiveFailures and nextAllowedExecution are optional fields of the status', async () => {
    await opened();
    expect(properties('status')?.properties).toMatchObject({
      consecutiveFailures: { type: 'integer', format: 'int32' },
      nextAllowedExecution: { type: 'string', format: 'date-time' },
    });
    expect(properties('status')?.required ?? []).not.toEqual(expect.arrayContaining(['consecutiveFailures']));
    await ward.remediate('one', TARGET);
    expect(await ward.statusOf('one')).not.toHaveProperty('consecutiveFailures');
    expect(await ward.statusOf('one')).not.toHaveProperty('nextAllowedExecution');
  });

  test('[BO-057] no execution says anything about its own back-off', async () => {
    await opened();
    const names = JSON.stringify(properties('spec'));
    for (const setting of ['cooldown', 'Cooldown', 'backoff', 'Backoff', 'consecutiveFailures']) expect(names).not.toContain(`"${setting}`);
  });
});
