import { describe, expect, test } from 'vitest';
import { parseTime, toTime, type JsonObject } from '../../base/index.ts';
import { standsForAlert } from '../../api/remediation-request/signal-source.ts';
import { aRig } from '../testing/gateway-harness.ts';
import { grafana } from './grafana.ts';

const NOW = parseTime('2026-11-15T03:00:00Z')!;

/** A body with every member that Grafana documents for its webhook. */
const aBody = (alert: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  receiver: 'sickbay',
  status: 'firing',
  orgId: 1,
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'Restarts', grafana_folder: 'shop', severity: 'critical', namespace: 'shop', pod: 'checkout-1-a' },
      annotations: { summary: 'the pod restarts again and again' },
      startsAt: '2026-11-15T03:51:03.157076+01:00',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'https://grafana.example.com/alerting/grafana/1afz29v7z/view',
      fingerprint: 'c6eadffa33fcdf37',
      silenceURL: 'https://grafana.example.com/alerting/silence/new',
      dashboardURL: '',
      panelURL: '',
      values: { B: 44.23943737541908, C: 1 },
      valueString: "[ var='B' labels={} value=44.23 ], [ var='C' labels={} value=1 ]",
      ...alert,
    },
  ],
  groupLabels: { alertname: 'Restarts' },
  commonLabels: { severity: 'critical' },
  commonAnnotations: {},
  externalURL: 'https://grafana.example.com/',
  version: '1',
  groupKey: '{}:{alertname="Restarts"}',
  truncatedAlerts: 0,
  title: '[FIRING:1] Restarts',
  state: 'alerting',
  message: '**Firing** the pod restarts again and again',
  ...more,
});

function alertIn(body: JsonObject) {
  const batch = grafana.read(body, NOW);
  if (batch.kind === 'malformed') throw new Error(batch.reason);
  return batch.alerts[0]!;
}

describe('the webhook of Grafana', () => {
  test('is a signal about what its labels name', () => {
    const signal = alertIn(aBody());
    if ('verdict' in signal) throw new Error(signal.message);
    expect(signal).toMatchObject({
      source: 'grafana',
      name: 'Restarts',
      state: 'firing',
      severity: 'critical',
      instance: 'c6eadffa33fcdf37',
      about: { resource: { kind: 'Pod' }, key: { namespace: 'shop', name: 'checkout-1-a' } },
    });
    expect(toTime(signal.startsAt)).toBe('2026-11-15T02:51:03Z');
  });

  test('opens a request for the owner, and resolves it', async () => {
    const rig = await aRig();
    expect(await rig.gateway.receive(aBody(), grafana)).toMatchObject({ code: 201, body: { status: 'created' } });
    const [request] = await rig.requests();
    expect(request?.spec).toMatchObject({ signalSource: 'grafana', targetResource: { kind: 'Deployment', name: 'checkout' } });
    const resolved = await rig.gateway.receive(
      aBody({ status: 'resolved', endsAt: '2026-11-15T02:59:00Z' }, { status: 'resolved' }),
      grafana,
    );
    expect(resolved).toMatchObject({ code: 200, body: { status: 'resolved' } });
  });

  test('is no alert that Alertmanager could be asked about', () => expect(standsForAlert({ signalSource: 'grafana' })).toBe(false));

  test.each(['DatasourceNoData', 'DatasourceError'])('%s says nothing about a target', (alertname) => {
    const labels = { alertname, rulename: 'Restarts', namespace: 'shop', pod: 'checkout-1-a' };
    expect(alertIn(aBody({ labels }))).toMatchObject({
      verdict: 'rejected',
      because: 'no target',
      message: expect.stringContaining('could not evaluate Restarts') as string,
    });
  });

  test('may lack what a group has not in common', () =>
    expect(alertIn(aBody({}, { commonLabels: null, commonAnnotations: null }))).toMatchObject({ name: 'Restarts' }));

  test.each([
    { body: aBody({}, { version: '4' }), why: /webhook of Alertmanager: send it to \/api\/v1\/signals\/prometheus/ },
    { body: aBody({}, { version: '2' }), why: /version is "2", only "1" is understood/ },
    { body: aBody({}, { alerts: [] }), why: /alerts is not a list/ },
    { body: [] as unknown, why: /not a JSON object/ },
  ])('is refused with the member that is wrong: $why', ({ body, why }) =>
    expect(grafana.read(body, NOW)).toMatchObject({ kind: 'malformed', reason: expect.stringMatching(why) as string }),
  );
});
