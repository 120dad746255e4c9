import { describe, expect, test } from 'vitest';
import { Lease, Namespace } from '../api/builtin/index.ts';
import type { Draft } from '../api/meta.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import { ourRights } from '../admission/index.ts';
import { ADMIN, createMemoryApi, newSigningKey } from '../apiserver/index.ts';
import { installKind } from '../testkit/try-bad-value.ts';
import { bindPeopleRole } from '../testkit/with-role.ts';
import { after, HOUR, seededRandom, toTime } from '../base/index.ts';
import { blockFrom, storedBlock, storedBlockDraft } from '../controllers/execution/history/index.ts';
import { runName } from '../controllers/execution/index.ts';
import { aFailedRun, aFailedStart, aSkip, aSuccess } from '../controllers/execution/testing/finished-executions.ts';
import { createClient, type KubeClient } from '../kube/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { clearBlock, clearedText } from './clear-block.ts';

const namespace = 'sickbay-system';
const executionNamespace = 'kubernaut-workflows';
const TARGET = 'shop/Deployment/checkout';
const REASON = 'rolled back by hand';
const WHERE = { namespace, executionNamespace };

/** A server with these executions, and anna, who may do everything. */
async function served(...past: readonly WorkflowExecution[]) {
  const clock = new ManualClock();
  const user = { ...ADMIN, username: 'anna' };
  const api = createMemoryApi({
    clock,
    random: seededRandom(1),
    rights: { tokens: [{ token: 't', user }], signingKey: newSigningKey(), ...ourRights() },
  });
  const system = createClient(api);
  await installKind(api, WorkflowExecution);
  for (const name of [namespace, executionNamespace])
    await system.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const { metadata, status, ...rest } of past) {
    const { name } = metadata;
    await system.create(WorkflowExecution, { ...rest, metadata: { name, namespace } } as Draft<WorkflowExecution>);
    await system.patchStatus(WorkflowExecution, { namespace, name }, { type: 'merge', body: { status } });
  }
  const anna: KubeClient = createClient({
    request: (request) => api.gate.admit(user, request).request(request),
    watch: (request, signal) => api.watch(request, signal),
  });
  const clearanceOf = async (name: string) => (await system.get(WorkflowExecution, { namespace, name })).status?.blockClearance;
  /** A user with this role in both namespaces, and no other right. */
  const withRole = async (role: string): Promise<KubeClient> => {
    await bindPeopleRole(system, { user: 'ben', role, namespaces: [namespace, executionNamespace] });
    const ben = { username: 'ben', groups: ['system:authenticated'] };
    return createClient({
      request: (request) => api.gate.admit(ben, request).request(request),
      watch: (request, signal) => api.watch(request, signal),
    });
  };
  return { anna, api, system, clock, clearanceOf, withRole };
}

describe('the roles for people', () => {
  test('sickbay-operator is enough to clear a block', async () => {
    const { withRole, clock, clearanceOf } = await served(aFailedRun({ name: 'we-bad' }));
    const ben = await withRole('sickbay-operator');
    await clearBlock(ben, clock, { ...WHERE, name: 'we-bad', reason: REASON });
    expect(await clearanceOf('we-bad')).toMatchObject({ clearedBy: 'ben' });
  });

  test('sickbay-approver is not', async () => {
    const { withRole, clock, clearanceOf } = await served(aFailedRun({ name: 'we-bad' }));
    const ben = await withRole('sickbay-approver');
    await expect(clearBlock(ben, clock, { ...WHERE, name: 'we-bad', reason: REASON })).rejects.toMatchObject({ code: 'Forbidden' });
    expect(await clearanceOf('we-bad')).toBeUndefined();
  });
});

describe('clearing', () => {
  test.each(['we-bad', 'we-skipped', TARGET])('[BO-139] [BO-140] by the name %s: who and why are recorded', async (name) => {
    const { anna, clock, clearanceOf } = await served(aFailedRun({ name: 'we-bad' }), aSkip({ name: 'we-skipped' }));
    const cleared = await clearBlock(anna, clock, { ...WHERE, name, reason: REASON });
    expect(cleared).toEqual({ target: TARGET, namespace, executions: ['we-bad'], requests: [], clearedBy: 'anna' });
    const want = { clearedBy: 'anna', clearReason: REASON, clearMethod: 'StatusField', clearedAt: toTime(clock.now()) };
    expect(await clearanceOf('we-bad')).toEqual(want);
    expect(await clearanceOf('we-skipped')).toBeUndefined();
  });

  test('[BO-132] retries that ran out, at the last of them', async () => {
    const { anna, clock, clearanceOf } = await served(
      aFailedStart(4, { name: 'we-4', minutesAgo: 9 }),
      aFailedStart(5, { name: 'we-5', minutesAgo: 1 }),
    );
    await clearBlock(anna, clock, { ...WHERE, name: TARGET, reason: REASON });
    expect([await clearanceOf('we-4'), (await clearanceOf('we-5'))?.clearedBy]).toEqual([undefined, 'anna']);
  });

  test('a failed run and the failed start after it together', async () => {
    const { anna, clock } = await served(aFailedRun({ name: 'we-run', minutesAgo: 9 }), aFailedStart(1, { name: 'we-start' }));
    const { executions } = await clearBlock(anna, clock, { ...WHERE, name: 'we-start', reason: REASON });
    expect(executions).toEqual(['we-run', 'we-start']);
    await expect(clearBlock(anna, clock, { ...WHERE, name: TARGET, reason: REASON })).rejects.toThrow('is not blocked');
  });

  test.each([
    { past: [aSuccess({ name: 'we-ok' })], name: 'we-ok', want: `${TARGET} is not blocked in the namespace ${namespace}` },
    { past: [], name: TARGET, want: `${TARGET}` },
    { past: [], name: 'we-gone', want: `there is no WorkflowExecution we-gone in the namespace ${namespace}` },
  ])('nothing that is not blocked: $name', async ({ past, name, want }) => {
    const { anna, clock } = await served(...past);
    await expect(clearBlock(anna, clock, { ...WHERE, name, reason: REASON })).rejects.toThrow(want);
  });
});

