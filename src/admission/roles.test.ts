import { describe, expect, test } from 'vitest';
import { aGuardedApi } from '../apiserver/testing/guarded-api.ts';
import type { ClusterRole, PolicyRule } from '../kube/builtin/index.ts';
import { ourRights } from './index.ts';

const OF_MACHINES: readonly string[] = ['cluster.x-k8s.io', 'remediation.sickbay.dev'];

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

  test.each(['edit', 'admin'])(
    '%s writes nothing about Machines, which have Nodes moved and addresses called (ruling 122)',
    async (role) => {
      const rules = (await rulesOf(role)).filter(({ apiGroups = [] }) => apiGroups.some((group) => OF_MACHINES.includes(group)));
      expect(rules.flatMap(({ resources = [] }) => resources)).toEqual(
        expect.arrayContaining(['machines', 'powercycleremediationtemplates']),
      );
      expect([...new Set(rules.flatMap(({ verbs }) => verbs))].toSorted()).toEqual(['get', 'list', 'watch']);
    },
  );

  test('admin writes the kinds of the pipeline', async () => {
    const rules = (await rulesOf('admin')).filter(({ resources = [] }) => resources.includes('remediationworkflows'));
    expect(rules.flatMap(({ verbs }) => verbs)).toContain('create');
  });

  test('approve allows to decide', async () => {
    expect(await rulesOf('sickbay:approve')).toMatchObject([
      { resources: ['remediationapprovalrequests/status'], verbs: ['patch', 'update'] },
    ]);
  });
});
