import { readFileSync } from 'node:fs';
import { ClusterRole, ClusterRoleBinding, ServiceAccount, SubjectAccessReview, type PolicyRule } from '../../src/api/builtin/index.ts';
import type { Draft, KubeObject } from '../../src/api/meta.ts';
import { after, SECOND, systemClock } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { bearer } from '../../src/kube/http/http-config.ts';
import { httpTransport } from '../../src/kube/http/http-transport.ts';
import type { ControlPlaneAccess } from '../../src/testkit/control-plane.ts';
import type { LibraryEntry } from '../library.ts';

/** One thing that a rule allows: `get deployments.apps`. */
export type Right = string;

/** Every single thing that the rules allow. */
export const rightsOf = (rules: readonly PolicyRule[]): readonly Right[] =>
  rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}${group === '' ? '' : `.${group}`}`)),
    ),
  );

/** Rules that allow these things and nothing else. */
export const rulesFor = (rights: readonly Right[]): readonly PolicyRule[] =>
  rights.map((right) => {
    const [verb = '', what = ''] = right.split(' ');
    const [resource = '', ...group] = what.split('.');
    return { apiGroups: [group.join('.')], resources: [resource], verbs: [verb] };
  });

/** The rules that a workflow of the library declares. */
export function declaredRules(library: readonly LibraryEntry[], workflow: string): readonly PolicyRule[] {
  const found = library.find(({ resource, draft }) => resource === ClusterRole && draft.metadata.name?.endsWith(`-${workflow}`));
  return (found?.draft as Draft<ClusterRole> | undefined)?.rules ?? [];
}

/** Cluster-wide names of our own, so that a library on the same cluster is not changed. */
export function ownCopy({ resource, draft }: LibraryEntry, suffix: string): LibraryEntry {
  if (resource.namespaced) return { resource, draft };
  const renamed = JSON.parse(JSON.stringify(draft).replaceAll('sickbay-workflow-', `sickbay-test-${suffix}-`)) as Draft<KubeObject>;
  return { resource, draft: renamed };
}

/** What an account is and may, apart from what a workflow does. */
export const isAccount = ({ resource }: LibraryEntry): boolean =>
  [ServiceAccount, ClusterRole, ClusterRoleBinding].includes(resource as never);

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Creates an account with these rights alone; the names of its role and of the binding are its own name. */
export async function createAccount(client: KubeClient, { namespace, name }: Account, rules: readonly PolicyRule[]): Promise<void> {
  const metadata = { name };
  const rbac = 'rbac.authorization.k8s.io';
  await client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  await client.create(ClusterRole, { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules });
  await client.create(ClusterRoleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
}

/** Rights count a moment after they were written, in the order in which they were written. */
export async function untilMay(client: KubeClient, { namespace, name }: Account, right: Right): Promise<void> {
  const [verb = '', what = ''] = right.split(' ');
  const [resource = '', ...group] = what.split('.');
  const resourceAttributes = { verb, group: group.join('.'), resource };
  const draft: Draft<SubjectAccessReview> = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: { user: `system:serviceaccount:${namespace}:${name}`, resourceAttributes },
  };
  while ((await client.create(SubjectAccessReview, draft)).status?.allowed !== true) await pause();
}

/** The pause between two reads of a server that other tests use too. */
export const pause = (): Promise<void> => systemClock.waitUntil(after(systemClock.now(), SECOND / 10), new AbortController().signal);

/** A user of a server. */
export interface SignedIn {
  readonly client: KubeClient;
  close(): Promise<void>;
}

/** A client of the account, with a token that the server issued. */
export async function signIn(admin: KubeClient, plane: ControlPlaneAccess, account: Account): Promise<SignedIn> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 900 } };
  const answer = await admin.subresource(ServiceAccount, account, { name: 'token', body });
  const { token } = (answer as { readonly status: { readonly token: string } }).status;
  const transport = httpTransport({ server: plane.url, ca: readFileSync(plane.caFile), identity: bearer(token) });
  return { client: createClient(transport), close: () => transport.close() };
}
