import { describe, expect, test } from 'vitest';
import { Deployment } from '../../../api/builtin/index.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { MINUTE } from '../../../base/index.ts';
import { add, aRig, type Rig } from '../../../gateway/testing/gateway-harness.ts';
import { anAlert, aWebhook } from '../../../gateway/testing/webhook.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { endRequest } from '../end/end-request.ts';
import { onlyRequest } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';

const WORKLOADS = Array.from({ length: 50 }, (_, i) => `shop-${i}`);
const RESTARTS = { alertname: 'KubePodCrashLooping', severity: 'warning' };
const STORM = [
  RESTARTS,
  { alertname: 'KubeDeploymentReplicasMismatch', severity: 'warning' },
  { alertname: 'HighErrorRate', severity: 'critical' },
  { alertname: 'SLOErrorBudgetBurn', severity: 'critical' },
];

type Results = readonly { readonly status: string }[];

async function sent(rig: Rig, alerts: readonly Readonly<Record<string, string>>[]): Promise<Readonly<Record<string, number>>> {
  const all = WORKLOADS.flatMap((deployment) =>
    alerts.map((labels) => anAlert({ ...labels, deployment }, { fingerprint: `${labels['alertname']}-${deployment}`.slice(0, 60) })),
  );
  const { body } = await rig.gateway.receive(aWebhook(all));
  const results = body['results'] as unknown as Results;
  return Object.fromEntries([...Map.groupBy(results, ({ status }) => status)].map(([status, same]) => [status, same.length]));
}

async function stormyRig(): Promise<Rig> {
  const rig = await aRig();
  const spec = { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } }, spec: { containers: [] } } };
  for (const name of WORKLOADS) await add(rig.client, Deployment, { namespace: 'shop', name, spec });
  return rig;
}

/** The orchestrator ends every open request because the fault of the alert that opened it is gone. */
async function nothingToDo(rig: Rig): Promise<void> {
  for (const request of await rig.requests()) {
    const siblings = { kind: 'value', value: [request] as readonly RemediationRequest[] } as const;
    const holdOffMs = DEFAULT_SETTINGS.routing.noActionRequiredDelayMs;
    const ending = { phase: 'Completed', message: 'it is well', holdOffMs, status: { outcome: 'NoActionRequired' } } as const;
    const { status } = endRequest({ ...onlyRequest(request, DEFAULT_SETTINGS), siblings }, ending, rig.clock.now());
    await rig.setStatus(request.metadata.name, status as RemediationStatus);
  }
}

describe('a storm of 200 alerts for 50 workloads', () => {
  test('opens one request for each workload, with the highest severity of its alerts', async () => {
    const rig = await stormyRig();
    expect(await sent(rig, STORM)).toEqual({ created: 50, duplicate: 150 });
    const requests = await rig.requests();
    expect(requests).toHaveLength(50);
    for (const { status } of requests)
      expect(status?.deduplication?.alerts?.map(({ name, severity }) => [name, severity])).toEqual(
        STORM.map(({ alertname, severity }) => [alertname, severity]),
      );
  });

  test('[RR-164] mutes nothing but the alert whose fault is gone: a critical alert that still fires gets through', async () => {
    const rig = await stormyRig();
    await sent(rig, STORM);
    await nothingToDo(rig);
    await rig.clock.advance(MINUTE);
    expect(await sent(rig, [RESTARTS])).toEqual({ suppressed: 50 });
    expect(await sent(rig, STORM)).toEqual({ suppressed: 50, created: 50, duplicate: 100 });
    expect(await rig.requests()).toHaveLength(100);
  });
});
