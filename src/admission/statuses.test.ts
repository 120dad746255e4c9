import { describe, expect, test } from 'vitest';
import { crdOf } from '../api/crd-of.ts';
import type { Status } from '../kube/meta.ts';
import { DRIVEN } from '../api/policies/statuses.ts';
import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import { aGuardedApi, type GuardedApi } from '../apiserver/testing/guarded-api.ts';
import { CRDS } from '../apiserver/testing/harness.ts';
import { ourRights } from './index.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const KINDS = [...DRIVEN, WorkflowExecution];
const pathOf = (plural: string): string => `/apis/kubernaut.ai/v1alpha1/namespaces/default/${plural}`;
const sampleOf = (kind: (typeof KINDS)[number]) => kind.sample as unknown as { readonly spec: object; readonly status: object };

/** Everybody may write every status; `sickbay` may drive besides. */
async function open(): Promise<GuardedApi> {
  const guarded = aGuardedApi(ourRights());
  const { system } = guarded;
  const grant = async (name: string, rule: object, subject: object): Promise<void> => {
    await system.create(`${RBAC}/clusterroles`, { metadata: { name }, rules: [{ apiGroups: ['kubernaut.ai'], ...rule }] });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    await system.create(`${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects: [subject] });
  };
  const apiGroup = 'rbac.authorization.k8s.io';
  await grant('writers', { resources: ['*/status'], verbs: ['*'] }, { apiGroup, kind: 'Group', name: 'system:authenticated' });
  await grant('driver', { resources: ['remediationrequests'], verbs: ['drive'] }, { apiGroup, kind: 'User', name: 'sickbay' });
  for (const kind of KINDS) {
    await system.create(CRDS, crdOf(kind));
    const { spec } = sampleOf(kind);
    await system.create(pathOf(kind.plural), { apiVersion: 'kubernaut.ai/v1alpha1', kind: kind.kind, metadata: { name: 'one' }, spec });
  }
  return guarded;
}

async function write(guarded: GuardedApi, as: string, about: { readonly plural: string; readonly status: object }): Promise<string> {
  const { code, body } = await guarded.as(as).merge(`${pathOf(about.plural)}/one/status`, { status: about.status });
  return code < 300 ? 'written' : `${code} ${(body as Status).message ?? ''}`;
}

describe.each(DRIVEN.map((kind) => ({ kind })))('the status of $kind.kind', ({ kind }) => {
  const { plural } = kind;
  const { status } = sampleOf(kind);

  test('is refused to a client that has write access only, and nothing is written', async () => {
    const guarded = await open();
    const before = await guarded.system.get(`${pathOf(plural)}/one`);
    expect(await write(guarded, 'mallory', { plural, status })).toContain('403');
    expect(await write(guarded, 'mallory', { plural, status })).toContain('only Sickbay may write the status');
    expect(await guarded.system.get(`${pathOf(plural)}/one`)).toEqual(before);
  });

  test('is written by the client that may drive it, and other clients may write it again unchanged', async () => {
    const guarded = await open();
    expect(await write(guarded, 'sickbay', { plural, status })).toBe('written');
    expect(await write(guarded, 'mallory', { plural, status })).toBe('written');
  });
});

describe('the status of a run', () => {
  const { plural } = WorkflowExecution;
  const blockClearance = { clearReason: 'looked at it', clearMethod: 'StatusField' };

  test.each([
    { as: 'mallory', status: { phase: 'Completed' }, want: '403' },
    { as: 'mallory', status: { phase: 'Completed', blockClearance }, want: '403' },
    { as: 'anna', status: { blockClearance }, want: 'written' },
    { as: 'sickbay', status: { phase: 'Pending' }, want: 'written' },
  ])('$status by $as: $want', async ({ as, status, want }) => {
    expect(await write(await open(), as, { plural, status })).toContain(want);
  });
});
