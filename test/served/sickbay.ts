/** The embedded server on a state file, alone in its process. */
import { createMemoryApi, openSqliteStorage, serveApi, type MemoryApi } from '../../src/apiserver/index.ts';
import { silent, systemClock, systemRandom } from '../../src/base/index.ts';
import { serveChild } from './serve-child.ts';

/** Where its state is, how hard it is kept, and what opens the door. */
export interface SickbayOptions {
  readonly path: string;
  readonly synchronous?: 'FULL' | 'NORMAL';
  readonly token: string;
}

const USER = 'writer';

serveChild(async ({ path, synchronous = 'FULL', token }: SickbayOptions) => {
  const storage = await openSqliteStorage({ path, synchronous });
  const rights = { tokens: [{ token, user: { username: USER, groups: [] } }] };
  const api = createMemoryApi({ clock: systemClock, random: systemRandom, storage, rights });
  await api.ready;
  await grantAll(api);
  return serveApi({ gate: api.gate, log: silent });
});

/** By a binding, so that every request is judged as those of users are; only administrators need none. */
async function grantAll(api: MemoryApi): Promise<void> {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: USER }];
  const { code } = await api.request({ method: 'POST', path, body: { metadata: { name: USER }, roleRef, subjects } });
  if (code !== 201 && code !== 409) throw new Error(`granting rights was answered with ${code}`);
}
