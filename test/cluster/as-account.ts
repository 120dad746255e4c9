import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { ServiceAccount, type TokenRequest } from '../../src/api/builtin/index.ts';
import type { ObjectKey } from '../../src/api/meta.ts';
import type { KubeClient } from '../../src/kube/index.ts';

interface Kubeconfig {
  readonly users: readonly { readonly name: string }[];
}

/** Writes a kubeconfig beside which nothing but the token of an account is left of who wrote it. */
export async function asAccount(
  client: KubeClient,
  account: ObjectKey,
  files: { readonly from: string; readonly to: string },
): Promise<void> {
  const body: TokenRequest = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } };
  const { status } = (await client.subresource(ServiceAccount, account, { name: 'token', body })) as TokenRequest;
  const kubeconfig = parse(await readFile(files.from, 'utf8')) as Kubeconfig;
  const users = kubeconfig.users.map(({ name }) => ({ name, user: { token: status?.token } }));
  await writeFile(files.to, stringify({ ...kubeconfig, users }), { mode: 0o600 });
}
