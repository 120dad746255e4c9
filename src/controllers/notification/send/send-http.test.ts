import { describe, expect, test } from 'vitest';
import type { ChannelSettings } from '../../notification-settings.ts';
import { ProviderServer, type ReceivedRequest } from '../testing/provider-server.ts';
import { credentialFile, sendOnce } from '../testing/send-once.ts';

const common = { timeoutMs: 10_000 } as const;

const hook = (url: string): ChannelSettings => ({
  ...common,
  kind: 'slack',
  name: 'slack:a',
  access: { kind: 'webhook', url: credentialFile(`${url}/services/T000/B000/hook-secret-123?sig=query-secret`) },
});

const bot = (apiUrl: string): ChannelSettings => ({
  ...common,
  kind: 'slack',
  name: 'slack:b',
  access: { kind: 'bot', token: credentialFile('xoxb-token-1'), channel: '#a', apiUrl },
});

const pager = (url: string): ChannelSettings => ({
  ...common,
  kind: 'pagerduty',
  name: 'pagerduty:a',
  routingKey: credentialFile('R0UT1NGK3Y'),
  url: `${url}/v2/enqueue`,
});

const teams = (url: string): ChannelSettings => ({
  ...common,
  kind: 'teams',
  name: 'teams:a',
  url: credentialFile(`${url}/workflows/0123456789abcdef?sig=query-secret`),
});

/** Repeats what it was sent: as text, and with slashes escaped as some writers of JSON do. */
const echo = ({ path, headers, body }: ReceivedRequest): string => {
  const said = `${path} ${headers.authorization ?? ''} ${/"routing_key":"(\w+)"/.exec(body)?.[1] ?? ''}`;
  return `${said} ${said.replaceAll('/', String.raw`\/`)}`;
};

describe('what a provider answers', () => {
  test.each([
    ['the address of a Slack webhook', hook],
    ['the token of a Slack app', bot],
    ['the key of PagerDuty', pager],
    ['the address of a Teams workflow', teams],
  ])('does not bring %s into the reason, also where it repeats it', async (_, channel) => {
    await using server = await ProviderServer.start((request) => ({ code: 400, text: echo(request) }));
    const outcome = await sendOnce(channel(server.url));
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('********') as string });
    expect(JSON.stringify(outcome)).not.toMatch(/hook-secret|query-secret|xoxb-token|R0UT1NGK3Y|0123456789abcdef/);
  });
});

describe('a message that may have arrived', () => {
  test('is one whose connection broke after it was written', async () => {
    await using server = await ProviderServer.start(() => 'broken');
    expect(await sendOnce(bot(server.url))).toMatchObject({ kind: 'failed', mayHaveArrived: true });
    expect(server.received).toHaveLength(1);
  });

  test('is not one for which there was no connection', async () => {
    const server = await ProviderServer.start(() => 'nothing');
    const channel = bot(server.url);
    await server[Symbol.asyncDispose]();
    const outcome = await sendOnce(channel);
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome).not.toHaveProperty('mayHaveArrived');
  });
});
