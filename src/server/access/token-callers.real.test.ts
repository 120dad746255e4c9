import { afterAll, beforeAll, expect, test } from 'vitest';
import { Namespace, RoleBinding, ServiceAccount } from '../../api/builtin/index.ts';
import { kinds } from '../../api/kinds.ts';
import type { Draft } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { ownRights, peopleRoles } from '../../api/rights/index.ts';
import { asAdmin, realServer, type GuardedServer } from '../../apiserver/testing/guarded-servers.ts';
import { after, hasCode, MINUTE, systemClock } from '../../base/index.ts';
import { createClient, type KubeClient } from '../../kube/index.ts';
import { installKinds } from '../../kube/client/install-kinds.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { AccessReviews } from './access-reviews.ts';
import { demandAccess } from './demand-access.ts';
import { TokenCallers } from './token-callers.ts';

const NAMESPACE = 'token-callers-real';
const RUNS = 'token-callers-real-runs';

describeOnControlPlane('users of the HTTP API on a real server', (plane) => {
  let server: GuardedServer;
  let admin: KubeClient;
  let callers: TokenCallers;

  const token = async (name: string): Promise<string> => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
    const answer = await admin.subresource(ServiceAccount, { namespace: NAMESPACE, name }, { name: 'token', body });
    return (answer as { readonly status: { readonly token: string } }).status.token;
  };

  const callerWith = async (secret: string) => callers.callerOf({ headers: { authorization: `Bearer ${secret}` } });

  beforeAll(async () => {
    server = realServer(plane());
    admin = createClient(asAdmin(server));
    await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    for (const name of [NAMESPACE, RUNS]) await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const { resource, draft } of [...ownRights({ namespace: NAMESPACE, executionNamespace: RUNS }), ...peopleRoles])
      await admin.create(resource, draft).catch(unlessThere);
    for (const name of ['vera', 'sam'])
      await admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: NAMESPACE, name } });
    await admin.create(RoleBinding, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { namespace: NAMESPACE, name: 'vera' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'sickbay-viewer' },
      subjects: [{ kind: 'ServiceAccount', namespace: NAMESPACE, name: 'vera' }],
    } as Draft<RoleBinding>);
    const sickbay = createClient(server.as({ authorization: `Bearer ${await token('sickbay')}` }));
    const reviews = new AccessReviews({ client: sickbay, clock: systemClock });
    // The pool of the server closes its transports.
    const connect = (secret: string) => ({
      ...transportOf(server.as({ authorization: `Bearer ${secret}` })),
      close: () => Promise.resolve(),
    });
    callers = new TokenCallers({ client: sickbay, clock: systemClock, reviews, connect });
  });

  afterAll(async () => {
    for (const name of [NAMESPACE, RUNS]) await admin.delete(Namespace, { namespace: '', name });
    await server.close();
  });

  test('are known by their tokens, and act with their own rights', async () => {
    const vera = await callerWith(await token('vera'));
    expect(vera).toMatchObject({ user: `system:serviceaccount:${NAMESPACE}:vera`, via: 'token' });
    await expect(demandAccess(vera!, 'remediations', NAMESPACE)).resolves.toBeUndefined();
    await expect(demandAccess(vera!, 'machines', NAMESPACE)).rejects.toMatchObject({ status: 403 });
    await expect(vera!.as((client) => client.list(RemediationRequest, { namespace: NAMESPACE }))).resolves.toMatchObject({ items: [] });
    const removal = vera!.as((client) => client.delete(RemediationRequest, { namespace: NAMESPACE, name: 'rr' }));
    await expect(removal).rejects.toMatchObject({ code: 'Forbidden' });
  });

  test('may nothing that no role gives them', async () => {
    const sam = await callerWith(await token('sam'));
    await expect(demandAccess(sam!, 'remediations', NAMESPACE)).rejects.toMatchObject({ status: 403 });
  });

  test('are not known by a token that was made up', async () => {
    expect(await callerWith('made-up')).toBeUndefined();
    const real = await token('vera');
    expect(await callerWith(`${real.slice(0, -4)}AAAA`)).toBeUndefined();
  });
});

const transportOf = (transport: ReturnType<GuardedServer['as']>) => ({
  request: transport.request.bind(transport),
  watch: transport.watch.bind(transport),
});

/** Cluster roles are shared by the files of a run. */
function unlessThere(error: unknown): undefined {
  if (!hasCode(error, 'AlreadyExists')) throw error;
  return undefined;
}
