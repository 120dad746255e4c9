import { describe, expect, test } from 'vitest';
import { Deployment, Node, Pod, StatefulSet } from '../api/builtin/index.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { CONSEQUENCE } from '../api/remediation-request/signal-source.ts';
import { fingerprintOf } from '../api/remediation-request/fingerprint.ts';
import { assessmentFor } from '../controllers/remediation/children/draft-children.ts';
import { aRig, MANAGED, NAMESPACE, theRequest, type Rig } from './testing/gateway-harness.ts';
import { anAlert, aWebhook } from './testing/webhook.ts';

const labels = { app: 'cart' };
const spec = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'shop:1' }] } },
};

/** Deployment shop/cart with pods, each ready or not and on a Node; Nodes worker-1 and worker-2 with this condition Ready. */
async function aCluster(
  pods: readonly (readonly [node: string | undefined, ready: 'True' | 'False'])[],
  nodes: Readonly<Record<string, 'True' | 'False' | 'Unknown'>> = { 'worker-1': 'Unknown', 'worker-2': 'True' },
  nodeLabels: Readonly<Record<string, string>> = MANAGED,
): Promise<Rig> {
  const rig = await aRig();
  await rig.client.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'cart', namespace: 'shop' }, spec });
  for (const [name, status] of Object.entries(nodes)) {
    await rig.client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: nodeLabels } });
    await rig.client.patchStatus(
      Node,
      { namespace: '', name },
      { type: 'merge', body: { status: { conditions: [{ type: 'Ready', status }] } } },
    );
  }
  for (const [index, [nodeName, status]] of pods.entries()) {
    const key = { namespace: 'shop', name: `cart-${index}` };
    const podSpec = { ...spec.template.spec, ...(nodeName !== undefined && { nodeName }) };
    await rig.client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: { ...key, labels }, spec: podSpec });
    const conditions = [{ type: 'Ready', status }];
    await rig.client.patchStatus(Pod, key, { type: 'merge', body: { status: { phase: 'Running', conditions } } });
  }
  return rig;
}

const about = (deployment: string, more = {}) => anAlert({ alertname: 'KubeDeploymentReplicasMismatch', deployment }, more);
const NODE_ALERT = anAlert({ alertname: 'KubeNodeNotReady', namespace: '', node: 'worker-1' }, { fingerprint: '0000000000000001' });
const HALF_DEAD = [
  ['worker-1', 'False'],
  ['worker-2', 'True'],
] as const;
const kinds = async ({ requests }: Rig) => (await requests()).map(({ spec: { targetResource } }) => targetResource.kind);

describe('a workload whose pods fail with their Node (ruling 130)', () => {
  test('gets no request of its own: its alert joins the request of the Node', async () => {
    const rig = await aCluster(HALF_DEAD);
    await rig.gateway.receive(aWebhook([NODE_ALERT]));
    const reply = await rig.gateway.receive(aWebhook([about('cart')]));
    const { metadata, status } = await theRequest(rig);
    expect(reply.body).toMatchObject({ status: 'duplicate', remediationRequestName: metadata.name });
    expect(status?.deduplication).toMatchObject({ occurrenceCount: 2 });
    // Only what is about the Node itself has to resolve.
    expect(status?.deduplication?.alerts?.map(({ name }) => name)).toEqual(['KubeNodeNotReady']);
  });

  test('opens the request of the Node where its alert comes first, and the alert of the Node joins it', async () => {
    const rig = await aCluster(HALF_DEAD);
    await rig.gateway.receive(aWebhook([about('cart'), NODE_ALERT, about('cart')]));
    const request = await theRequest(rig);
    expect(request.spec).toMatchObject({
      signalFingerprint: fingerprintOf({ kind: 'Node', name: 'worker-1', namespace: '' }),
      targetResource: { kind: 'Node', name: 'worker-1', apiVersion: 'v1' },
      signalAnnotations: { [CONSEQUENCE]: 'shop:Deployment:cart' },
    });
    // Its alert does not name the Node, so that its resolution says nothing about it.
    const assessment = assessmentFor(request, { phase: 'Verifying', config: { stabilizationWindow: '5m' } });
    expect(assessment.spec).not.toHaveProperty('signalName');
  });

  test.each<[string, Parameters<typeof aCluster>]>([
    [
      'a pod on a healthy Node is unready too',
      [
        [
          ['worker-1', 'False'],
          ['worker-2', 'False'],
        ],
      ],
    ],
    [
      'a pod is on no Node',
      [
        [
          ['worker-1', 'False'],
          [undefined, 'False'],
        ],
      ],
    ],
    ['all pods are ready', [[['worker-1', 'True']]]],
    ['the Node is Ready', [[['worker-2', 'False']]]],
    ['the Node is not to be remediated', [HALF_DEAD, undefined, {}]],
  ])('is remediated for itself where %s', async (_, cluster) => {
    const rig = await aCluster(...cluster);
    await rig.gateway.receive(aWebhook([about('cart')]));
    expect(await kinds(rig)).toEqual(['Deployment']);
  });

  test('a StatefulSet counts like a Deployment', async () => {
    const rig = await aCluster(HALF_DEAD);
    await rig.client.create(StatefulSet, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'shop' },
      spec: { ...spec, serviceName: 'db' },
    });
    await rig.gateway.receive(aWebhook([anAlert({ alertname: 'KubeStatefulSetReplicasMismatch', statefulset: 'db' })]));
    expect(await kinds(rig)).toEqual(['Node']);
  });

  test('what cannot be read is no cause: the workload is judged for itself', async () => {
    const rig = await aCluster(HALF_DEAD);
    const blind: Rig['api'] = {
      ...rig.api,
      request: (request) => (request.path.includes('/nodes/') ? Promise.reject(new Error('no answer')) : rig.api.request(request)),
    };
    await rig.behind(blind).receive(aWebhook([about('cart')]));
    expect(await kinds(rig)).toEqual(['Deployment']);
  });

  test('its resolution is no resolution of the Node', async () => {
    const rig = await aCluster(HALF_DEAD);
    await rig.gateway.receive(aWebhook([NODE_ALERT, about('cart')]));
    await rig.gateway.receive(aWebhook([about('cart', { status: 'resolved' })]));
    const [request] = (await rig.client.list(RemediationRequest, { namespace: NAMESPACE })).items;
    expect(request?.status?.deduplication?.alerts).toMatchObject([{ name: 'KubeNodeNotReady' }]);
    expect(request?.status?.deduplication?.alerts?.[0]).not.toHaveProperty('resolvedAt');
  });
});
