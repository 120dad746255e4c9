import { describe, expect, test } from 'vitest';
import { after, parseTime, toTime, type JsonObject } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Signal } from '../signal.ts';
import { AN_ALERT, anAlert, aWebhook } from '../testing/webhook.ts';
import { readWebhook } from './alertmanager.ts';

const NOW = new ManualClock().now();

function signalIn(alert: JsonObject, more: JsonObject = {}): Signal {
  const webhook = readWebhook(aWebhook([alert], more), NOW);
  if (webhook.kind === 'malformed') throw new Error(webhook.reason);
  const [signal] = webhook.alerts;
  if (!signal || 'verdict' in signal) throw new Error(signal?.message);
  return signal;
}

describe('an alert', () => {
  test.each(['\u001b[2JKubePodCrashLooping', 'a\nb', 'a\u0000', '\u202eabc', 'x'.repeat(254)])(
    'named %j is malformed, and the label is named',
    (alertname) => {
      const webhook = readWebhook(aWebhook([anAlert({ alertname, pod: 'a' })]), NOW);
      expect(webhook).toMatchObject({
        alerts: [{ because: 'malformed', message: expect.stringContaining('labels.alertname') as unknown }],
      });
    },
  );

  test.each([1e308, -5, 1.5, '7', null])('%j alerts that were cut off are none', (truncatedAlerts) =>
    expect(readWebhook(aWebhook([AN_ALERT], { truncatedAlerts }), NOW)).toMatchObject({ truncated: 0 }),
  );

  test('becomes a signal', () => {
    expect(signalIn(AN_ALERT)).toMatchObject({
      state: 'firing',
      source: 'prometheus',
      name: 'KubePodCrashLooping',
      instance: '3f8a0c55d1e2b749',
      severity: 'critical',
      startsAt: parseTime(AN_ALERT.startsAt),
      labels: AN_ALERT.labels,
      annotations: AN_ALERT.annotations,
      clusterID: '',
      about: { resource: { kind: 'Pod' }, key: { namespace: 'shop', name: 'checkout-1-a' } },
    });
  });

  test('keeps what else the source says', () => {
    const { providerData, payload } = signalIn(AN_ALERT);
    expect(JSON.parse(payload)).toEqual(AN_ALERT);
    expect(JSON.parse(providerData)).toMatchObject({ receiver: 'sickbay', generatorURL: 'http://prometheus/graph' });
  });

  test('takes on what all alerts of the webhook share', () => {
    const common = { severity: 'warning', cluster: 'eu-1' };
    const signal = signalIn(anAlert({ pod: 'a' }), { commonLabels: common, commonAnnotations: { summary: 'all of them', runbook: 'r' } });
    expect(signal).toMatchObject({ severity: 'warning', clusterID: 'eu-1', annotations: { summary: 'all of them', runbook: 'r' } });
    expect(signal.labels).toMatchObject({ pod: 'a', cluster: 'eu-1' });
  });

  test.each([
    ['no severity', { labels: { alertname: 'X', pod: 'a' } }],
    ['an empty one', { labels: { alertname: 'X', pod: 'a', severity: '' } }],
  ])('%s is unknown', (_, more) => expect(signalIn({ ...AN_ALERT, ...more }).severity).toBe('unknown'));

  test('may have resolved', () => expect(signalIn({ ...AN_ALERT, status: 'resolved' }).state).toBe('resolved'));

  test('may come without labels of its own, annotations or members that we do not read', () => {
    const { startsAt, status } = AN_ALERT;
    expect(signalIn({ startsAt, status, silenceURL: 'x' }, { commonLabels: AN_ALERT.labels, orgId: 1 }).annotations).toEqual({});
  });

  test.each([
    ['the same labels in another order', { labels: { pod: 'a', alertname: 'X' } }, true],
    ['other labels', { labels: { pod: 'b', alertname: 'X' } }, false],
  ])('without a fingerprint goes by its labels: %s', (_, more, same) => {
    const one = signalIn({ ...AN_ALERT, labels: { alertname: 'X', pod: 'a' }, fingerprint: undefined });
    const other = signalIn({ ...AN_ALERT, fingerprint: 'NOT HEX', ...more });
    expect(one.instance).toMatch(/^[0-9a-f]{16}$/);
    expect(other.instance === one.instance).toBe(same);
  });
});

