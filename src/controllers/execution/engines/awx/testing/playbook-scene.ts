import { Namespace, Role, RoleBinding, Secret, ServiceAccount } from '../../../../../api/builtin/index.ts';
import { silent, type Clock } from '../../../../../base/index.ts';
import type { KubeClient } from '../../../../../kube/client/client.ts';
import { bearer, type HttpConfig } from '../../../../../kube/http/http-config.ts';
import { AWX_TOKEN, FakeAwx } from '../../../../../testkit/awx/fake-awx.ts';
import { createAwxCalls } from '../perform-awx-step.ts';
import { AwxFailures, type ClusterAddress } from '../awx-connection.ts';
import type { AwxStep } from '../awx-step.ts';
import { neededCredentials } from '../launch/needed-credentials.ts';
import { aPlaybook, SETTINGS } from './awx-case.ts';

/** Where things are: servers that several tests use need names of their own. */
export interface Places {
  readonly namespace: string;
  readonly executionNamespace: string;
  /** Here the account of the workflow may read ConfigMaps, and nothing else. */
  readonly shop: string;
  /** Here it may do nothing. */
  readonly bank: string;
}

export const PLACES: Places = {
  namespace: SETTINGS.namespace,
  executionNamespace: SETTINGS.executionNamespace,
  shop: 'shop',
  bank: 'bank',
};

/** The name that the API server has for the account of the workflow. */
export const accountIn = ({ executionNamespace }: Places): string => `system:serviceaccount:${executionNamespace}:mender`;

/** Makes the places, the account and its rights. */
export async function furnish(admin: KubeClient, places: Places): Promise<void> {
  const { namespace, executionNamespace, shop, bank } = places;
  for (const name of [namespace, executionNamespace, shop, bank])
    await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const account = { name: 'mender', namespace: executionNamespace };
  await admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'mender', namespace: shop } };
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
  await admin.create(Role, { ...rbac, kind: 'Role', rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'mender' } as const;
  await admin.create(RoleBinding, { ...rbac, kind: 'RoleBinding', roleRef, subjects: [{ kind: 'ServiceAccount' as const, ...account }] });
  const data = { token: Buffer.from(AWX_TOKEN).toString('base64') };
  await admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'awx-token', namespace }, data });
}

/** What a playbook finds in its environment, by the injectors of its credentials. */
export type PlaybookEnvironment = Readonly<Record<string, unknown>>;

/** Launches a job with the credentials that an execution wants and no others. */
export async function launch(deps: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly cluster: ClusterAddress;
  readonly places: Places;
}): Promise<PlaybookEnvironment> {
  const awx = new FakeAwx();
  const execution = aPlaybook();
  const { cluster, places, ...rest } = deps;
  const settings = { ...SETTINGS, namespace: places.namespace, executionNamespace: places.executionNamespace };
  const send = (request: Parameters<FakeAwx['handle']>[0]) => Promise.resolve(awx.handle(request));
  const handler = createAwxCalls({ ...rest, door: { send, notes: new AwxFailures(), cluster }, settings: () => settings, log: silent });
  const run = (step: AwxStep) => handler({ key: 'k', input: step, subject: execution }, new AbortController().signal);
  const template = awx.state.addTemplate({ name: 'mend' });
  const idIn = (items: Iterable<{ readonly id: number; readonly name: string }>, name: string): number =>
    [...items].find((item) => item.name === name)?.id ?? 0;
  const credentials: number[] = [];
  for (const wanted of neededCredentials(execution, { secrets: [], account: 'mender' })) {
    await run({ do: 'create type', wanted });
    await run({ do: 'create credential', wanted, type: idIn(awx.state.types.values(), wanted.name) });
    credentials.push(idIn(awx.state.credentials.values(), wanted.name));
  }
  await run({ do: 'launch', template: template.id, extraVars: {}, credentials });
  const [job] = awx.state.jobs.values();
  if (!job) throw new Error(`nothing was launched: ${awx.offences.join('; ')}`);
  return job.environment;
}

/** How modules of `kubernetes.core` reach the cluster when a playbook says nothing: by what they take from the environment. */
export function asModulesDo(environment: PlaybookEnvironment): HttpConfig {
  const text = (name: string): string => {
    const value = environment[`K8S_AUTH_${name}`];
    return typeof value === 'string' ? value : '';
  };
  return {
    server: text('HOST'),
    // On a real AWX this is the name of the file that its injector writes; ours shows what would be in it.
    ca: text('SSL_CA_CERT'),
    insecure: text('VERIFY_SSL') !== 'True',
    identity: bearer(text('API_KEY')),
  };
}
