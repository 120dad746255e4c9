import { clip } from '../../../base/index.ts';
import type { PagerDutyChannelSettings } from '../../notification-settings.ts';
import { limitText } from '../message/limit-text.ts';
import type { Message } from '../message/message.ts';
import type { ProviderRequest } from './send-outcome.ts';

/** Limits of the Events API v2. */
const LONGEST_SUMMARY = 1024;
const LONGEST_DETAIL = 20_000;

const SEVERITIES: Readonly<Record<Message['priority'], NonNullable<PagerDutyChannelSettings['severity']>>> = {
  Critical: 'critical',
  High: 'error',
  Medium: 'warning',
  Low: 'info',
};

/**
 * An event of the Events API v2. All events of a remediation have one dedup key: the first opens an incident, those after it update it, and the
 * one that reports the good end resolves it.
 */
export function pagerdutyRequest(
  { url, severity }: Pick<PagerDutyChannelSettings, 'url' | 'severity'>,
  message: Message,
  routingKey: string,
): ProviderRequest {
  const { title, incident, isResolved, priority, links, createdAt } = message;
  const [page] = links;
  const event = {
    routing_key: routingKey,
    event_action: isResolved ? 'resolve' : 'trigger',
    dedup_key: `sickbay/${incident}`,
    client: 'Sickbay',
    ...(page && { client_url: page.url }),
    links: links.map(({ label, url: href }) => ({ href, text: label })),
    payload: {
      summary: clip(title, LONGEST_SUMMARY),
      source: factOf(message, 'Target') ?? 'sickbay',
      severity: severity ?? SEVERITIES[priority],
      timestamp: createdAt,
      class: message.type,
      ...componentOf(message),
      custom_details: detailsOf(message),
    },
  };
  return { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
}

const factOf = ({ facts }: Message, wanted: string): string | undefined => facts.find(([name]) => name === wanted)?.[1];

function componentOf(message: Message): { readonly component?: string } {
  const component = factOf(message, 'Workflow');
  return component === undefined ? {} : { component: clip(component, LONGEST_SUMMARY) };
}

const detailsOf = ({ text, facts, whole, remediation }: Message): Readonly<Record<string, string>> => ({
  message: limitText(text, LONGEST_DETAIL, whole),
  ...Object.fromEntries(facts.map(([name, value]) => [name.toLowerCase(), clip(value, LONGEST_SUMMARY)])),
  ...(remediation !== undefined && { remediation }),
});
