import { ServiceAccount, type TokenRequest } from '../../../src/api/builtin/index.ts';
import { ACCOUNT, type Grant } from '../../../src/api/rights/index.ts';
import type { KubeClient } from '../../../src/kube/index.ts';

/** A token of our account, which gets these rights. */
export async function tokenOf(admin: KubeClient, rights: readonly Grant[], namespace: string): Promise<string> {
  for (const { resource, draft } of rights) await admin.create(resource, draft);
  const body: TokenRequest = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } };
  const { status } = (await admin.subresource(ServiceAccount, { namespace, name: ACCOUNT }, { name: 'token', body })) as TokenRequest;
  return status?.token ?? '';
}
