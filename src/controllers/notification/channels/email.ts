import { clip } from '../../../base/index.ts';
import type { EmailChannelSettings } from '../../notification-settings.ts';
import { limitText } from '../message/limit-text.ts';
import type { Message } from '../message/message.ts';

/** A mail, with all its headers. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every attempt: mail programs that know it show it once. */
  readonly messageId: string;
  /** Mails of one remediation stand in one thread. */
  readonly references: string;
  readonly inReplyTo: string;
  readonly headers: Readonly<Record<string, string>>;
}

const LONGEST_SUBJECT = 200;
const LONGEST_TEXT = 100_000;

export function emailOf({ from, to }: Pick<EmailChannelSettings, 'from' | 'to'>, message: Message): Mail {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const thread = `<incident.${message.incident}@${domain}>`;
  const text = limitText(message.text, LONGEST_TEXT, message.whole);
  return {
    from,
    to,
    subject: clip(message.title, LONGEST_SUBJECT),
    text: textPart(message, text),
    html: htmlPart(message, text),
    messageId: `<${message.key}@${domain}>`,
    references: thread,
    inReplyTo: thread,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Sickbay-Priority': message.priority },
  };
}

function textPart({ title, facts, links }: Message, text: string): string {
  const table = facts.map(([name, value]) => `${name}: ${value}`);
  const addresses = links.map(({ label, url }) => `${label}: ${url}`);
  return [title, '', text, '', ...table, '', ...addresses].join('\n');
}

function htmlPart({ title, facts, links }: Message, text: string): string {
  const rows = facts.map(([name, value]) => `<tr><th align="left">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`);
  const anchors = links.map(({ label, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`);
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<h3>${escapeHtml(title)}</h3>`,
    `<div style="white-space:pre-wrap">${escapeHtml(text)}</div>`,
    `<table cellpadding="4">${rows.join('')}</table>`,
    ...anchors,
    '</body></html>',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The text as HTML shows it, in elements and in quoted attributes. */
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
