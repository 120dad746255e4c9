import { describe, expect, test } from 'vitest';
import { Deployment, Namespace, type Pod } from '../../api/builtin/index.ts';
import { LABELS } from '../../api/well-known.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { instant, seededRandom } from '../../base/index.ts';
import { readWebhook } from '../../gateway/adapters/alertmanager.ts';
import { createClient } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { BAD, crashLoopAlert, GOOD, isCrashLooping, isRolledOut, openShop, releaseOf, rollOut, SHOP, webhook } from './story.ts';

const NOW = instant(1_794_711_600_000);
const aClient = () => createClient(createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) }));

describe('a Deployment is rolled out', () => {
  const all = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, readyReplicas: 2 };
  const cases: readonly { status?: Deployment['status']; replicas?: number; want: boolean; reason: string }[] = [
    { status: all, want: true, reason: 'every pod is of the present template, and ready' },
    { want: false, reason: 'its controller has not reported a status yet' },
    { status: {}, want: false, reason: 'nothing is counted yet' },
    { status: { ...all, observedGeneration: 1 }, want: false, reason: 'what is counted belongs to the template before' },
    { status: { ...all, replicas: 3 }, want: false, reason: 'a pod of the release before is still there' },
    { status: { ...all, updatedReplicas: 1 }, want: false, reason: 'one pod is still to be replaced' },
    { status: { ...all, readyReplicas: 1 }, want: false, reason: 'one pod is not ready' },
  ];
  test.each(cases)('$want: $reason', ({ status, want }) => {
    const deployment = { metadata: { generation: 2 }, spec: { replicas: 2 }, ...(status && { status }) } as Deployment;
    expect(isRolledOut(deployment)).toBe(want);
  });

  test('one replica is meant when none is named', () => {
    const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1 };
    expect(isRolledOut({ metadata: { generation: 1 }, spec: {}, status } as Deployment)).toBe(true);
  });
});

describe('a pod is in a crash loop', () => {
  const waiting = (reason: string) => ({ name: 'app', state: { waiting: { reason } } });
  const running = { name: 'app', state: { running: {} } };
  test.each([
    { containers: [waiting('CrashLoopBackOff')], want: true, reason: 'its only container is' },
    { containers: [running, waiting('CrashLoopBackOff')], want: true, reason: 'one of its containers is' },
    { containers: [waiting('ContainerCreating')], want: false, reason: 'it is about to start' },
    { containers: [running], want: false, reason: 'it runs' },
    { containers: undefined, want: false, reason: 'nothing is known of it' },
  ])('$want: $reason', ({ containers, want }) => {
    expect(isCrashLooping({ status: { containerStatuses: containers } } as unknown as Pod)).toBe(want);
  });
});

describe('the shop', () => {
  test('is opened where Sickbay may work, and opening it again changes nothing', async () => {
    const client = aClient();
    await openShop(client, SHOP);
    await openShop(client, SHOP, { release: BAD, environment: 'production' });
    const { metadata } = await client.get(Namespace, { namespace: '', name: SHOP.namespace });
    expect(metadata.labels).toMatchObject({ [LABELS.managed]: 'true', [LABELS.environment]: 'development' });
    const deployment = await client.get(Deployment, SHOP);
    expect(releaseOf(deployment)).toBe(GOOD.version);
    expect(deployment.metadata.generation).toBe(1);
  });

  test('opens with another release and environment when asked to', async () => {
    const client = aClient();
    await openShop(client, SHOP, { release: BAD, environment: 'production' });
    const { metadata } = await client.get(Namespace, { namespace: '', name: SHOP.namespace });
    expect(metadata.labels).toMatchObject({ [LABELS.environment]: 'production' });
    expect(releaseOf(await client.get(Deployment, SHOP))).toBe(BAD.version);
  });

  test('a release goes over the one before: only what it runs differs', async () => {
    const client = aClient();
    await openShop(client, SHOP);
    const before = await client.get(Deployment, SHOP);
    const after = await rollOut(client, SHOP, BAD);
    expect(releaseOf(after)).toBe(BAD.version);
    expect(after.metadata).toMatchObject({ uid: before.metadata.uid, generation: 2 });
    expect(after.spec.template.spec.containers).toEqual([
      { ...before.spec.template.spec.containers[0], command: ['sh', '-c', BAD.script] },
    ]);
    expect({ ...after.spec, template: undefined }).toEqual({ ...before.spec, template: undefined });
  });
});

describe('the webhook', () => {
  test('is one that the gateway takes: a firing alert about the pod', () => {
    const body: unknown = JSON.parse(
      JSON.stringify(crashLoopAlert({ metadata: { namespace: 'shop', name: 'checkout-1' } as Pod['metadata'] }, NOW)),
    );
    expect(readWebhook(body, NOW)).toMatchObject({
      kind: 'alerts',
      alerts: [{ name: 'KubePodCrashLooping', state: 'firing', severity: 'critical', labels: { namespace: 'shop', pod: 'checkout-1' } }],
    });
  });

  test('is about whatever is named', () => {
    expect(readWebhook(webhook({ namespace: 'shop', deployment: 'gone' }, 'it is gone', NOW), NOW)).toMatchObject({
      kind: 'alerts',
      alerts: [{ state: 'firing', labels: { namespace: 'shop', deployment: 'gone' } }],
    });
  });
});
