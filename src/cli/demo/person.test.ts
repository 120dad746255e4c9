import { expect, test } from 'vitest';
import { Deployment, Namespace, Secret } from '../../api/builtin/index.ts';
import { kinds } from '../../api/index.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { ourRights } from '../../admission/index.ts';
import { createMemoryApi, newSigningKey } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { HOUR, after, seededRandom, toTime } from '../../base/index.ts';
import { anApproval } from '../../controllers/approval/testing/builders.ts';
import { createClient, type KubeClient } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { hireApprover, PERSON } from './person.ts';

const SYSTEM = 'sickbay-system';

/** The person, hired; and an approval request that waits. */
async function setUp(): Promise<{ readonly dana: KubeClient; readonly admin: KubeClient }> {
  const clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1), rights: { tokens: [], signingKey: newSigningKey(), ...ourRights() } });
  const admin = createClient(api);
  for (const kind of kinds) await installKind(api, kind);
  for (const name of [SYSTEM, 'shop', 'other']) await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const { apiVersion, kind, spec } = anApproval();
  const metadata = { name: 'rar-rr', namespace: SYSTEM };
  await admin.create(RemediationApprovalRequest, {
    apiVersion,
    kind,
    metadata,
    spec: { ...spec, requiredBy: toTime(after(clock.now(), HOUR)) },
  });
  await hireApprover(admin, [SYSTEM, 'shop']);
  await hireApprover(admin, [SYSTEM, 'shop']);
  const user = { ...PERSON, groups: ['system:authenticated'] };
  const dana = createClient({
    request: (request) => api.gate.admit(user, request).request(request),
    watch: (request, signal) => api.watch(request, signal),
  });
  return { dana, admin };
}

const key = { namespace: SYSTEM, name: 'rar-rr' };
const say = (status: object) => ({ type: 'merge', body: { status } }) as const;

test('decides under their own name, which the server fills in', async () => {
  const { dana } = await setUp();
  const { status } = await dana.patchStatus(RemediationApprovalRequest, key, say({ decision: 'Approved' }));
  expect(status).toMatchObject({ decision: 'Approved', decidedBy: PERSON.username });
});

test('cannot decide as another user', async () => {
  const { dana, admin } = await setUp();
  await expect(dana.patchStatus(RemediationApprovalRequest, key, say({ decision: 'Approved', decidedBy: 'admin' }))).rejects.toThrow(
    /decidedBy/,
  );
  expect((await admin.get(RemediationApprovalRequest, key)).status?.decision ?? '').toBe('');
});

test('sees what an explanation takes', async () => {
  const { dana } = await setUp();
  expect((await dana.list(RemediationRequest, { namespace: SYSTEM })).items).toEqual([]);
  expect((await dana.list(Deployment, { namespace: 'shop' })).items).toEqual([]);
  expect((await dana.get(Namespace, { namespace: '', name: 'shop' })).metadata.name).toBe('shop');
});

test('may do nothing else', async () => {
  const { dana } = await setUp();
  const forbidden = { code: 'Forbidden' };
  await expect(
    dana.patch(RemediationApprovalRequest, key, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
  ).rejects.toMatchObject(forbidden);
  await expect(dana.list(Secret, { namespace: SYSTEM })).rejects.toMatchObject(forbidden);
  await expect(dana.list(Deployment, { namespace: 'other' })).rejects.toMatchObject(forbidden);
  await expect(dana.patch(Deployment, { namespace: 'shop', name: 'x' }, { type: 'merge', body: {} })).rejects.toMatchObject(forbidden);
});
