import { clip } from '../../../base/index.ts';
import { limitText } from '../message/limit-text.ts';
import type { Fact, Message, MessageLink } from '../message/message.ts';
import type { ProviderRequest } from './send-outcome.ts';

/** How Slack is reached, with the credential in place. */
export type SlackAccess =
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'bot'; readonly token: string; readonly channel: string; readonly apiUrl: string };

const LONGEST_TITLE = 300;
const LONGEST_TEXT = 3_000;
/** Of the text that phones show; Slack cuts what is much longer by itself. */
const LONGEST_FALLBACK = 1_000;
const MOST_FACTS = 10;
const LONGEST_FACT = 300;

/** Messages that ask people for something are shown in the channel too, and not in the thread only. */
const ASKS: readonly Message['type'][] = ['Approval', 'ManualReview', 'Escalation'];

/** A message for an incoming webhook or chat.postMessage; `thread` is the reference of the first message of the remediation. */
export function slackRequest(access: SlackAccess, message: Message, thread?: string): ProviderRequest {
  const content = { text: fallbackText(message), blocks: slackBlocks(message), unfurl_links: false, unfurl_media: false };
  if (access.kind === 'webhook') return { url: access.url, headers: JSON_BODY, body: JSON.stringify(content) };
  const ts = thread === undefined ? undefined : timestampIn(thread);
  const follow = ts === undefined ? {} : { thread_ts: ts, reply_broadcast: ASKS.includes(message.type) };
  return {
    url: `${access.apiUrl}/chat.postMessage`,
    headers: { ...JSON_BODY, authorization: `Bearer ${access.token}` },
    body: JSON.stringify({ channel: access.channel, ...content, ...follow }),
  };
}

const JSON_BODY = { 'content-type': 'application/json; charset=utf-8' };

/** A reference is `C0123456789/1503435956.000247`. */
const timestampIn = (reference: string): string | undefined => /\/(\d+\.\d+)$/.exec(reference)?.[1];

/** What phones and screen readers show. It is read as mrkdwn, unlike the blocks. */
const fallbackText = ({ title, text }: Message): string => escapeMrkdwn(clip(`${title}\n${text}`, LONGEST_FALLBACK));

/** Without `<`, no mention, channel or link can be written. */
const escapeMrkdwn = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Rich text: Slack shows the text in it as it stands, whatever it contains. */
function slackBlocks(message: Message): readonly unknown[] {
  const { title, text, facts, links, whole } = message;
  const lines = [
    [bold(clip(title, LONGEST_TITLE)), plain('\n')],
    [plain(`${limitText(text, LONGEST_TEXT, whole)}\n`)],
    ...facts.slice(0, MOST_FACTS).map(factLine),
    ...(links.length === 0 ? [] : [links.flatMap(linkElements)]),
  ];
  return [{ type: 'rich_text', elements: lines.map((elements) => ({ type: 'rich_text_section', elements })) }];
}

const plain = (text: string) => ({ type: 'text', text });
const bold = (text: string) => ({ type: 'text', text, style: { bold: true } });
const factLine = ([name, value]: Fact) => [bold(`${name}: `), plain(`${clip(value, LONGEST_FACT)}\n`)];
const linkElements = ({ label, url }: MessageLink) => [{ type: 'link', url, text: label }, plain('  ')];
