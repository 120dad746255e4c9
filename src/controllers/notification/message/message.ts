import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { clip, isObject, printable } from '../../../base/index.ts';
import type { NotificationSettings } from '../../notification-settings.ts';
import { redactCredentials } from './redact-credentials.ts';

/** A notification as every channel sends it. All text is redacted and printable; each channel escapes it for its own form and cuts it to its own limit. */
export interface Message {
  /** The same for every attempt: providers that take a key show the message once. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly type: NotificationRequest['spec']['type'];
  readonly priority: NonNullable<NotificationRequest['spec']['priority']>;
  /** The same for all messages of a remediation. */
  readonly incident: string;
  readonly remediation?: string;
  /** Whether it reports that what was broken works again. */
  readonly isResolved: boolean;
  readonly title: string;
  readonly text: string;
  /** Names and values, for a table. */
  readonly facts: readonly Fact[];
  readonly links: readonly MessageLink[];
  readonly createdAt: string;
  /** The command that shows the whole message. */
  readonly whole: string;
}

export type Fact = readonly [name: string, value: string];

export interface MessageLink {
  readonly label: string;
  readonly url: string;
}

/** The outcomes after which no person has to do anything. */
const RESOLVED: readonly (string | undefined)[] = ['Remediated', 'NoActionRequired'];

/** Makes a message of a notification. */
export function messageOf({ metadata, spec }: NotificationRequest, { consoleUrl }: Pick<NotificationSettings, 'consoleUrl'>): Message {
  const { uid: key, name, namespace = '', creationTimestamp: createdAt } = metadata;
  const { type, priority, remediationRequestRef: ref = {} } = spec;
  return {
    key,
    name,
    namespace,
    type,
    priority,
    incident: ref.uid ?? ref.name ?? key,
    ...(ref.name !== undefined && { remediation: ref.name }),
    isResolved: isResolved(spec),
    title: clean(spec.subject).replaceAll(/\s+/g, ' '),
    text: clean(spec.body),
    facts: factsOf(spec),
    links: linksOf(spec, consoleUrl),
    createdAt,
    whole: `kubectl get notif ${name} -n ${namespace} -o yaml`,
  };
}

/** The types that report a state. One that asks people for something is never resolved, whatever the outcome. */
const REPORTS: readonly Message['type'][] = ['Completion', 'StatusUpdate', 'Simple'];

/** Whether the notification reports that what was broken works again. */
export const isResolved = ({ type, context }: NotificationRequest['spec']): boolean =>
  REPORTS.includes(type) && RESOLVED.includes(context?.analysis?.outcome);

/** The same values, with all text in them redacted and printable. */
export function cleanAll(value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map(cleanAll);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanAll(each)])) : value;
}

const clean = (text: string): string => printable(redactCredentials(text.replaceAll('\r\n', '\n')));

function factsOf({ priority, severity, clusterID, context = {} }: NotificationRequest['spec']): readonly Fact[] {
  const { target, workflow, verification } = context;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Target', target?.targetResource],
    ['Severity', severity],
    ['Priority', priority],
    ['Cluster', clusterID],
    ['Workflow', workflow?.selectedWorkflow ?? workflow?.workflowId],
    ['Confidence', workflow?.confidence],
    ['Verified', verification?.summary],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, clean(value)] as const]));
}

/** An address that is no longer than one, and no script. */
const LINK = /^https?:\/\/[^\s<>"\p{Cc}\p{Cf}]{1,500}$/u;
const LONGEST_LABEL = 80;

/** The page of the remediation in the console, then what the notification itself links to. */
function linksOf(
  { remediationRequestRef: ref, actionLinks = [], type }: NotificationRequest['spec'],
  consoleUrl?: string,
): readonly MessageLink[] {
  const page = consoleUrl === undefined || ref?.name === undefined ? [] : [`${consoleUrl}/remediations/${encodeURIComponent(ref.name)}`];
  const label = type === 'Approval' ? 'Decide in the console' : 'Open in the console';
  const others = actionLinks.filter(({ url }) => LINK.test(url));
  return [
    ...page.map((url) => ({ label, url })),
    ...others.map(({ label: text, url }) => ({ label: clip(clean(text), LONGEST_LABEL), url })),
  ];
}
