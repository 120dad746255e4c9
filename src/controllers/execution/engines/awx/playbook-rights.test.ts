import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigMap, Namespace, Role, RoleBinding, Secret, ServiceAccount } from '../../../../api/builtin/index.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, silent } from '../../../../base/index.ts';
import { serveApi } from '../../../../apiserver/http/index.ts';
import { aCertificate, canCertify } from '../../../../apiserver/testing/certificate.ts';
import { ADMIN_TOKEN, aGuardedApi } from '../../../../apiserver/testing/guarded-api.ts';
import { createClient } from '../../../../kube/api-client.ts';
import type { KubeClient } from '../../../../kube/client.ts';
import { bearer } from '../../../../kube/http-config.ts';
import { httpTransport } from '../../../../kube/http-transport.ts';
import { whoAmI } from '../../../../kube/who-am-i.ts';
import { AWX_TOKEN, FakeAwx } from '../../../../testkit/awx/fake-awx.ts';
import { createAwxCalls } from './awx-calls.ts';
import { AwxNotes } from './awx-door.ts';
import type { AwxStep } from './awx-step.ts';
import { aPlaybook, SETTINGS } from './testing/awx-case.ts';
import { wantedCredentials } from './wanted-credentials.ts';

const { namespace, executionNamespace } = SETTINGS;

/** A client with nothing but what modules of `kubernetes.core` take from the environment when a playbook says nothing. */
function asPlaybook(environment: Readonly<Record<string, unknown>>): KubeClient {
  const text = (name: string): string => {
    const value = environment[`K8S_AUTH_${name}`];
    return typeof value === 'string' ? value : '';
  };
  const transport = httpTransport({
    server: text('HOST'),
    // On a real AWX this is the name of the file that its injector writes; ours shows what would be in it.
    ca: text('SSL_CA_CERT'),
    insecure: text('VERIFY_SSL') !== 'True',
    identity: bearer(text('API_KEY')),
  });
  onTestFinished(() => transport.close());
  return createClient(transport);
}

/** An API server that enforces rights, over TLS, with an account that may read ConfigMaps in one namespace; and an AWX beside it. */
async function open() {
  const { api, clock } = aGuardedApi();
  const tls = aCertificate('IP:127.0.0.1');
  const server = await serveApi({ gate: api.gate, log: silent, tls });
  onTestFinished(() => server.close());
  const transport = httpTransport({ server: server.url, ca: tls.cert, identity: bearer(ADMIN_TOKEN) });
  onTestFinished(() => transport.close());
  const admin = createClient(transport);
  for (const name of [namespace, executionNamespace, 'shop', 'bank'])
    await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await admin.create(ServiceAccount, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'mender', namespace: executionNamespace },
  });
  const metadata = { name: 'mender', namespace: 'shop' };
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
  await admin.create(Role, { ...rbac, kind: 'Role', metadata, rules });
  await admin.create(RoleBinding, {
    ...rbac,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'mender' },
    subjects: [{ kind: 'ServiceAccount', name: 'mender', namespace: executionNamespace }],
  });
  const token = Buffer.from(AWX_TOKEN).toString('base64');
  await admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'awx-token', namespace }, data: { token } });
  const awx = new FakeAwx();
  const door = { send: async (request: Parameters<FakeAwx['handle']>[0]) => Promise.resolve(awx.handle(request)), notes: new AwxNotes() };
  const deps = {
    door: { ...door, cluster: { host: server.url, ca: tls.cert } },
    client: admin,
    settings: () => SETTINGS,
    clock,
    log: silent,
  };
  const handler = createAwxCalls(deps);
  const run = (step: AwxStep, execution: WorkflowExecution) =>
    handler({ key: 'k', input: step, subject: execution }, new AbortController().signal);
  return { admin, awx, clock, run };
}

/** The environment of a job that was launched for an execution, with the credentials that it wants and no others. */
async function launched({ awx, run }: Awaited<ReturnType<typeof open>>): Promise<Readonly<Record<string, unknown>>> {
  const execution = aPlaybook();
  const template = awx.state.addTemplate({ name: 'mend' });
  const idIn = (items: Iterable<{ readonly id: number; readonly name: string }>, name: string): number =>
    [...items].find((item) => item.name === name)?.id ?? 0;
  const credentials: number[] = [];
  for (const wanted of wantedCredentials(execution, { secrets: [], account: 'mender' })) {
    await run({ do: 'create type', wanted }, execution);
    await run({ do: 'create credential', wanted, type: idIn(awx.state.types.values(), wanted.name) }, execution);
    credentials.push(idIn(awx.state.credentials.values(), wanted.name));
  }
  await run({ do: 'launch', template: template.id, extraVars: {}, credentials }, execution);
  const [job] = awx.state.jobs.values();
  if (!job) throw new Error(`nothing was launched: ${awx.offences.join('; ')}`);
  return job.environment;
}

describe.runIf(canCertify)('a playbook that brings no credentials of its own', () => {
  test('[WE-131] is known to the API server by what it finds in its environment, as the account of its workflow', async () => {
    const environment = await launched(await open());
    expect(await whoAmI(asPlaybook(environment))).toBe(`system:serviceaccount:${executionNamespace}:mender`);
    const { K8S_AUTH_API_KEY: _, ...without } = environment;
    await expect(whoAmI(asPlaybook(without)), 'nobody is known without it').rejects.toMatchObject({ code: 'Forbidden' });
  });

  test('[WE-131] may do what that account may, and nothing else', async () => {
    const client = asPlaybook(await launched(await open()));
    expect((await client.list(ConfigMap, { namespace: 'shop' })).items).toEqual([]);
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'shop' } };
    await expect(client.create(ConfigMap, config)).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(client.list(ConfigMap, { namespace: 'bank' })).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(client.get(Secret, { namespace, name: 'awx-token' })).rejects.toMatchObject({ code: 'Forbidden' });
  });

  test('is nobody any more when its time is over', async () => {
    const here = await open();
    const client = asPlaybook(await launched(here));
    await here.clock.advance(2 * HOUR);
    await expect(client.list(ConfigMap, { namespace: 'shop' })).rejects.toMatchObject({ code: 'Unauthorized' });
  });

  test('does not believe another server', async () => {
    const environment = await launched(await open());
    const other = asPlaybook({ ...environment, K8S_AUTH_SSL_CA_CERT: aCertificate('IP:127.0.0.1').cert });
    await expect(whoAmI(other)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
