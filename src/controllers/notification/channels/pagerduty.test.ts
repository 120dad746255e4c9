import { describe, expect, test } from 'vitest';
import { SECOND } from '../../../base/index.ts';
import type { PagerDutyChannelSettings } from '../../notification-settings.ts';
import { having } from '../testing/having.ts';
import { aGoodEnd, anApproval, credentialFile, HOSTILE, sendOnce, UNSEEN } from '../testing/send-once.ts';
import { ProviderServer, type ProvidersReply, type ReceivedRequest } from '../testing/provider-server.ts';

const KEY = 'R0UT1NGK3Y'.padEnd(32, '0');

const channel = (url: string, more: Partial<PagerDutyChannelSettings> = {}): PagerDutyChannelSettings => ({
  kind: 'pagerduty',
  name: 'pagerduty:oncall',
  timeoutMs: 10_000,
  routingKey: credentialFile(KEY),
  url: `${url}/v2/enqueue`,
  ...more,
});

interface Event {
  readonly routing_key: string;
  readonly event_action: string;
  readonly dedup_key: string;
  readonly payload: { readonly summary: string; readonly source: string; readonly severity: string };
}

/** Answers as PagerDuty documents its Events API v2. */
function eventsApi({ method, path, body }: ReceivedRequest): ProvidersReply {
  if (method !== 'POST' || path !== '/v2/enqueue') return { code: 404 };
  const event = JSON.parse(body) as Event;
  const errors = RULES.filter(([, holds]) => !holds(event)).map(([rule]) => rule);
  if (errors.length > 0 || body.length > 512 * 1024) return { code: 400, text: JSON.stringify({ status: 'invalid event', errors }) };
  return { code: 202, text: JSON.stringify({ status: 'success', message: 'Event processed', dedup_key: event.dedup_key }) };
}

const RULES: readonly (readonly [rule: string, holds: (event: Event) => boolean])[] = [
  ['routing_key has 32 characters', ({ routing_key: key }) => key.length === 32],
  ['event_action is known', ({ event_action: action }) => ['trigger', 'acknowledge', 'resolve'].includes(action)],
  ['dedup_key has up to 255 characters', ({ dedup_key: key }) => key.length > 0 && key.length <= 255],
  ['summary has up to 1024 characters', ({ payload: { summary } }) => summary.length > 0 && summary.length <= 1024],
  ['source is there', ({ payload: { source } }) => source.length > 0],
  ['severity is known', ({ payload: { severity } }) => ['critical', 'error', 'warning', 'info'].includes(severity)],
];

describe('PagerDuty', () => {
  test('gets an event that opens an incident, and one with the same key that resolves it', async () => {
    await using pagerduty = await ProviderServer.start(eventsApi);
    expect(await sendOnce(channel(pagerduty.url), { notification: anApproval() })).toEqual({ kind: 'delivered' });
    expect(await sendOnce(channel(pagerduty.url), { notification: aGoodEnd() })).toEqual({ kind: 'delivered' });
    expect(pagerduty.bodies()).toMatchObject([
      {
        routing_key: KEY,
        event_action: 'trigger',
        dedup_key: 'sickbay/uid-rr',
        client_url: 'https://sickbay.example.com/remediations/rr-1',
        links: [{ href: 'https://sickbay.example.com/remediations/rr-1', text: 'Decide in the console' }],
        payload: {
          summary: 'Approval needed: KubePodCrashLooping on Deployment shop/checkout',
          source: 'shop/Deployment/checkout',
          severity: 'critical',
          timestamp: '2026-11-15T03:00:00Z',
          component: 'rollback-deployment:0.1.0',
          class: 'Approval',
          custom_details: { message: having('sickbay approve rr-1'), confidence: '0.90', remediation: 'rr-1' },
        },
      },
      { event_action: 'resolve', dedup_key: 'sickbay/uid-rr' },
    ]);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ])('the count of the duplicates of a remediation that healed opens no incident, sent %s its end', async (_, at) => {
    await using pagerduty = await ProviderServer.start(eventsApi);
    const { spec } = aGoodEnd();
    const duplicates = anApproval({ ...spec, type: 'Simple', subject: '3 duplicates' });
    for (const notification of [duplicates, aGoodEnd()].toSorted(() => (at === 0 ? 0 : -1)))
      await sendOnce(channel(pagerduty.url), { notification });
    expect(pagerduty.bodies()).toMatchObject([{ event_action: 'resolve' }, { event_action: 'resolve' }]);
    expect(pagerduty.bodies()[at === 0 ? 0 : 1]).toMatchObject({ payload: { summary: '3 duplicates' } });
  });

  test.each([
    ['ended without success', anApproval({ type: 'Escalation', context: { analysis: { outcome: 'VerificationTimedOut' } } })],
    ['was a dry run', anApproval({ type: 'Completion', context: { analysis: { outcome: 'DryRun' } } })],
    ['needs a review, with duplicates', anApproval({ type: 'Simple', context: { analysis: { outcome: 'ManualReviewRequired' } } })],
    ['needs a review', anApproval({ type: 'ManualReview', context: { analysis: { outcome: 'Remediated' } } })],
  ])('a remediation that %s resolves nothing', async (_, notification) => {
    await using pagerduty = await ProviderServer.start(eventsApi);
    await sendOnce(channel(pagerduty.url), { notification });
    expect(pagerduty.bodies()[0]).toMatchObject({ event_action: 'trigger' });
  });

  test.each([
    ['Critical', 'critical'],
    ['High', 'error'],
    ['Medium', 'warning'],
    ['Low', 'info'],
  ] as const)('priority %s is severity %s', async (priority, severity) => {
    await using pagerduty = await ProviderServer.start(eventsApi);
    await sendOnce(channel(pagerduty.url), { notification: anApproval({ priority }) });
    await sendOnce(channel(pagerduty.url, { severity: 'warning' }), { notification: anApproval({ priority }) });
    expect(pagerduty.bodies()).toMatchObject([{ payload: { severity } }, { payload: { severity: 'warning' } }]);
  });

  test('takes long and hostile text within its limits', async () => {
    await using pagerduty = await ProviderServer.start(eventsApi);
    const notification = anApproval({ subject: HOSTILE.padEnd(500, 'x'), body: `${HOSTILE}${'y'.repeat(1024 * 1024)}` });
    expect(await sendOnce(channel(pagerduty.url), { notification })).toEqual({ kind: 'delivered' });
    expect(pagerduty.received[0]?.body).not.toMatch(UNSEEN);
    expect(pagerduty.received[0]?.body).toContain('[cut: ');
  });

  test.each<[string, ProvidersReply, object]>([
    ['a refused event is final', { code: 400, text: '{"status":"invalid event"}' }, { kind: 'refused', reason: having('400') }],
    ['429 is retried', { code: 429, headers: { 'retry-after': '7' } }, { kind: 'failed', retryAfterMs: 7 * SECOND }],
    ['500 is retried', { code: 500 }, { kind: 'failed' }],
    [
      'a page of something else is retried',
      { code: 200, text: 'welcome' },
      { kind: 'failed', reason: having('without "status":"success": welcome') },
    ],
  ])('%s', async (_, reply, want) => {
    await using pagerduty = await ProviderServer.start(() => reply);
    const outcome = await sendOnce(channel(pagerduty.url));
    expect(outcome).toMatchObject(want);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });
});
