import { systemClock } from '../../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../../kube/index.ts';

/** Which cluster and which user. */
export interface KubeconfigFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Runs a command with the identity of the user's kubeconfig; `namespace` is the one that its context names. */
export async function withKubeconfig<T>(
  { kubeconfig, context }: KubeconfigFlags,
  work: (client: KubeClient, namespace: string | undefined) => Promise<T>,
): Promise<T> {
  const config = await loadConfig({
    clock: systemClock,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  try {
    return await work(createClient(transport), config.namespace);
  } finally {
    await transport.close();
  }
}
