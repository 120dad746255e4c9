import { describe, expect, test } from 'vitest';
import { after, HOUR, toTime } from '../base/index.ts';
import { addNode, aRig, MANAGED, theRequest } from './testing/gateway-harness.ts';
import { anAlert, aWebhook } from './testing/webhook.ts';

const containing = (text: string): unknown => expect.stringContaining(text);

describe('what a signal is about', () => {
  const cases: readonly (readonly [alert: string, labels: Readonly<Record<string, string>>, target: object])[] = [
    ['KubePersistentVolumeFillingUp', { persistentvolumeclaim: 'data', node: 'worker-1' }, { kind: 'PersistentVolumeClaim', name: 'data' }],
    ['KubePdbNotEnoughHealthyPods', { poddisruptionbudget: 'web' }, { kind: 'PodDisruptionBudget', name: 'web', apiVersion: 'policy/v1' }],
    ['KubeHpaMaxedOut', { horizontalpodautoscaler: 'web' }, { kind: 'HorizontalPodAutoscaler', name: 'web', apiVersion: 'autoscaling/v2' }],
    ['CertManagerCertNotReady', { name: 'web-tls' }, { kind: 'Certificate', name: 'web-tls', apiVersion: 'cert-manager.io/v1' }],
    ['KubeQuotaExceeded', { resourcequota: 'limits' }, { kind: 'Namespace', name: 'shop', apiVersion: 'v1' }],
  ];
  test.each(cases)('ruling 117: %s opens a request for it', async (alertname, labels, target) => {
    const rig = await aRig();
    const reply = await rig.gateway.receive(aWebhook([anAlert({ alertname, ...labels })]));
    expect(reply.code).toBe(201);
    const { spec } = await theRequest(rig);
    expect(spec.targetResource).toMatchObject(target);
    expect(spec.targetResource.namespace).toBe('kind' in target && target.kind === 'Namespace' ? undefined : 'shop');
  });

  test('ruling 117: the Node that is full does not mute the Node that is dead', async () => {
    const rig = await aRig();
    await addNode(rig.client, 'worker-1', MANAGED);
    const filling = anAlert({ alertname: 'KubePersistentVolumeFillingUp', persistentvolumeclaim: 'data', node: 'worker-1' });
    const first = await rig.gateway.receive(aWebhook([filling]));
    await rig.setStatus(String(first.body['remediationRequestName']), {
      overallPhase: 'Completed',
      outcome: 'NoActionRequired',
      nextAllowedExecution: toTime(after(rig.clock.now(), 24 * HOUR)),
    });
    const dead = anAlert({ alertname: 'KubeNodeNotReady', node: 'worker-1', job: 'kube-state-metrics', namespace: 'monitoring' });
    expect(await rig.gateway.receive(aWebhook([dead]))).toMatchObject({ code: 201, body: { status: 'created' } });
  });

  test('ruling 117: a signal that names no object is received, and opens nothing', async () => {
    const rig = await aRig();
    const before = rig.api.resourceVersion;
    expect(await rig.gateway.receive(aWebhook([anAlert({ alertname: 'KubeCPUOvercommit', job: 'x' })]))).toMatchObject({
      code: 202,
      body: { status: 'rejected', message: containing('rejected: no target: KubeCPUOvercommit'), rejection: { reason: 'no_target' } },
    });
    expect(rig.api.resourceVersion).toBe(before);
  });
});
