import { request } from 'undici';
import { Registry } from 'prom-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { after, HOUR, silent, toTime } from '../base/index.ts';
import { startHttpServer } from '../server/index.ts';
import { createGatewayMetrics, reasonOf, type GatewayMetrics } from './gateway-metrics.ts';
import type { Gateway } from './gateway.ts';
import { signalRoutes } from './signal-routes.ts';
import type { SignalVerdict } from './signal-verdict.ts';
import { aRig, theRequest, type Rig } from './testing/gateway-harness.ts';
import { anAlert, aWebhook } from './testing/webhook.ts';

const PATH = '/api/v1/signals/prometheus';

interface Counted {
  readonly metrics: GatewayMetrics;
  /** Every series of a metric, as Prometheus reads it. */
  read(name: string): Promise<readonly string[]>;
}

function counting(): Counted {
  const registry = new Registry();
  const metrics = createGatewayMetrics(registry);
  const read = async (name: string) => (await registry.getSingleMetricAsString(name)).split('\n').filter((line) => !line.startsWith('#'));
  return { metrics, read };
}

/** What a gateway counts that is given a share of three open requests. */
async function afterWebhooks(story: (gateway: Gateway, rig: Rig) => Promise<unknown>): Promise<readonly string[]> {
  const rig = await aRig();
  const { metrics, read } = counting();
  await story(rig.behind(rig.api, { metrics, maxOpen: 3 }), rig);
  return (await read('sickbay_signals_total')).toSorted();
}

const series = (verdict: string, reason: string, count: number) =>
  `sickbay_signals_total{verdict="${verdict}",reason="${reason}"} ${count}`;

describe('signals are counted by verdict', () => {
  test('each one of a webhook, and each time that it is sent', async () => {
    const alerts = [
      anAlert({ deployment: 'a' }),
      anAlert({ deployment: 'a', alertname: 'Other' }),
      anAlert({ namespace: 'wild', deployment: 'a' }),
      anAlert({ pod: 'gone' }),
      anAlert({ pod: 'NotAName!' }),
      { labels: 7 },
      anAlert({ deployment: 'b' }, { status: 'resolved' }),
    ];
    const send = (gateway: Gateway) => gateway.receive(aWebhook(alerts));
    expect(await afterWebhooks(async (gateway) => (await send(gateway), send(gateway)))).toEqual(
      [
        series('created', '', 1),
        series('duplicate', 'active', 3),
        series('out-of-scope', '', 2),
        series('outdated', '', 2),
        series('rejected', 'malformed', 2),
        series('rejected', 'no-target', 2),
        series('resolved', 'nothing-open', 2),
      ].toSorted(),
    );
  });

  test('those that the limit of open requests holds back', async () => {
    const alerts = Array.from({ length: 5 }, (_, i) => anAlert({ deployment: `d-${i}` }));
    expect(await afterWebhooks((gateway) => gateway.receive(aWebhook(alerts)))).toEqual([
      series('created', '', 3),
      series('put-off', 'too-many-open', 2),
    ]);
  });

  test.each([
    ['NoActionRequired', 'NoActionRequired'],
    ['ManualReviewRequired', 'ManualReviewRequired'],
    ['Remediated', 'wait'],
  ] as const)('those that an end with %s suppresses', async (outcome, reason) => {
    const story = async (gateway: Gateway, rig: Rig) => {
      await gateway.receive(aWebhook());
      const { metadata } = await theRequest(rig);
      const nextAllowedExecution = toTime(after(rig.clock.now(), HOUR));
      await rig.setStatus(metadata.name, { overallPhase: 'Completed', outcome, nextAllowedExecution });
      await gateway.receive(aWebhook());
    };
    expect(await afterWebhooks(story)).toEqual([series('created', '', 1), series('suppressed', reason, 1)]);
  });

  const seen = {};
  const named = { fingerprint: 'f', request: { namespace: 'n', name: 'r' } };
  test.each<[SignalVerdict, string]>([
    [{ verdict: 'duplicate', ...named, seen, refused: { by: 'alex', until: 'then' } }, 'refused-by-person'],
    [{ verdict: 'resolved', ...named }, 'recorded'],
    [{ verdict: 'rejected', because: 'refused', message: 'the API server says no to r' }, 'refused'],
    [{ verdict: 'put-off', because: 'unavailable', message: 'reading r' }, 'unavailable'],
    [{ verdict: 'put-off', because: 'unforeseen', message: 'a bug' }, 'unforeseen'],
  ])('%o, without the name of a person or an object', (verdict, reason) => expect(reasonOf(verdict)).toBe(reason));
});

describe('webhooks are counted', () => {
  test('by the code of their answer, also where no signal of them was read', async () => {
    const rig = await aRig();
    const { metrics, read } = counting();
    const routes = [signalRoutes(rig.behind(rig.api, { metrics }), metrics)];
    const server = await startHttpServer({ routes, log: silent });
    onTestFinished(() => server.close());
    const headers = { 'content-type': 'application/json' };
    for (const body of [JSON.stringify(aWebhook()), JSON.stringify(aWebhook()), '{'])
      await (await request(`http://127.0.0.1:${server.port}${PATH}`, { method: 'POST', headers, body })).body.dump();
    const codes = [201, 202, 400].map((code) => `sickbay_webhooks_total{code="${code}"} 1`);
    await expect.poll(() => read('sickbay_webhooks_total')).toEqual(codes);
    expect(await read('sickbay_signals_total')).toHaveLength(2);
  });

  test('and the alerts that Alertmanager cut off', async () => {
    const rig = await aRig();
    const { metrics, read } = counting();
    await rig.behind(rig.api, { metrics }).receive(aWebhook([anAlert({ deployment: 'a' })], { truncatedAlerts: 12 }));
    expect(await read('sickbay_signals_cut_off_total')).toEqual(['sickbay_signals_cut_off_total 12']);
  });
});
