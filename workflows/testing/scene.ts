import { ClusterRole, ClusterRoleBinding, Namespace } from '../../src/api/builtin/index.ts';
import { ADMIN, createMemoryApi, newSigningKey, type User } from '../../src/apiserver/index.ts';
import { seededRandom } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { ManualClock } from '../../src/testkit/manual-clock.ts';
import { readLibrary } from '../library.ts';

/** A cluster in memory with one namespace, `shop`, that has the library's roles and keeps to them. */
export interface Scene {
  /** May do everything. */
  readonly client: KubeClient;
  readonly clock: ManualClock;
  /** With the rights of the workflow's own account, and no others. */
  readonly as: (workflow: string) => KubeClient;
}

const RUNS = 'runs';

export async function aScene(): Promise<Scene> {
  const clock = new ManualClock();
  const rights = { tokens: [{ token: 'admin', user: ADMIN }], signingKey: newSigningKey() };
  // Owners that a test only names need not exist.
  const api = createMemoryApi({ clock, random: seededRandom(1), rights, garbageCollection: 'manual' });
  const client = createClient(api);
  for (const name of ['shop', RUNS]) await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const { resource, draft } of await readLibrary({ namespace: 'unused', executionNamespace: RUNS }))
    if (resource === ClusterRole || resource === ClusterRoleBinding) await client.create(resource, draft);
  const as = (workflow: string): KubeClient => {
    const user = accountOf(workflow);
    return createClient({
      request: async (request) => api.gate.admit(user, request).request(request),
      watch: async (request, signal) => api.gate.admit(user, request).watch(request, signal),
    });
  };
  return { client, clock, as };
}

const accountOf = (workflow: string): User => ({
  username: `system:serviceaccount:${RUNS}:workflow-${workflow}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${RUNS}`, 'system:authenticated'],
});

/** The environment of a run. */
export const told = (kind: string, name: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  TARGET_RESOURCE_KIND: kind,
  TARGET_RESOURCE_NAME: name,
  ...(kind === 'Node' ? {} : { TARGET_RESOURCE_NAMESPACE: 'shop' }),
  WORKFLOW_EXECUTION: 'wfe-1',
  ...more,
});

/** The client, with something that happens right before each of the first `times` writes of the kind. */
export function disturbed(
  client: KubeClient,
  { write, times = 1, by }: { readonly write: 'patch' | 'delete'; readonly times?: number; readonly by: (nth: number) => Promise<unknown> },
): KubeClient {
  let nth = 0;
  const before = async (): Promise<void> => void (++nth <= times && (await by(nth)));
  return new Proxy(client, {
    get(target, member: keyof KubeClient) {
      const call = target[member].bind(target) as (...args: unknown[]) => Promise<unknown>;
      return member === write ? async (...args: unknown[]) => (await before(), call(...args)) : call;
    },
  });
}
