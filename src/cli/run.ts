import { kinds, resourceName } from '../api/index.ts';
import { hasCode, PlatformError, systemClock, type Logger } from '../base/index.ts';
import type { Settings } from '../controllers/settings.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../kube/index.ts';
import { LEASE_TIMING, type LeaseTiming } from '../runtime/index.ts';
import { install } from './install.ts';
import { serve, type Running } from './serve.ts';

export interface RunOptions {
  readonly settings: Settings;
  readonly port: number;
  /** $KUBECONFIG, the home folder's, or the Pod's own identity when absent. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Puts kinds, namespaces and workflows in place first. */
  readonly install: boolean;
  readonly workflowImage?: string;
  readonly leaseSeconds?: number;
  readonly log: Logger;
}

/** Sickbay at work on a real cluster; several may run, and one of them leads. */
export async function run({ settings, port, log, ...options }: RunOptions): Promise<Running> {
  const clock = systemClock;
  const config = await loadConfig({
    clock,
    ...(options.kubeconfig === undefined ? {} : { kubeconfig: options.kubeconfig }),
    ...(options.context === undefined ? {} : { context: options.context }),
  });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  const client = createClient(transport);
  try {
    if (options.install) {
      const { workflowImage } = options;
      await install({ client, clock, settings, ...(workflowImage === undefined ? {} : { workflowImage }) });
    } else await demandKinds(client, settings.namespace);
    const running = await serve({ transport, settings, port, log, lease: leaseOf(options.leaseSeconds) });
    return {
      ...running,
      async close() {
        await running.close();
        await transport.close();
      },
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** The proportions of the usual timing, whatever its length. */
function leaseOf(seconds: number | undefined): LeaseTiming {
  if (seconds === undefined) return LEASE_TIMING;
  const share = (seconds * 1_000) / LEASE_TIMING.leaseMs;
  const { leaseMs, renewWithinMs, retryMs } = LEASE_TIMING;
  return { leaseMs: leaseMs * share, renewWithinMs: renewWithinMs * share, retryMs: retryMs * share };
}

/** Says at once what is missing, instead of waiting for kinds that nobody serves. */
async function demandKinds(client: KubeClient, namespace: string): Promise<void> {
  for (const kind of kinds) {
    try {
      await client.list(kind, { namespace, pageSize: 1 });
    } catch (error) {
      if (!hasCode(error, 'NotFound')) throw error;
      const advice = 'install them with --install, or with kubectl apply -f deploy/crds';
      throw new PlatformError('Unavailable', `the cluster does not serve ${resourceName(kind)}: ${advice}`, { cause: error });
    }
  }
}
