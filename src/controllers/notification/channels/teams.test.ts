import { describe, expect, test } from 'vitest';
import { SECOND } from '../../../base/index.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import type { TeamsChannelSettings } from '../../notification-settings.ts';
import { having } from '../testing/having.ts';
import { anApproval, credentialFile, HOSTILE, sendOnce, UNSEEN } from '../testing/send-once.ts';
import { ProviderServer, type ProvidersReply, type ReceivedRequest } from '../testing/provider-server.ts';

const channel = (url: string): TeamsChannelSettings => ({
  kind: 'teams',
  name: 'teams:oncall',
  timeoutMs: 10_000,
  url: credentialFile(`${url}/workflows/abc/triggers/manual/paths/invoke?sig=workflow-secret`),
});

interface Card {
  readonly type: string;
  readonly version: string;
  readonly body: readonly { readonly type: string; readonly inlines: readonly { readonly type: string; readonly text: string }[] }[];
  readonly actions: readonly unknown[];
}

const cardIn = (body: unknown): Card => (body as { attachments: { content: Card }[] }).attachments[0]!.content;

const shown = (card: Card): string => card.body.map(({ inlines }) => inlines.map(({ text }) => text).join('')).join('\n');

/** Answers as a workflow does: one adaptive card in a message of at most 28 KB. */
function workflow({ method, path, headers, body }: ReceivedRequest): ProvidersReply {
  if (method !== 'POST' || !path.endsWith('sig=workflow-secret')) return { code: 401 };
  if (headers['content-type'] !== 'application/json' || !isCardMessage(JSON.parse(body)))
    return { code: 400, text: 'TriggerInputSchemaMismatch' };
  return Buffer.byteLength(body) > 28 * 1024 ? { code: 413 } : { code: 202 };
}

function isCardMessage(body: unknown): boolean {
  const { type, attachments } = body as { type: string; attachments: { contentType: string; content: Card }[] };
  const isCard = attachments.every(({ contentType, content }) => contentType === CARD && content.type === 'AdaptiveCard');
  return type === 'message' && attachments.length === 1 && isCard;
}

const CARD = 'application/vnd.microsoft.card.adaptive';

describe('Microsoft Teams', () => {
  test('gets an adaptive card with the message, facts and a button to the console', async () => {
    await using teams = await ProviderServer.start(workflow);
    expect(await sendOnce(channel(teams.url), { notification: anApproval() })).toEqual({ kind: 'delivered' });
    const card = cardIn(teams.bodies()[0]);
    expect(shown(card)).toContain(
      'Approval needed: KubePodCrashLooping on Deployment shop/checkout\nwaits for approval\nApprove: sickbay approve',
    );
    expect(shown(card)).toContain('Target: shop/Deployment/checkout');
    expect(card.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Decide in the console', url: 'https://sickbay.example.com/remediations/rr-1' },
    ]);
  });

  test('shows text from the cluster in text runs, which know no Markdown, and keeps within 28 KB', async () => {
    await using teams = await ProviderServer.start(workflow);
    const notification = anApproval({ subject: HOSTILE, body: `${HOSTILE}\n${'字'.repeat(1024 * 1024)}` });
    expect(await sendOnce(channel(teams.url), { notification })).toEqual({ kind: 'delivered' });
    const card = cardIn(teams.bodies()[0]);
    expect(new Set(card.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
    expect(new Set(card.body.flatMap(({ inlines }) => inlines.map(({ type }) => type)))).toEqual(new Set(['TextRun']));
    expect(shown(card)).not.toMatch(UNSEEN);
    expect(shown(card)).toContain('[cut: ');
  });

  test('a text of many lines keeps within 28 KB', async () => {
    await using teams = await ProviderServer.start(workflow);
    expect(await sendOnce(channel(teams.url), { notification: anApproval({ body: '\n"'.repeat(100_000) }) })).toEqual({
      kind: 'delivered',
    });
  });

  test.each<[string, ProvidersReply, object]>([
    [
      'a refusal is final',
      { code: 400, text: 'TriggerInputSchemaMismatch' },
      { kind: 'refused', reason: having('400: TriggerInputSchemaMismatch') },
    ],
    ['429 is retried', { code: 429, headers: { 'retry-after': '12' } }, { kind: 'failed', retryAfterMs: 12 * SECOND }],
    ['502 is retried', { code: 502, text: 'NoResponse' }, { kind: 'failed' }],
    [
      'an older connector that answers 200 for a message that Teams throttled',
      { code: 200, text: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x' },
      { kind: 'failed', reason: having('answered 429') },
    ],
    ['an older connector that took it', { code: 200, text: '1' }, { kind: 'delivered' }],
  ])('%s', async (_, reply, want) => {
    await using teams = await ProviderServer.start(() => reply);
    const outcome = await sendOnce(channel(teams.url));
    expect(outcome).toMatchObject(want);
    expect(JSON.stringify(outcome)).not.toContain('workflow-secret');
  });

  test('without an answer in time it may have arrived', async () => {
    await using teams = await ProviderServer.start(() => 'nothing');
    const clock = new ManualClock();
    const sending = sendOnce(channel(teams.url), { clock });
    await teams.got(1);
    await clock.advance(10 * SECOND);
    expect(await sending).toMatchObject({ kind: 'timeout' });
  });
});
