import { Namespace, ServiceAccount } from '../../api/builtin/index.ts';
import { kinds } from '../../api/index.ts';
import type { Grant } from '../../api/rights/index.ts';
import { after, hasCode, MINUTE, type Clock } from '../../base/index.ts';
import { commonAccount } from '../../controllers/execution/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { installKinds } from '../../kube/client/install-kinds.ts';
import { installLibrary } from '../../../workflows/library.ts';

export interface InstallOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly settings: Settings;
  /** The image of the workflows, where it is not the one that the catalogue names. */
  readonly workflowImage?: string;
  readonly signal?: AbortSignal;
}

/** Installs what the controllers need: kinds, namespaces, the common account and the catalogue of workflows. Existing objects stay. */
export async function install({ client, clock, settings, workflowImage, signal }: InstallOptions): Promise<void> {
  const { namespace, executionNamespace } = settings;
  await installKinds(kinds, { client, clock, until: after(clock.now(), MINUTE), ...(signal ? { signal } : {}) });
  for (const name of [namespace, executionNamespace]) await ensureNamespace(client, name);
  await unlessThere(client.create(ServiceAccount, commonAccount(executionNamespace)));
  await installLibrary(client, { namespace, executionNamespace, ...(workflowImage === undefined ? {} : { image: workflowImage }) });
}

/** Creates a namespace unless it exists. */
export async function ensureNamespace(client: KubeClient, name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  await unlessThere(client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }));
}

/** Creates roles and bindings; existing ones stay. */
export async function grant(client: KubeClient, grants: readonly Grant[]): Promise<void> {
  for (const { resource, draft } of grants) await unlessThere(client.create(resource, draft));
}

async function unlessThere(created: Promise<unknown>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}
