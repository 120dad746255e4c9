import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../base/index.ts';
import type { WebhookChannelSettings } from '../../notification-settings.ts';
import { NOW } from '../testing/a-notification.ts';
import { aGoodEnd, anApproval, credentialFile, HOSTILE, sendOnce, UNSEEN } from '../testing/send-once.ts';
import { having, listing } from '../testing/having.ts';
import { ProviderServer, type ProvidersReply, type ReceivedRequest } from '../testing/provider-server.ts';

const channel = (url: string, secret?: string): WebhookChannelSettings => ({
  kind: 'webhook',
  name: 'webhook:all',
  timeoutMs: 10_000,
  url: `${url}/hook?team=a`,
  ...(secret !== undefined && { secret: credentialFile(secret) }),
});

/** Checks a request as the libraries of Standard Webhooks do. */
function isSigned({ headers, body }: ReceivedRequest, key: Buffer): boolean {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const want = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const got = Buffer.from(String(headers['webhook-signature']));
  return got.length === want.length && timingSafeEqual(got, want);
}

describe('a webhook', () => {
  test('gets the notification as JSON, under a key that is the same for every attempt', async () => {
    await using server = await ProviderServer.start(() => ({ code: 204 }));
    for (let i = 0; i < 2; i++) expect(await sendOnce(channel(server.url), { notification: anApproval() })).toEqual({ kind: 'delivered' });
    const [first, second] = server.received;
    expect(first).toMatchObject({ path: '/hook?team=a', headers: { 'webhook-id': 'uid-nr', 'webhook-timestamp': String(NOW / SECOND) } });
    expect(second?.headers['webhook-id']).toBe('uid-nr');
    expect(first?.headers).not.toHaveProperty('webhook-signature');
    expect(server.bodies()[0]).toMatchObject({
      version: '1',
      id: 'uid-nr',
      type: 'Approval',
      priority: 'Critical',
      resolved: false,
      incident: 'uid-rr',
      remediationRequest: 'rr-1',
      facts: listing({ name: 'Target', value: 'shop/Deployment/checkout' }),
      links: [{ label: 'Decide in the console', url: 'https://sickbay.example.com/remediations/rr-1' }],
    });
  });

  test('reports that a remediation ended well', async () => {
    await using server = await ProviderServer.start(() => ({ code: 200 }));
    await sendOnce(channel(server.url), { notification: aGoodEnd() });
    expect(server.bodies()[0]).toMatchObject({ resolved: true, incident: 'uid-rr' });
  });

  test.each([
    ['as it stands', 'a plain secret', Buffer.from('a plain secret')],
    ['as base64 with its prefix', `whsec_${Buffer.from('binary\u0001key').toString('base64')}`, Buffer.from('binary\u0001key')],
  ])('is signed with the secret %s', async (_, secret, key) => {
    await using server = await ProviderServer.start(() => ({ code: 200 }));
    await sendOnce(channel(server.url, secret));
    expect(server.received.map((request) => isSigned(request, key))).toEqual([true]);
  });

  test.each<[string, ProvidersReply, object]>([
    [
      'a refusal is final',
      { code: 400, text: 'bad \u202e\u0007 request' },
      { kind: 'refused', reason: having(String.raw`400: bad \u202e\u0007 request`) },
    ],
    [
      '429 waits until the date that it says',
      { code: 429, headers: { 'retry-after': 'Sun, 15 Nov 2026 03:01:00 GMT' } },
      { kind: 'failed', retryAfterMs: MINUTE },
    ],
    [
      'a Retry-After that is none is left out',
      { code: 503, headers: { 'retry-after': 'soon' } },
      { kind: 'failed', reason: having('503') },
    ],
    ['a time-out of the server is retried', { code: 408 }, { kind: 'failed' }],
    ['a credential that is not accepted is retried', { code: 401 }, { kind: 'failed', reason: having('401') }],
    ['one without the right is retried', { code: 403 }, { kind: 'failed', reason: having('403') }],
    ['a gateway without an answer leaves open whether it arrived', { code: 504 }, { kind: 'failed', mayHaveArrived: true }],
    [
      'an answer of 2 MB is retried',
      { code: 200, text: 'x'.repeat(2 * 1024 * 1024) },
      { kind: 'failed', reason: having('larger than 1 MB') },
    ],
  ])('%s', async (_, reply, want) => {
    await using server = await ProviderServer.start(() => reply);
    expect(await sendOnce(channel(server.url))).toMatchObject(want);
  });

  test('shows control characters, redacts credentials, and cuts with a note', async () => {
    await using server = await ProviderServer.start(() => ({ code: 200 }));
    const body = `${HOSTILE}\npassword=hunter22 Authorization: Bearer abcdefghijkl https://dana:pw@db/x\n${'y'.repeat(1024 * 1024)}`;
    await sendOnce(channel(server.url), { notification: anApproval({ body }) });
    const text = String(server.bodies()[0]?.text);
    expect(text).not.toMatch(UNSEEN);
    expect(text).not.toMatch(/hunter22|abcdefghijkl|dana:pw/);
    expect(text).toContain('https://dana:********@db/x');
    expect(text.length).toBe(64 * 1024);
    expect(text).toContain('[cut: ');
  });
});
