import { ServiceAccount, type TokenRequest } from '../api/builtin/index.ts';
import type { ObjectKey } from '../api/meta.ts';
import type { KubeClient } from '../kube/index.ts';

/** A token of a ServiceAccount that lasts an hour, as `kubectl create token` gets one. */
export async function accountToken(client: KubeClient, account: ObjectKey): Promise<string> {
  const body: TokenRequest = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } };
  const { status } = (await client.subresource(ServiceAccount, account, { name: 'token', body })) as TokenRequest;
  return status!.token;
}
