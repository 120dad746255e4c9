import { describe, expect, test } from 'vitest';
import { SECOND } from '../../../base/index.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import type { SlackChannelSettings } from '../../notification-settings.ts';
import { anApproval, credentialFile, HOSTILE, sendOnce, UNSEEN } from '../testing/send-once.ts';
import { having, matching } from '../testing/having.ts';
import { ProviderServer, type ProvidersReply, type ReceivedRequest } from '../testing/provider-server.ts';

const webhook = (url: string): SlackChannelSettings => ({
  kind: 'slack',
  name: 'slack:oncall',
  timeoutMs: 10_000,
  access: { kind: 'webhook', url: credentialFile(`${url}/services/T0/B0/hook-secret\n`) },
});

const bot = (url: string): SlackChannelSettings => ({
  kind: 'slack',
  name: 'slack:oncall',
  timeoutMs: 10_000,
  access: { kind: 'bot', token: credentialFile('xoxb-1-secret'), channel: '#oncall', apiUrl: `${url}/api` },
});

const said = (answer: object): ProvidersReply => ({
  code: 200,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(answer),
});

/** Answers as Slack documents chat.postMessage: a token, a channel, text or blocks. */
function slackApi(request: ReceivedRequest): ProvidersReply {
  if (request.method !== 'POST' || request.path !== '/api/chat.postMessage') return { code: 404 };
  const error = slackError(request);
  return said(error === undefined ? { ok: true, channel: 'C0123456789', ts: '1503435956.000247' } : { ok: false, error });
}

function slackError({ headers, body }: ReceivedRequest): string | undefined {
  if (headers.authorization !== 'Bearer xoxb-1-secret') return 'invalid_auth';
  if (headers['content-type'] !== 'application/json; charset=utf-8') return 'invalid_form_data';
  const { channel, text, blocks } = JSON.parse(body) as { channel?: string; text: string; blocks: unknown[] };
  if (channel !== '#oncall') return 'channel_not_found';
  return text === '' || blocks.length > 50 ? 'invalid_blocks' : undefined;
}

/** All text of the rich text blocks. */
const shown = (body: Record<string, unknown> = {}): string =>
  (body.blocks as { elements: { elements: { text: string }[] }[] }[])
    .flatMap(({ elements }) => elements.flatMap((each) => each.elements.map(({ text }) => text)))
    .join('');

