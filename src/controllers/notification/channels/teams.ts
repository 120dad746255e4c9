import { clip, type Instant } from '../../../base/index.ts';
import { limitText } from '../message/limit-text.ts';
import type { Message } from '../message/message.ts';
import { readAnswer } from './read-answer.ts';
import type { ProviderAnswer, ProviderRequest, SendOutcome } from './send-outcome.ts';

/** Teams takes 28 KB in all; a character may take three bytes. */
const LONGEST_TEXT = 3_500;
const MOST_LINES = 60;
const LONGEST_TITLE = 200;
const MOST_FACTS = 10;
const LONGEST_FACT = 150;
const MOST_LINKS = 6;

/** A message with an adaptive card, as a workflow with the trigger "When a Teams webhook request is received" takes it. */
export function teamsRequest(url: string, message: Message): ProviderRequest {
  const body = {
    type: 'message',
    summary: clip(message.title, LONGEST_TITLE),
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: cardOf(message) }],
  };
  return { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const COLORS: Readonly<Record<Message['priority'], string>> = {
  Critical: 'Attention',
  High: 'Attention',
  Medium: 'Warning',
  Low: 'Default',
};

/** Text runs: unlike text blocks, they show Markdown as it stands. */
function cardOf({ title, text, facts, links, priority, isResolved, whole }: Message): object {
  const color = isResolved ? 'Good' : COLORS[priority];
  const shown = facts.slice(0, MOST_FACTS);
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      line([run(clip(title, LONGEST_TITLE), { weight: 'Bolder', size: 'Medium', color })]),
      ...limitLines(limitText(text, LONGEST_TEXT, whole), whole).map((each) => line([run(each)])),
      ...shown.map(([name, value]) => line([run(`${name}: `, { weight: 'Bolder' }), run(clip(value, LONGEST_FACT))])),
    ],
    actions: links.slice(0, MOST_LINKS).map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
  };
}

/** Each line is a block of its own. */
function limitLines(text: string, whole: string): readonly string[] {
  const lines = text.split('\n');
  return lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES - 1), `[cut: ${lines.length} lines in all; the whole: ${whole}]`];
}

const line = (inlines: readonly unknown[]) => ({ type: 'RichTextBlock', inlines });
/** An empty run is refused by some clients. */
const run = (text: string, style: object = {}) => ({ type: 'TextRun', text: text === '' ? ' ' : text, ...style });

/** A workflow answers 202. Connectors of the older kind answer 200 also where Teams refused the message, and say so in the body. */
export function readTeamsAnswer(answer: ProviderAnswer, provider: string, now: Instant): SendOutcome {
  const outcome = readAnswer(answer, provider, now);
  const inside = /HTTP error (\d{3})/.exec(answer.text)?.[1];
  if (outcome.kind !== 'delivered' || inside === undefined) return outcome;
  return readAnswer({ ...answer, code: Number(inside) }, provider, now);
}
