import { describe, expect, test } from 'vitest';
import { aGuardedApi } from '../apiserver/testing/guarded-api.ts';
import type { ClusterRole, PolicyRule } from '../kube/builtin/index.ts';
import { ourRights } from './index.ts';

async function rulesOf(name: string): Promise<readonly PolicyRule[]> {
  const { system } = aGuardedApi(ourRights());
  return ((await system.get(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`)).body as ClusterRole).rules ?? [];
}

describe('the default roles', () => {
  test.each([
    ['view', 'remediationrequests'],
    ['edit', 'remediationrequests/status'],
    ['admin', 'remediationapprovalrequests/status'],
  ])('%s aggregates the rights to %s', async (role, resource) => {
    expect((await rulesOf(role)).flatMap(({ resources = [] }) => resources)).toContain(resource);
  });

  test('edit does not allow to decide about approvals', async () => {
    const rules = await rulesOf('edit');
    const onApprovals = rules.filter(({ resources = [] }) => resources.includes('remediationapprovalrequests/status'));
    expect(onApprovals.flatMap(({ verbs }) => verbs)).toEqual(['get', 'list', 'watch']);
  });

  test('approve allows to decide', async () => {
    expect(await rulesOf('sickbay:approve')).toMatchObject([
      { resources: ['remediationapprovalrequests/status'], verbs: ['patch', 'update'] },
    ]);
  });
});
