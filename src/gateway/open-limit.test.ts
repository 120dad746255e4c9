import { expect, test } from 'vitest';
import { addNamespace, aRig, MANAGED } from './testing/gateway-harness.ts';
import { anAlert, aWebhook } from './testing/webhook.ts';

test('the share of a namespace leaves room for others', async () => {
  const rig = await aRig({ maxOpen: 3, share: 2 });
  await addNamespace(rig.client, 'bank', MANAGED);
  const alerts = ['a', 'b', 'c'].map((deployment) => anAlert({ deployment }));
  const reply = await rig.gateway.receive(aWebhook(alerts));
  expect(reply).toMatchObject({ code: 429, body: { summary: { created: 2, failed: 1 } } });
  expect(reply.body['detail']).toContain('2 RemediationRequests about shop are already open');
  expect((await rig.gateway.receive(aWebhook([anAlert({ deployment: 'd', namespace: 'bank' })]))).code).toBe(201);
  expect((await rig.gateway.receive(aWebhook([anAlert({ deployment: 'e', namespace: 'bank' })]))).body['detail']).toContain(
    '3 RemediationRequests are already open',
  );
});
