import { systemClock } from '../../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../../kube/index.ts';

/** Which cluster and which user. */
export interface KubeconfigFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Runs a command with the identity of the user's kubeconfig. */
export async function withKubeconfig<T>({ kubeconfig, context }: KubeconfigFlags, work: (client: KubeClient) => Promise<T>): Promise<T> {
  const config = await loadConfig({
    clock: systemClock,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  try {
    return await work(createClient(transport));
  } finally {
    await transport.close();
  }
}
