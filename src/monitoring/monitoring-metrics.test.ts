import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { instant, MINUTE, PlatformError, SECOND } from '../base/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { createAlertmanager } from './alertmanager.ts';
import { createMonitoringMetrics, failureKind, type MonitoringMetrics } from './monitoring-metrics.ts';
import { openMonitoring } from './open-monitoring.ts';
import { createPrometheus } from './prometheus.ts';
import { matrix, ok, scriptedSource, type Reply } from './testing/scripted-source.ts';

const QUERY = { query: 'up', from: instant(0), to: instant(60_000), stepMs: MINUTE };

/** Asks both the same, twice at a time, and lists what was counted. */
async function counted(alertmanager: Reply, prometheus: Reply): Promise<readonly string[]> {
  const told: string[] = [];
  const steady = new ManualClock();
  const metrics: MonitoringMetrics = { failed: (service, why) => void told.push(`${service} ${why}`) };
  const deps = { steady, timeoutMs: 10 * SECOND, metrics };
  const alerts = createAlertmanager(scriptedSource(alertmanager), deps);
  const samples = createPrometheus(scriptedSource(prometheus), deps);
  const ask = () => [alerts.firing({ alertname: 'X' }), samples.range(QUERY)];
  const asked = [...ask(), ...ask()];
  await steady.advance(10 * SECOND);
  await Promise.all(asked);
  return told;
}

describe('questions that come to nothing are counted', () => {
  test.each<[string, Reply, string]>([
    ['no connection', new Error('connect ECONNREFUSED'), 'unavailable'],
    ['no answer', 'silence', 'unavailable'],
    ['trouble', { code: 503, text: '' }, 'unavailable'],
    ['a refusal', { code: 403, text: '' }, 'refused'],
    ['a redirect', { code: 302, text: '' }, 'malformed'],
    ['no JSON', { code: 200, text: '<html>' }, 'malformed'],
    ['no sense', ok(7), 'malformed'],
  ])('%s: once, however often it was retried and however many calls shared it', async (_, reply, why) =>
    expect((await counted(reply, reply)).toSorted()).toEqual([`alertmanager ${why}`, `prometheus ${why}`]),
  );

  test('answers are not', async () => expect(await counted(ok([]), matrix())).toEqual([]));

  test('whatever goes wrong is one of three', () => {
    const codes = ['Unavailable', 'BadRequest', 'Unsupported', 'Internal'] as const;
    expect(codes.map((code) => failureKind(new PlatformError(code, 'x')))).toEqual(['unavailable', 'refused', 'malformed', 'unavailable']);
    expect(failureKind('x')).toBe('unavailable');
  });

  test('in Prometheus, by source and by reason, from the clients that a process opens', async () => {
    const registry = new Registry();
    const steady = new ManualClock();
    const places = { prometheusEnabled: true, alertManagerEnabled: true, connectionTimeoutMs: SECOND };
    const here = { ...places, prometheusUrl: 'http://127.0.0.1:1', alertManagerUrl: 'http://127.0.0.1:1', tlsCaFile: '/nowhere/ca.crt' };
    const monitoring = openMonitoring(here, { clock: steady, steady, metrics: createMonitoringMetrics(registry) });
    const asked = Promise.all([monitoring.alertmanager?.firing({ alertname: 'X' }), monitoring.prometheus?.range(QUERY)]);
    await steady.advance(SECOND);
    await asked;
    const text = await registry.metrics();
    for (const service of ['prometheus', 'alertmanager'])
      expect(text).toContain(`kubernaut_effectivenessmonitor_external_call_errors_total{service="${service}",reason="unavailable"} 1`);
    await monitoring.close();
  });
});
