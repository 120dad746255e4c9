import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { after, MINUTE } from '../base/index.ts';
import { anObject } from '../testkit/fake-client.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { instanceKept, readWebhook } from './adapters/alertmanager.ts';
import { calmed, joined, opened, type Deduplication } from './occurrences.ts';
import type { Signal } from './signal.ts';
import { AN_ALERT, aWebhook } from './testing/webhook.ts';

const RECEIVED = '2026-11-15T03:00:00Z';
const LATER = '2026-11-15T03:05:00Z';
const then = new ManualClock().now();
const now = after(then, 5 * MINUTE);
const webhook = readWebhook(aWebhook(), then);
const signal = (webhook.kind === 'alerts' && webhook.alerts[0]) as Signal;
const { name, instance, severity } = signal;

const aRequest = (deduplication?: Deduplication): RemediationRequest =>
  anObject('RemediationRequest', {
    spec: { receivedTime: RECEIVED, signalName: name, severity, signalLabels: signal.labels, originalPayload: signal.payload },
    ...(deduplication ? { status: { deduplication } } : {}),
  });
const once: Deduplication = {
  firstSeenAt: RECEIVED,
  lastSeenAt: RECEIVED,
  occurrenceCount: 1,
  alerts: [{ name, instance, severity, lastSeenAt: RECEIVED }],
};

describe('what a request knows of its signals', () => {
  test('begins with the one that opened it', () =>
    expect(opened(aRequest(), signal, now)).toEqual({ ...once, alerts: [{ name, instance, severity, lastSeenAt: LATER }] }));

  test('is not counted twice when another gateway counted between the two writes of the one that opened the request', () =>
    expect(opened(aRequest({ ...once, occurrenceCount: 2 }), signal, now).occurrenceCount).toBe(2));

  test('grows by one with each that joins', () =>
    expect(joined(aRequest(once), signal, now)).toEqual({
      firstSeenAt: RECEIVED,
      lastSeenAt: LATER,
      occurrenceCount: 2,
      alerts: [{ name, instance, severity, lastSeenAt: LATER }],
    }));

  test('makes up for a crash before the first count', () =>
    expect(joined(aRequest(), signal, now)).toMatchObject({ firstSeenAt: RECEIVED, lastSeenAt: LATER, occurrenceCount: 2 }));

  test.each([
    ['with a fingerprint of its own', signal],
    ['without', { ...signal, payload: '{}', instance: instanceKept('{}', signal.labels) }],
    ['kept badly', { ...signal, payload: '{', instance: instanceKept(undefined, signal.labels) }],
  ])('has the alert that opened it even if that was never noted, %s: it fires until it is said to have gone', (_, opener) => {
    const request = aRequest();
    const unnoted = { ...request, spec: { ...request.spec, originalPayload: opener.payload } };
    const other = { ...signal, instance: 'another' };
    expect(calmed(unnoted, other, now).alerts).toEqual([
      { name, instance: opener.instance, severity, lastSeenAt: RECEIVED },
      { name, instance: 'another', severity, lastSeenAt: LATER, resolvedAt: LATER },
    ]);
    expect(calmed(unnoted, opener, now).alerts).toEqual([
      { name, instance: opener.instance, severity, lastSeenAt: LATER, resolvedAt: LATER },
    ]);
  });

  test('tells alerts apart by name and instance', () => {
    const other = { ...signal, instance: 'another' };
    expect(joined(aRequest(once), other, now).alerts).toEqual([
      { name, instance, severity, lastSeenAt: RECEIVED },
      { name, instance: 'another', severity, lastSeenAt: LATER },
    ]);
    expect(joined(aRequest(once), { ...signal, name: 'Another' }, now).alerts).toHaveLength(2);
  });

  test('has when an alert was said to have gone, which is no occurrence', () =>
    expect(calmed(aRequest(once), signal, now)).toEqual({
      ...once,
      alerts: [{ name, instance, severity, lastSeenAt: LATER, resolvedAt: LATER }],
    }));

  test('forgets that when the alert fires again', () => {
    const calm = calmed(aRequest(once), signal, now);
    expect(joined(aRequest(calm), signal, now).alerts).toEqual([{ name, instance, severity, lastSeenAt: LATER }]);
  });

  test('holds no more alerts than the kind takes: those longest unheard of give way', () => {
    const alerts = Array.from({ length: 256 }, (_, i) => ({ name, instance: `i-${i}`, lastSeenAt: RECEIVED }));
    const after = joined(aRequest({ ...once, alerts }), signal, now).alerts ?? [];
    expect([after.length, after[0]?.instance, after.at(-1)?.instance]).toEqual([256, 'i-1', instance]);
  });
});

test('the alert of these tests is the usual one', () => expect(instance).toBe(AN_ALERT.fingerprint));
