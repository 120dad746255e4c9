import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceAccount } from '../../api/builtin/index.ts';
import { kubeconfigText, type Listener } from '../../apiserver/index.ts';
import { HOUR } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { ProcessAccount, ProcessCredentials } from '../../local-cluster/index.ts';
import type { StateFolder } from './state-folder.ts';

/** Longer than any workflow may run; the token becomes invalid with its pod anyway. */
const TOKEN_SECONDS = (2 * HOUR) / 1_000;

export interface PodCredentialsOptions {
  readonly client: KubeClient;
  readonly folder: StateFolder;
  readonly server: Pick<Listener, 'url' | 'trust'>;
}

/**
 * Lets workflows that run as child processes act as their own ServiceAccount, as they do in a cluster: each gets a kubeconfig
 * with a token that is bound to its pod, and only the rights of its account. It lies in a folder of its own, which is the process's HOME.
 */
export const podCredentials =
  ({ client, folder, server }: PodCredentialsOptions) =>
  async ({ namespace, name, pod }: ProcessAccount): Promise<ProcessCredentials> => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid };
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: TOKEN_SECONDS, boundObjectRef },
    };
    const answer = await client.subresource(ServiceAccount, { namespace, name }, { name: 'token', body });
    const { token } = (answer as { readonly status: { readonly token: string } }).status;
    const home = join(folder.path, 'pods', pod.uid);
    await mkdir(home, { recursive: true, mode: 0o700 });
    const file = join(home, 'kubeconfig');
    await writeFile(file, kubeconfigText({ server: server.url, trust: server.trust, token, name: 'sickbay' }), { mode: 0o600 });
    return {
      home,
      env: { HOME: home, TMPDIR: home, KUBECONFIG: file },
      withdraw: () => rm(home, { recursive: true, force: true }),
    };
  };
