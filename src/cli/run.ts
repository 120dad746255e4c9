import { messageOf, PlatformError, systemClock, type Logger } from '../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../kube/index.ts';
import { demandKinds } from './demand-kinds.ts';
import { install } from './install.ts';
import { leaseTiming } from './lease-timing.ts';
import { serve, type Running } from './serve.ts';
import type { ChosenSettings } from './settings-for.ts';

export interface RunOptions extends ChosenSettings {
  readonly port: number;
  /** $KUBECONFIG, the home folder's, or the Pod's own identity when absent. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Puts kinds, namespaces and workflows in place first. */
  readonly install: boolean;
  readonly workflowImage?: string;
  readonly leaseSeconds?: number;
  readonly log: Logger;
  /** Gives up starting; what runs is stopped by closing it. */
  readonly signal: AbortSignal;
}

/** Sickbay at work on a real cluster; several may run, and one of them leads. */
export async function run({ settings, config: file, port, log, ...options }: RunOptions): Promise<Running> {
  await using opened = new AsyncDisposableStack();
  const config = await loadConfig({
    clock: systemClock,
    ...(options.kubeconfig === undefined ? {} : { kubeconfig: options.kubeconfig }),
    ...(options.context === undefined ? {} : { context: options.context }),
  });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  opened.defer(() => transport.close());
  await Promise.race([prepare(config.server, createClient(transport), { settings, ...options }), aborted(options.signal)]);
  const lease = leaseTiming(options.leaseSeconds);
  const running = await serve({ transport, settings, ...(file && { config: file }), port, log, lease });
  opened.defer(() => running.close());
  const all = opened.move();
  return { ...running, close: () => all.disposeAsync() };
}

type Preparation = Pick<RunOptions, 'settings' | 'install' | 'workflowImage' | 'signal'>;

async function prepare(server: string, client: KubeClient, { settings, workflowImage, signal, ...options }: Preparation): Promise<void> {
  try {
    if (!options.install) return await demandKinds(client, settings().namespace);
    await install({ client, clock: systemClock, settings: settings(), signal, ...(workflowImage === undefined ? {} : { workflowImage }) });
  } catch (error) {
    const code = error instanceof PlatformError ? error.code : 'Internal';
    throw new PlatformError(code, `cannot start on ${server}: ${messageOf(error)}`, { cause: error });
  }
}

/** Rejects when the signal aborts: a cluster may take long to answer, or never do. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
