import { Namespace } from '../../src/api/builtin/index.ts';
import { Deployment } from '../../src/api/builtin/index.ts';
import { crdOf } from '../../src/api/crd-of.ts';
import { RemediationRequest } from '../../src/api/remediation-request/remediation-request.ts';
import { createMemoryApi } from '../../src/apiserver/index.ts';
import { silent, steadyClock, systemClock, systemRandom } from '../../src/base/index.ts';
import { gatewayOf } from '../../src/cli/process/process.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { signalRoutes } from '../../src/gateway/index.ts';
import { anAlert, aWebhook } from '../../src/gateway/testing/webhook.ts';
import { createCache, createClient } from '../../src/kube/index.ts';
import { CustomResourceDefinition } from '../../src/kube/builtin/index.ts';
import { startHttpServer } from '../../src/server/index.ts';
import { inFlight } from './in-flight.ts';
import type { BenchResult } from './result.ts';

const TARGETS = 500;
const PER_WEBHOOK = 50;
const ROUNDS = 10;
const OWN = 'sickbay-system';
const GOAL = 3_000;

/** How many alerts a second the gateway takes over HTTP: those that open a remediation, and those that repeat. */
export async function benchGateway(): Promise<readonly BenchResult[]> {
  const api = createMemoryApi({ clock: systemClock, random: systemRandom });
  const client = createClient(api);
  await client.create(CustomResourceDefinition, crdOf(RemediationRequest));
  for (const [name, labels] of [
    [OWN, {}],
    ['shop', { 'kubernaut.ai/managed': 'true' }],
  ] as const)
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  const names = Array.from({ length: TARGETS }, (_, i) => `d-${i}`);
  for (const name of names) await client.create(Deployment, deployment(name) as never);
  const stop = new AbortController();
  const cache = createCache({ client, clock: steadyClock, random: systemRandom });
  const gateway = gatewayOf({ settings: () => ({ ...DEFAULT_SETTINGS, namespace: OWN }), clock: systemClock, log: silent }, cache);
  const following = cache.run(stop.signal).catch(() => undefined);
  const server = await startHttpServer({ routes: [signalRoutes(gateway)], log: silent });
  try {
    const post = poster(`http://127.0.0.1:${server.port}/api/v1/signals/prometheus`);
    const opened = await perSecond(names, PER_WEBHOOK, post);
    const grouped = await perSecond(Array.from({ length: ROUNDS }, () => names).flat(), PER_WEBHOOK, post);
    const single = await perSecond(names, 1, post);
    const details = [`new ${Math.round(opened)}/s`, `repeats in webhooks of one alert ${Math.round(single)}/s`];
    return [
      { name: 'gateway repeats', ratio: grouped / GOAL, numerator: grouped, denominator: GOAL, unit: 'alerts/s', goal: '≥ 1', details },
    ];
  } finally {
    await server.close();
    stop.abort(new Error('done'));
    await following;
    api.close();
  }
}

const POD = { containers: [{ name: 'main', image: 'shop:1' }] };

const deployment = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop' },
  spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec: POD } },
});

const poster =
  (url: string) =>
  async (names: readonly string[]): Promise<void> => {
    const body = JSON.stringify(aWebhook(names.map((name) => anAlert({ deployment: name }, { fingerprint: name }))));
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };

async function perSecond(names: readonly string[], size: number, post: (names: readonly string[]) => Promise<void>): Promise<number> {
  const groups = Array.from({ length: names.length / size }, (_, i) => names.slice(i * size, (i + 1) * size));
  const from = steadyClock.now();
  await inFlight(groups, 4, post);
  return names.length / ((steadyClock.now() - from) / 1_000);
}
