import { Namespace } from '../api/builtin/index.ts';
import { kinds } from '../api/index.ts';
import { after, hasCode, MINUTE, type Clock } from '../base/index.ts';
import type { Settings } from '../controllers/settings.ts';
import type { KubeClient } from '../kube/client.ts';
import { installKinds } from '../kube/install-kinds.ts';
import { installLibrary } from '../../workflows/library.ts';

export interface InstallOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly settings: Settings;
  /** The image that holds the workflows, where it is not the one that the catalogue names. */
  readonly workflowImage?: string;
  readonly signal?: AbortSignal;
}

/** Puts in place what the controllers need: kinds, namespaces and the catalogue of workflows. What is there already stays. */
export async function install({ client, clock, settings, workflowImage, signal }: InstallOptions): Promise<void> {
  const { namespace, executionNamespace } = settings;
  await installKinds(kinds, { client, clock, until: after(clock.now(), MINUTE), ...(signal ? { signal } : {}) });
  for (const name of [namespace, executionNamespace]) await ensureNamespace(client, name);
  await installLibrary(client, { namespace, executionNamespace, ...(workflowImage === undefined ? {} : { image: workflowImage }) });
}

/** Creates a namespace unless it is there. */
export async function ensureNamespace(client: KubeClient, name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  try {
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}
