import { afterAll, beforeAll, expect, test } from 'vitest';
import { Namespace } from '../api/builtin/index.ts';
import { kinds } from '../api/kinds.ts';
import type { Draft } from '../api/meta.ts';
import { admissionPolicies } from '../api/policies/index.ts';
import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { asAdmin, asUser, realServer, type GuardedServer } from '../apiserver/testing/guarded-servers.ts';
import { after, MINUTE, SECOND, seededRandom, silent, steadyClock, systemClock, toTime, turn } from '../base/index.ts';
import { createApprovalController } from '../controllers/approval/index.ts';
import { anApproval } from '../controllers/approval/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import { createCache, createClient, type KubeClient } from '../kube/index.ts';
import { ownerReference } from '../kube/objects/owner-references.ts';
import { installKinds } from '../kube/client/install-kinds.ts';
import { installPolicies } from '../kube/client/install-policies.ts';
import { whoAmI } from '../kube/identity/who-am-i.ts';
import { createControlLoop, soleTerm } from '../runtime/index.ts';
import { describeOnOwnControlPlane } from '../testkit/lanes.ts';
import { decideApproval } from './decide-approval.ts';

const NAMESPACE = 'approve-real';
const REQUEST = 'rr-approve';
const POLICIES = admissionPolicies(NAMESPACE);
const never = new AbortController().signal;
const pause = (ms: number): Promise<void> => systemClock.waitUntil(after(systemClock.now(), ms), never);

/** Asks for a decision within the time. */
async function ask(admin: KubeClient, name: string, withinMs: number): Promise<void> {
  const { apiVersion, kind, spec } = anApproval();
  // Owned by an existing request: an object without an owner would be garbage collected.
  const request = await admin.get(RemediationRequest, { namespace: NAMESPACE, name: REQUEST });
  const ownerReferences = [ownerReference(request, { controller: true, blockOwnerDeletion: true })];
  const requiredBy = toTime(after(systemClock.now(), withinMs));
  const draft = { apiVersion, kind, metadata: { name, namespace: NAMESPACE, ownerReferences }, spec: { ...spec, requiredBy } };
  await admin.create(RemediationApprovalRequest, draft as Draft<RemediationApprovalRequest>);
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = after(systemClock.now(), 30 * SECOND);
  while (!(await holds())) {
    if (systemClock.now() >= deadline) throw new Error(`${what}: not in time`);
    await pause(200);
  }
}

describeOnOwnControlPlane('deciding where policies are in force', (plane) => {
  let server: GuardedServer;
  let admin: KubeClient;
  const statusOf = async (name: string) => (await admin.get(RemediationApprovalRequest, { namespace: NAMESPACE, name })).status ?? {};

  beforeAll(async () => {
    server = realServer(plane());
    admin = createClient(asAdmin(server));
    await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const { apiVersion, kind, spec } = RemediationRequest.sample as Draft<RemediationRequest>;
    await admin.create(RemediationRequest, { apiVersion, kind, metadata: { name: REQUEST, namespace: NAMESPACE }, spec });
    await installPolicies(POLICIES, admin);
    await ask(admin, 'probe', 10 * MINUTE);
    const forge = (): Promise<boolean> =>
      admin
        .patchStatus(
          RemediationApprovalRequest,
          { namespace: NAMESPACE, name: 'probe' },
          { type: 'merge', body: { status: { decidedBy: 'x' } } },
          { dryRun: true },
        )
        .then(
          () => false,
          () => true,
        );
    await until('the policies are in force', forge);
  });

  afterAll(async () => await server.close());

  test('a person’s own name is enough, and it is theirs', async () => {
    await ask(admin, 'rar-a', 10 * MINUTE);
    const boss = createClient(asUser(server, 'boss', { 'impersonate-group': 'system:masters' }));
    expect(await whoAmI(boss)).toBe('boss');
    await decideApproval(boss, systemClock, { namespace: NAMESPACE, name: 'rar-a', decision: 'Approved', reason: 'go' });
    expect(await statusOf('rar-a')).toMatchObject({ decision: 'Approved', decidedBy: 'boss', decisionMessage: 'go' });
  });

  test('an account without permission to decide gets a message that says so', async () => {
    await ask(admin, 'rar-b', 10 * MINUTE);
    const guest = createClient(asUser(server, 'guest'));
    await expect(
      decideApproval(guest, systemClock, { namespace: NAMESPACE, name: 'rar-b', decision: 'Rejected', reason: 'no' }),
    ).rejects.toMatchObject({ code: 'Forbidden' });
    expect((await statusOf('rar-b')).decision ?? '').toBe('');
  });

  test('the controller shows a decision and lets a request expire, as itself', async () => {
    await ask(admin, 'rar-c', 3 * SECOND);
    const stop = new AbortController();
    const cache = createCache({ client: admin, clock: steadyClock, random: seededRandom(1) });
    const loop = createControlLoop({
      controllers: [createApprovalController(() => ({ ...DEFAULT_SETTINGS, namespace: NAMESPACE }), await whoAmI(admin))],
      cache,
      clock: systemClock,
      random: seededRandom(2),
      log: silent,
      events: { record: () => Promise.resolve() },
      calls: {},
      breathe: turn,
    });
    const running = Promise.all([cache.run(stop.signal), loop.run(soleTerm(stop.signal))]);
    await until('rar-c expires', async () => (await statusOf('rar-c')).decision === 'Expired');
    expect(await statusOf('rar-c')).toMatchObject({ decidedBy: 'admin', expired: true });
    expect(await statusOf('rar-a')).toMatchObject({ decision: 'Approved', decidedBy: 'boss', reason: 'Approved' });
    stop.abort();
    await running;
  });
});