describe('a block whose execution is gone', () => {
  const gone = aFailedRun({ name: 'we-gone' });
  const key = { namespace: executionNamespace, name: runName(gone.spec) };
  const keep = async ({ system, clock }: Awaited<ReturnType<typeof served>>): Promise<void> => {
    const draft = storedBlockDraft(gone, blockFrom(gone, 'PreviousExecutionFailed'), { namespace: executionNamespace, now: clock.now() });
    await system.create(Lease, draft);
  };

  test.each(['we-gone', TARGET])(
    '[BO-139] [BO-140] is cleared on the lock that keeps it, by the name %s, with who and why',
    async (name) => {
      const all = await served();
      await keep(all);
      const cleared = await clearBlock(all.anna, all.clock, { ...WHERE, name, reason: REASON });
      expect(cleared).toEqual({ target: TARGET, namespace, executions: ['we-gone'], requests: [], clearedBy: 'anna' });
      const clearance = { by: 'anna', reason: REASON, at: toTime(all.clock.now()) };
      expect(storedBlock(await all.system.get(Lease, key))).toMatchObject({ name: 'we-gone', clearance });
      await expect(clearBlock(all.anna, all.clock, { ...WHERE, name: TARGET, reason: REASON })).rejects.toThrow('is not blocked');
    },
  );

  test('is cleared together with those that are there', async () => {
    const all = await served(aFailedStart(5, { name: 'we-5' }));
    await keep(all);
    const { executions } = await clearBlock(all.anna, all.clock, { ...WHERE, name: TARGET, reason: REASON });
    expect(executions).toEqual(['we-5', 'we-gone']);
  });

  test('of another target is left alone', async () => {
    const all = await served();
    await keep(all);
    const elsewhere = { ...WHERE, name: 'shop/Deployment/cart', reason: REASON };
    await expect(clearBlock(all.anna, all.clock, elsewhere)).rejects.toThrow('shop/Deployment/cart is not blocked');
    expect(storedBlock(await all.system.get(Lease, key))?.clearance).toBeUndefined();
  });
});

test('the result is printed as a sentence, or for programs', () => {
  const cleared = { target: TARGET, namespace, executions: ['we-a', 'we-b'], requests: [], clearedBy: 'anna' };
  expect(clearedText(cleared, 'text')).toBe(`${TARGET} is free again, cleared by anna, after we-a and we-b`);
  expect(JSON.parse(clearedText(cleared, 'json'))).toEqual(cleared);
});

describe('a suppression after nothing had to be done', () => {
  /** A request that suppresses the alerts about shop/Deployment/checkout. */
  async function suppressing(outcome: 'NoActionRequired' | 'ManualReviewRequired', hours = 24) {
    const rig = await served();
    await installKind(rig.api, RemediationRequest);
    const targetResource = { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' };
    const { spec } = RemediationRequest.sample as unknown as Pick<RemediationRequest, 'spec'>;
    await rig.system.create(RemediationRequest, {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'RemediationRequest',
      metadata: { name: 'rr-1', namespace },
      spec: { ...spec, targetResource },
    });
    const nextAllowedExecution = toTime(after(rig.clock.now(), hours * HOUR));
    const status = { overallPhase: 'Completed', outcome, nextAllowedExecution };
    await rig.system.patchStatus(RemediationRequest, { namespace, name: 'rr-1' }, { type: 'merge', body: { status } });
    return rig;
  }

  test.each(['NoActionRequired', 'ManualReviewRequired'] as const)('%s is lifted by the target, signed', async (outcome) => {
    const { system, clock, withRole } = await suppressing(outcome);
    const ben = await withRole('sickbay-operator');
    const cleared = await clearBlock(ben, clock, { ...WHERE, name: TARGET, reason: REASON });
    expect(cleared).toEqual({ target: TARGET, namespace, executions: [], requests: ['rr-1'], clearedBy: 'ben' });
    expect(clearedText(cleared, 'text')).toBe(`${TARGET} is free again, cleared by ben, after rr-1`);
    expect((await system.get(RemediationRequest, { namespace, name: 'rr-1' })).metadata.annotations).toMatchObject({
      [ANNOTATIONS.blockClearedBy]: 'ben',
      [ANNOTATIONS.blockClearReason]: REASON,
    });
  });

  test('that has ended is none', async () => {
    const { anna, clock } = await suppressing('NoActionRequired', 0);
    await expect(clearBlock(anna, clock, { ...WHERE, name: TARGET, reason: REASON })).rejects.toMatchObject({ code: 'NotFound' });
  });
});
