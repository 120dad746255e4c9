import { SECOND, MINUTE } from '../../base/index.ts';
import type { ChannelKind, ChannelSettings, CredentialPlace, SlackChannelSettings } from '../../controllers/notification-settings.ts';
import {
  choiceField,
  durationField,
  flagField,
  listField,
  optionalField,
  requiredField,
  sectionField,
  textField,
  type FieldPlace,
  type FieldReader,
} from '../field-reader.ts';

/** A channel as a receiver has it, before it gets its name. */
type Unnamed<T> = T extends ChannelSettings ? Omit<T, 'name'> : never;

/** A channel without its name; 'off' where the file switches it off. */
export type ReadChannel = Unnamed<ChannelSettings> | 'off';

const DEFAULT_TIMEOUT_MS = 10 * SECOND;
const SLACK_API = 'https://slack.com/api';
const PAGERDUTY_EVENTS = 'https://events.pagerduty.com/v2/enqueue';

/** Without user or password: those belong into a file or Secret that only we may read. */
export const address = textField(/^https?:\/\/[^\s@?#/]+(\/[^\s@#]*)?$/, 'an address such as https://example.com/hook, without a user');

const filePath = textField(/^\/[^\p{Cc}]{1,4095}$/u, 'a full path');
const entryName = textField(/^[-._a-zA-Z0-9]{1,253}$/, 'the name of an entry of a Secret');
const secretName = textField(/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/, 'the name of a Secret: lower-case letters, digits, dashes and dots');

const secretRef = sectionField({ name: requiredField(secretName), key: requiredField(entryName) });
const credentialFields = sectionField({ secretRef: optionalField(secretRef), file: optionalField(filePath) });

/** Never the credential itself: the file is often kept in Git. */
export const credential: FieldReader<CredentialPlace> = (raw, place) => {
  if (typeof raw === 'string')
    return place.refuse('holds a text: wants secretRef or file, which say where the credential is, and never the credential itself');
  const read = credentialFields(raw, place);
  if (read === undefined) return undefined;
  if ((read.secretRef === undefined) === (read.file === undefined))
    return place.refuse('wants either secretRef with name and key, or file');
  if (read.file !== undefined) return { kind: 'file', path: read.file };
  const { name, key } = read.secretRef ?? {};
  return name === undefined || key === undefined ? undefined : { kind: 'secret', name, key };
};

const common = {
  enabled: optionalField(flagField),
  timeout: optionalField(durationField(SECOND, MINUTE, 'a duration from 1s to 1m')),
};

type Common = { readonly enabled?: boolean; readonly timeout?: number };

const timeoutOf = ({ timeout }: Common): number => timeout ?? DEFAULT_TIMEOUT_MS;

/** Makes a channel of what was read; nothing is made of a section with a problem. */
function channel<Read extends Common>(
  section: FieldReader<Read>,
  make: (read: Read, place: FieldPlace) => ReadChannel | undefined,
): FieldReader<ReadChannel> {
  return (raw, place) => {
    const before = place.problems.length;
    // `logConfigs: [{}]` is often written `- `.
    const read = section(raw ?? {}, place);
    if (read === undefined || place.problems.length > before) return undefined;
    return read.enabled === false ? 'off' : make(read, place);
  };
}

const slackChannel = textField(
  /^([CGD][A-Z0-9]{5,}|#[^\s#@]{1,79})$/u,
  'the id of a channel such as C0123456789, or its name such as #oncall',
);

const slackFields = sectionField({
  ...common,
  webhookUrl: optionalField(credential),
  botToken: optionalField(credential),
  channel: optionalField(slackChannel),
  apiUrl: optionalField(address),
});

const slack = channel(slackFields, (read, place) => {
  const access = slackAccess(read, place);
  return access && { kind: 'slack', timeoutMs: timeoutOf(read), access };
});

function slackAccess(
  { webhookUrl, botToken, channel: to, apiUrl = SLACK_API }: NonNullable<ReturnType<typeof slackFields>>,
  place: FieldPlace,
): SlackChannelSettings['access'] | undefined {
  if ((webhookUrl === undefined) === (botToken === undefined)) return place.refuse('wants either webhookUrl, or botToken with channel');
  if (webhookUrl) return to === undefined ? { kind: 'webhook', url: webhookUrl } : place.refuse('has a channel, but a webhook has its own');
  if (to === undefined || botToken === undefined) return place.refuse('has no channel, which botToken needs');
  return { kind: 'bot', token: botToken, channel: to, apiUrl: apiUrl.replace(/\/$/, '') };
}

const pagerdutyFields = sectionField({
  ...common,
  routingKey: requiredField(credential),
  url: optionalField(address),
  severity: optionalField(choiceField(['critical', 'error', 'warning', 'info'] as const)),
});

const mailAddress = textField(/^[^\s@<>(),;:"\\]{1,64}@[^\s@<>(),;:"\\]{1,253}$/u, 'an address such as oncall@example.com');

const emailFields = sectionField({
  ...common,
  from: requiredField(mailAddress),
  to: requiredField(listField(mailAddress, 1)),
  smarthost: requiredField(textField(/^([^\s:/@]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/, 'host:port, such as mail.example.com:587')),
  username: optionalField(textField(/^[^\p{Cc}]{1,253}$/u, 'one line')),
  password: optionalField(credential),
  requireTls: optionalField(flagField),
});

const email = channel(emailFields, (read, place) => {
  const { from = '', to = [], smarthost = '', username, password, requireTls = true } = read;
  if ((username === undefined) !== (password === undefined)) return place.refuse('wants username and password together, or neither');
  const login = username !== undefined && password !== undefined ? { username, password } : {};
  return { kind: 'email', timeoutMs: timeoutOf(read), from, to, smarthost, requireTls, ...login };
});

const webhookFields = sectionField({ ...common, url: requiredField(address), secret: optionalField(credential) });
const teamsFields = sectionField({ ...common, webhookUrl: requiredField(credential) });
const fileFields = sectionField({ ...common, path: requiredField(filePath) });

/** What a receiver may have, by the key of the config file. */
export const CHANNEL_FIELDS: Readonly<Record<`${ChannelKind}Configs`, FieldReader<ReadChannel>>> = {
  logConfigs: channel(sectionField(common), (read) => ({ kind: 'log', timeoutMs: timeoutOf(read) })),
  fileConfigs: channel(fileFields, (read) => ({ kind: 'file', timeoutMs: timeoutOf(read), path: read.path ?? '' })),
  webhookConfigs: channel(webhookFields, (read) => ({
    kind: 'webhook',
    timeoutMs: timeoutOf(read),
    url: read.url ?? '',
    ...(read.secret && { secret: read.secret }),
  })),
  slackConfigs: slack,
  teamsConfigs: channel(teamsFields, (read) => read.webhookUrl && { kind: 'teams', timeoutMs: timeoutOf(read), url: read.webhookUrl }),
  pagerdutyConfigs: channel(
    pagerdutyFields,
    (read) =>
      read.routingKey && {
        kind: 'pagerduty',
        timeoutMs: timeoutOf(read),
        routingKey: read.routingKey,
        url: read.url ?? PAGERDUTY_EVENTS,
        ...(read.severity && { severity: read.severity }),
      },
  ),
  emailConfigs: email,
};
