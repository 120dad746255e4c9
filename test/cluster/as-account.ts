import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import type { ObjectKey } from '../../src/api/meta.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { accountToken } from '../../src/testkit/account-token.ts';

interface Kubeconfig {
  readonly users: readonly { readonly name: string }[];
}

/** Writes a kubeconfig beside which nothing but the token of an account is left of who wrote it. */
export async function asAccount(
  client: KubeClient,
  account: ObjectKey,
  files: { readonly from: string; readonly to: string },
): Promise<void> {
  const token = await accountToken(client, account);
  const kubeconfig = parse(await readFile(files.from, 'utf8')) as Kubeconfig;
  const users = kubeconfig.users.map(({ name }) => ({ name, user: { token } }));
  await writeFile(files.to, stringify({ ...kubeconfig, users }), { mode: 0o600 });
}