describe('Slack by an incoming webhook', () => {
  test('gets text and blocks, and "ok" is a delivery', async () => {
    await using slack = await ProviderServer.start(() => ({ code: 200, text: 'ok' }));
    expect(await sendOnce(webhook(slack.url), { notification: anApproval() })).toEqual({ kind: 'delivered' });
    const [request] = slack.received;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/services/T0/B0/hook-secret',
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    const [body] = slack.bodies();
    expect(body?.text).toContain('Approval needed: KubePodCrashLooping');
    expect(shown(body)).toContain('Approve: sickbay approve rr-1 -n sickbay-system');
    expect(shown(body)).toContain('Target: shop/Deployment/checkout');
    expect(JSON.stringify(body)).toContain('"url":"https://sickbay.example.com/remediations/rr-1","text":"Decide in the console"');
  });

  test.each<[string, ProvidersReply, object]>([
    [
      'a refusal is final',
      { code: 404, text: 'no_service' },
      { kind: 'refused', reason: matching(/^127\.0\.0\.1:\d+ answered 404: no_service$/) },
    ],
    ['429 waits as long as it says', { code: 429, headers: { 'retry-after': '30' } }, { kind: 'failed', retryAfterMs: 30 * SECOND }],
    ['500 is retried', { code: 500, text: 'rollup_error' }, { kind: 'failed' }],
    [
      'a page of something else is retried',
      { code: 200, text: '<html>Log in</html>' },
      { kind: 'failed', reason: having('without "ok": <html>Log in</html>') },
    ],
    [
      'a redirect is not followed',
      { code: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { kind: 'refused', reason: having('not followed') },
    ],
  ])('%s', async (_, reply, want) => {
    await using slack = await ProviderServer.start(() => reply);
    const outcome = await sendOnce(webhook(slack.url));
    expect(outcome).toMatchObject(want);
    expect(JSON.stringify(outcome)).not.toContain('hook-secret');
    expect(slack.received).toHaveLength(1);
  });

  test('without an answer in time it may have arrived', async () => {
    await using slack = await ProviderServer.start(() => 'nothing');
    const clock = new ManualClock();
    const sending = sendOnce(webhook(slack.url), { clock });
    await slack.got(1);
    await clock.advance(10 * SECOND);
    expect(await sending).toEqual({
      kind: 'timeout',
      reason: `${slack.host} did not answer within 10 s: the message may have arrived`,
      mayHaveArrived: true,
    });
    expect(clock.waiting).toBe(0);
  });

  test('a connection that is refused is retried, and names the host alone', async () => {
    const gone = await ProviderServer.start(() => 'nothing');
    const channel = webhook(gone.url);
    const { host } = gone;
    await gone[Symbol.asyncDispose]();
    const outcome = await sendOnce(channel);
    expect(outcome).toMatchObject({ kind: 'failed', reason: having(`sending to ${host}: `) });
    expect(JSON.stringify(outcome)).not.toContain('hook-secret');
  });

  test('text from the cluster is shown and never obeyed', async () => {
    await using slack = await ProviderServer.start(() => ({ code: 200, text: 'ok' }));
    await sendOnce(webhook(slack.url), { notification: anApproval({ subject: HOSTILE, body: HOSTILE }) });
    const [body] = slack.bodies();
    expect(body?.text).not.toMatch(/[<>]/);
    expect(body?.text).toContain('&lt;!channel&gt;');
    expect(shown(body)).not.toMatch(UNSEEN);
    expect(shown(body)).toContain('<!channel>');
    const kinds = JSON.stringify(body?.blocks).match(/"type":"[a-z_]+"/g);
    expect(new Set(kinds)).toEqual(new Set(['"type":"rich_text"', '"type":"rich_text_section"', '"type":"text"', '"type":"link"']));
  });

  test('a long text is cut with a note', async () => {
    await using slack = await ProviderServer.start(() => ({ code: 200, text: 'ok' }));
    await sendOnce(webhook(slack.url), { notification: anApproval({ body: 'x'.repeat(1024 * 1024) }) });
    const [body] = slack.bodies();
    expect(shown(body).length).toBeLessThan(4_000);
    expect(shown(body)).toContain('[cut: the whole: kubectl get notif nr-completion-rr-1 -n sickbay-system -o yaml]');
  });
});

describe('Slack with a bot token', () => {
  test('posts to the channel, and remembers what Slack calls the message', async () => {
    await using slack = await ProviderServer.start(slackApi);
    expect(await sendOnce(bot(slack.url), { notification: anApproval() })).toEqual({
      kind: 'delivered',
      reference: 'C0123456789/1503435956.000247',
    });
    expect(slack.bodies()[0]).not.toHaveProperty('thread_ts');
  });

  test('a follow-up goes into the thread; one that asks for something is shown in the channel too', async () => {
    await using slack = await ProviderServer.start(slackApi);
    const thread = 'C0123456789/1503435956.000247';
    await sendOnce(bot(slack.url), { thread });
    await sendOnce(bot(slack.url), { thread, notification: anApproval() });
    expect(slack.bodies()).toMatchObject([
      { thread_ts: '1503435956.000247', reply_broadcast: false },
      { thread_ts: '1503435956.000247', reply_broadcast: true },
    ]);
  });

  test.each<[string, object, object]>([
    [
      'a wrong channel is final, with advice',
      { ok: false, error: 'not_in_channel' },
      { kind: 'refused', reason: having('not_in_channel: invite the app to the channel') },
    ],
    ['an error of Slack is retried', { ok: false, error: 'internal_error' }, { kind: 'failed' }],
    ['too many messages are retried', { ok: false, error: 'ratelimited' }, { kind: 'failed' }],
    ['JSON of something else is retried', { status: 'fine' }, { kind: 'failed', reason: having('something else than JSON of Slack') }],
    ['a reference that is none is not kept', { ok: true, channel: '../x', ts: 'y' }, { kind: 'delivered' }],
  ])('%s', async (_, answer, want) => {
    await using slack = await ProviderServer.start(() => ({ code: 200, text: JSON.stringify(answer) }));
    const outcome = await sendOnce(bot(slack.url));
    expect(outcome).toMatchObject(want);
    expect(outcome).not.toHaveProperty('reference');
  });

  test('a token that is replaced is used for the next message', async () => {
    await using slack = await ProviderServer.start(({ headers }) => ({
      code: 200,
      text: JSON.stringify({ ok: headers.authorization === 'Bearer new', error: 'invalid_auth' }),
    }));
    const channel = bot(slack.url);
    expect(await sendOnce(channel)).toMatchObject({ kind: 'failed', reason: having('check botToken') });
    const access = { ...channel.access, token: credentialFile('new') } as SlackChannelSettings['access'];
    expect(await sendOnce({ ...channel, access })).toMatchObject({ kind: 'delivered' });
  });

  test('without the token nothing is sent, and the place of it is named', async () => {
    await using slack = await ProviderServer.start(slackApi);
    const channel = bot(slack.url);
    const access = { ...channel.access, token: { kind: 'file', path: '/nowhere/token' } } as SlackChannelSettings['access'];
    expect(await sendOnce({ ...channel, access })).toMatchObject({ kind: 'failed', reason: having('/nowhere/token') });
    expect(slack.received).toEqual([]);
  });
});
