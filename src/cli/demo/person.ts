import { Role, RoleBinding, type RoleBinding as Binding } from '../../api/builtin/index.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { User } from '../../apiserver/index.ts';
import { hasCode } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';

/** The person on call in the demo: an ordinary user without special groups. */
export const PERSON: User = { username: 'dana@example.com', groups: [] };

const RBAC = 'rbac.authorization.k8s.io';
const VERSION = `${RBAC}/v1`;
const APPROVER = 'demo-approver';
const VIEWER = 'demo-viewer';

/** Lets the person read these namespaces, and decide in the first; nothing else. */
export async function hireApprover(client: KubeClient, [system, ...others]: readonly [string, ...string[]]): Promise<void> {
  const rules = [
    {
      apiGroups: [RemediationApprovalRequest.group],
      resources: [`${RemediationApprovalRequest.plural}/status`],
      verbs: ['patch', 'update'],
    },
  ];
  await unlessThere(client.create(Role, { apiVersion: VERSION, kind: 'Role', metadata: { namespace: system, name: APPROVER }, rules }));
  await bind(client, { namespace: system, name: APPROVER }, { kind: 'Role', name: APPROVER });
  for (const namespace of [system, ...others]) await bind(client, { namespace, name: VIEWER }, { kind: 'ClusterRole', name: 'view' });
}

function bind(
  client: KubeClient,
  metadata: { readonly namespace: string; readonly name: string },
  role: Pick<Binding['roleRef'], 'kind' | 'name'>,
): Promise<void> {
  const subjects = [{ apiGroup: RBAC, kind: 'User' as const, name: PERSON.username }];
  const roleRef = { apiGroup: RBAC, ...role };
  return unlessThere(client.create(RoleBinding, { apiVersion: VERSION, kind: 'RoleBinding', metadata, roleRef, subjects }));
}

async function unlessThere(created: Promise<unknown>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}
