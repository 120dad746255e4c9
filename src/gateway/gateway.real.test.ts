import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CustomResourceDefinition, Deployment, Pod } from '../api/builtin/index.ts';
import { crdOf } from '../api/crd-of.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { after, hasCode, silent, systemClock, systemRandom } from '../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../kube/index.ts';
import type { ControlPlaneAccess } from '../testkit/control-plane.ts';
import { describeOnControlPlane } from '../testkit/lanes.ts';
import { createGateway } from './index.ts';
import { add, addNamespace, MANAGED } from './testing/gateway-harness.ts';
import { anAlert, aWebhook } from './testing/webhook.ts';

const never = new AbortController().signal;

async function connect(plane: ControlPlaneAccess): Promise<KubeClient> {
  const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: plane.kubeconfig }));
  onTestFinished(() => transport.close());
  return createClient(transport);
}

/** Asks again until there is an answer; the test's own time limit ends it. */
async function until<T>(question: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await question();
    if (answer !== undefined) return answer;
    await systemClock.waitUntil(after(systemClock.now(), 100), never);
  }
}

async function install(client: KubeClient): Promise<void> {
  await client.create(CustomResourceDefinition, crdOf(RemediationRequest)).catch((error: unknown) => {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  });
  await until(() => client.list(RemediationRequest).catch(() => undefined));
}

describeOnControlPlane('the gateway on a real kube-apiserver', (plane) => {
  const suffix = systemRandom.uuid().slice(0, 8);
  const [namespace, shop] = [`gateway-${suffix}`, `shop-${suffix}`];
  beforeAll(async () => {
    const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: plane().kubeconfig }));
    const client = createClient(transport);
    await install(client);
    await addNamespace(client, namespace);
    await addNamespace(client, shop, MANAGED);
    await transport.close();
  });

  const aGateway = (client: KubeClient) =>
    createGateway({ client, clock: systemClock, log: silent, namespace, executionNamespace: `${namespace}-runs` });

  test('twenty alerts at once about the pods of one Deployment open one request for it, and each is counted or logged', async () => {
    const client = await connect(plane());
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };
    await add(client, Deployment, {
      namespace: shop,
      name: 'web',
      spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template },
    });
    const pods = await until(async () => {
      const { items } = await client.list(Pod, { namespace: shop, labelSelector: 'app=web' });
      return items.length === 2 ? items : undefined;
    });
    const names = Array.from({ length: 20 }, (_, i) => pods[i % 2]?.metadata.name ?? '');
    const gateway = aGateway(client);
    const replies = await Promise.all(names.map((pod) => gateway.receive(aWebhook([anAlert({ namespace: shop, pod })]))));
    expect(replies.filter(({ code }) => code === 201)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === 202)).toHaveLength(19);
    const { items } = await client.list(RemediationRequest, { namespace });
    expect(items.map(({ spec }) => spec.targetResource)).toEqual([
      { kind: 'Deployment', name: 'web', namespace: shop, apiVersion: 'apps/v1' },
    ]);
    expect(items[0]?.status?.deduplication?.occurrenceCount).toBeGreaterThan(1);
  });

  test('a target that is not managed gets no request', async () => {
    const client = await connect(plane());
    const reply = await aGateway(client).receive(aWebhook([anAlert({ namespace: 'default', deployment: 'unmanaged' })]));
    expect(reply).toMatchObject({ code: 200, body: { status: 'rejected' } });
    const { items } = await client.list(RemediationRequest, { namespace });
    expect(items.map(({ spec }) => spec.targetResource.name)).not.toContain('unmanaged');
  });
});
