import { systemClock } from '../../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../../kube/index.ts';

/** Which cluster, and as whom. */
export interface KubeconfigFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Does something with the identity that a person's kubeconfig gives them. */
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
