import { RoleBinding, ServiceAccount, ClusterRole } from '../../src/api/builtin/index.ts';
import type { Draft, ObjectKey } from '../../src/api/meta.ts';
import type { KubeClient } from '../../src/kube/index.ts';

/** A new ServiceAccount, with one of Sickbay's roles in its namespace. */
export async function bindAccount(client: KubeClient, { namespace, name }: ObjectKey, role: string): Promise<void> {
  await client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } });
  await client.create(RoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `${name}-${role}`, namespace },
    roleRef: { apiGroup: ClusterRole.group, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  } as Draft<RoleBinding>);
}