describe('startsAt', () => {
  const starting = (seconds: number): JsonObject => ({ ...AN_ALERT, startsAt: toTime(after(NOW, seconds * 1_000)) });

  test('may be long ago: an alert that goes on firing is sent again and again', () =>
    expect(signalIn(starting(-90 * 24 * 3_600)).startsAt).toBeLessThan(NOW));

  test('may be as much ahead as clocks differ', () => expect(signalIn(starting(120)).startsAt).toBeGreaterThan(NOW));

  test('may not be further ahead', () => expect(() => signalIn(starting(121))).toThrow(/more than 2 minutes in the future/));
});

describe('an alert is rejected, and not the others,', () => {
  const cases: readonly (readonly [why: string, alert: unknown, because: string, says: RegExp])[] = [
    ['that is no object', 'x', 'malformed', /not a JSON object/],
    ['that is nothing', null, 'malformed', /not a JSON object/],
    ['with a label that is no text', { ...AN_ALERT, labels: { alertname: 'X', pod: 7 } }, 'malformed', /map strings to strings/],
    ['with labels in a list', { ...AN_ALERT, labels: ['alertname'] }, 'malformed', /map strings to strings/],
    ['with an annotation that is no text', { ...AN_ALERT, annotations: { summary: {} } }, 'malformed', /map strings to strings/],
    ['of another status', { ...AN_ALERT, status: 'suppressed' }, 'malformed', /firing or resolved/],
    ['without a start', { ...AN_ALERT, startsAt: undefined }, 'malformed', /KubePodCrashLooping: startsAt/],
    ['with the zero time', { ...AN_ALERT, startsAt: '0001-01-01T00:00:00Z' }, 'malformed', /startsAt/],
    ['with a start that is no time', { ...AN_ALERT, startsAt: 'yesterday' }, 'malformed', /startsAt/],
    ['without a name', { ...AN_ALERT, labels: { pod: 'a' } }, 'no target', /no label alertname/],
    ['without labels', { ...AN_ALERT, labels: undefined }, 'no target', /no label alertname/],
    ['with no label', { ...AN_ALERT, labels: {} }, 'no target', /no label alertname/],
    ['that names no object', anAlert({ job: 'kube-state-metrics', service: 's' }), 'no target', /KubePodCrashLooping: none of its labels/],
    ['that names one badly', anAlert({ pod: 'A' }), 'no target', /its label pod is not the name/],
  ];
  test.each(cases)('ruling 117: %s', (_, alert, because, says) => {
    const webhook = readWebhook(aWebhook([alert, AN_ALERT]), NOW);
    expect(webhook).toMatchObject({ kind: 'alerts', alerts: [{ verdict: 'rejected', because }, { state: 'firing' }] });
    const message = webhook.kind === 'alerts' && webhook.alerts[0] && 'message' in webhook.alerts[0] ? webhook.alerts[0].message : '';
    expect(message).toMatch(says);
    expect(message).toMatch(`rejected: ${because}: `);
  });
});

describe('a webhook is malformed', () => {
  test.each([
    ['that is nothing', undefined],
    ['that is a text', 'alerts'],
    ['that is a list', [AN_ALERT]],
    ['of another version', aWebhook([AN_ALERT], { version: '3' })],
    ['without a version', aWebhook([AN_ALERT], { version: undefined })],
    ['without alerts', aWebhook([])],
    ['with alerts that are no list', aWebhook([], { alerts: { 0: AN_ALERT } })],
    ['with common labels that are no texts', aWebhook([AN_ALERT], { commonLabels: { a: 1 } })],
    ['with common annotations that are no map', aWebhook([AN_ALERT], { commonAnnotations: 'x' })],
  ])('%s', (_, body) => expect(readWebhook(body, NOW).kind).toBe('malformed'));

  test('and says which version it is of', () =>
    expect(readWebhook(aWebhook([AN_ALERT], { version: '3' }), NOW)).toEqual({
      kind: 'malformed',
      reason: 'version is "3", only "4" is understood',
    }));
});

test.each([
  [3, 3],
  [undefined, 0],
  ['many', 0],
])('truncatedAlerts %j is read as %d', (truncatedAlerts, truncated) =>
  expect(readWebhook(aWebhook([AN_ALERT], { truncatedAlerts }), NOW)).toMatchObject({ truncated }),
);
