import { afterAll, beforeAll, expect, test } from 'vitest';
import { Deployment, Namespace, Role, RoleBinding } from '../api/builtin/index.ts';
import { kinds } from '../api/kinds.ts';
import type { Draft } from '../api/meta.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { LABELS } from '../api/well-known.ts';
import { asAdmin, asUser, realServer, type GuardedServer } from '../apiserver/testing/guarded-servers.ts';
import { after, MINUTE, systemClock, toTime } from '../base/index.ts';
import { aRequest } from '../controllers/remediation/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import { createClient, type KubeClient } from '../kube/index.ts';
import { installKinds } from '../kube/client/install-kinds.ts';
import { describeOnControlPlane } from '../testkit/lanes.ts';
import { explainRequest } from './explain-request.ts';

const NAMESPACE = 'explain-real';
const SHOP = 'explain-real-shop';
const GUEST = 'explain-guest';
const RBAC = 'rbac.authorization.k8s.io';

const question = (client: KubeClient, name: string) => ({
  client,
  clock: systemClock,
  settings: { ...DEFAULT_SETTINGS, namespace: NAMESPACE },
  name,
});

/** A user who may read requests, and nothing else. */
async function letGuestSeeRequests(admin: KubeClient): Promise<void> {
  const metadata = { namespace: NAMESPACE, name: 'guest' };
  const rules = [{ apiGroups: [RemediationRequest.group], resources: [RemediationRequest.plural], verbs: ['get', 'list'] }];
  await admin.create(Role, { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules });
  const roleRef = { apiGroup: RBAC, kind: 'Role', name: 'guest' } as const;
  const subjects = [{ apiGroup: RBAC, kind: 'User', name: GUEST }] as const;
  await admin.create(RoleBinding, { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects });
}

describeOnControlPlane('explaining on a real server', (plane) => {
  let server: GuardedServer;
  let admin: KubeClient;

  beforeAll(async () => {
    server = realServer(plane());
    admin = createClient(asAdmin(server));
    await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    const labels = { [LABELS.managed]: 'true' };
    for (const name of [NAMESPACE, SHOP])
      await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    const app = { app: 'checkout' };
    const template = { metadata: { labels: app }, spec: { containers: [{ name: 'checkout', image: 'busybox' }] } };
    const metadata = { namespace: SHOP, name: 'checkout' };
    const spec = { replicas: 1, selector: { matchLabels: app }, template };
    await admin.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as Draft<Deployment>);
    const targetResource = { kind: 'Deployment', name: 'checkout', namespace: SHOP, apiVersion: 'apps/v1' };
    const { apiVersion, kind, spec: signal } = aRequest({}, { targetResource });
    const key = { namespace: NAMESPACE, name: 'rr' };
    await admin.create(RemediationRequest, { apiVersion, kind, metadata: key, spec: signal });
    const status = { overallPhase: 'Pending', startTime: toTime(systemClock.now()) };
    await admin.patchStatus(RemediationRequest, key, { type: 'merge', body: { status } });
    await letGuestSeeRequests(admin);
  });

  afterAll(async () => {
    for (const name of [NAMESPACE, SHOP]) await admin.delete(Namespace, { namespace: '', name });
    await server.close();
  });

  test('an account that may read everything gets the whole explanation', async () => {
    const { gates, next, ...rest } = await explainRequest(question(admin, 'rr'));
    expect(rest).toEqual({ name: 'rr', namespace: NAMESPACE, phase: 'Pending' });
    expect(next.what).toBe('its signal is checked next');
    const asked = gates.filter(({ state }) => state !== 'ahead').map(({ name, state }) => `${name} ${state}`);
    expect(asked).toEqual([
      'Healed open',
      'UnmanagedResource open',
      'ConsecutiveFailures open',
      'DuplicateInProgress open',
      'ExponentialBackoff open',
      'TargetBlock open',
    ]);
  });

  test('what a user may not read is shown as not known', async () => {
    const { gates, blocker } = await explainRequest(question(createClient(asUser(server, GUEST)), 'rr'));
    expect(blocker).toMatchObject({
      gate: 'UnmanagedResource',
      state: 'unknown',
      message: expect.stringMatching(/^not known: .*forbidden/) as unknown,
    });
    const known = gates.filter(({ state }) => state === 'open').map(({ name }) => name);
    expect(known).toEqual(['Healed', 'ConsecutiveFailures', 'DuplicateInProgress', 'ExponentialBackoff']);
  });

  test('an account that may not read the request gets a message that says so, and a wrong name lists the existing ones', async () => {
    await expect(explainRequest(question(createClient(asUser(server, 'unprivileged')), 'rr'))).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(explainRequest(question(admin, 'x'))).rejects.toThrow(
      `there is no RemediationRequest x in the namespace ${NAMESPACE}; there is rr`,
    );
  });
});
