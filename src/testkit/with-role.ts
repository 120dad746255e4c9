import { RoleBinding, ClusterRole } from '../api/builtin/index.ts';
import type { Draft } from '../api/meta.ts';
import { peopleRoles } from '../api/rights/index.ts';
import type { KubeClient } from '../kube/client/client.ts';

/** Creates the roles for people, and binds one of them to a user in these namespaces. */
export async function bindPeopleRole(
  admin: KubeClient,
  { user, role, namespaces }: { readonly user: string; readonly role: string; readonly namespaces: readonly string[] },
): Promise<void> {
  const apiGroup = ClusterRole.group;
  for (const { resource, draft } of peopleRoles) await admin.create(resource, draft);
  for (const namespace of namespaces)
    await admin.create(RoleBinding, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: role, namespace },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', name: user, apiGroup }],
    } as Draft<RoleBinding>);
}
