import { createTransport } from 'nodemailer';
import { clip, isObject, messageOf, printable } from '../../../base/index.ts';
import { certificateFault } from '../../../monitoring/index.ts';
import type { EmailChannelSettings } from '../../notification-settings.ts';
import { emailOf, type Mail } from '../channels/email.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { Outgoing } from './outgoing.ts';
import { readCredential, type Credential } from './read-credential.ts';
import { hideAll } from './hide-credential.ts';
import type { AttemptDeps } from './send-deps.ts';

/** The port where mail servers speak TLS from the first byte. */
const TLS_PORT = 465;

export async function sendEmail(channel: EmailChannelSettings, { message }: Outgoing, deps: AttemptDeps): Promise<SendOutcome> {
  const { password } = channel;
  const credential = password && (await readCredential(password, { ...deps, namespace: message.namespace }));
  if (credential?.kind === 'missing') return { kind: 'failed', reason: credential.reason };
  return submit(channel, emailOf(channel, message), { credential, deps });
}

interface Submission {
  readonly credential: Extract<Credential, { readonly kind: 'value' }> | undefined;
  readonly deps: AttemptDeps;
}

async function submit(channel: EmailChannelSettings, mail: Mail, { credential, deps }: Submission): Promise<SendOutcome> {
  const progress = { hasBegun: false };
  const begun = (): void => {
    progress.hasBegun = true;
    deps.begun(channel.smarthost);
  };
  const transport = createTransport(transportOptions(channel, { credential, deps: { ...deps, begun } }));
  const hide = (text: string): string => hideAll(text, passwordForms(channel, credential?.value));
  try {
    // The signal closes the connection: after the limit of time nothing is sent any more.
    const info = await transport.sendMail({ ...mail, to: [...mail.to], signal: deps.signal });
    return readRecipients(channel.smarthost, info, hide);
  } catch (error) {
    if (deps.signal.aborted) throw error;
    return readMailError(channel.smarthost, error, { ...progress, hide });
  } finally {
    transport.close();
  }
}

function transportOptions(channel: EmailChannelSettings, { credential, deps: { timeoutMs, begun } }: Submission) {
  const [host, port] = hostAndPort(channel.smarthost);
  return {
    host,
    port,
    secure: port === TLS_PORT,
    requireTLS: channel.requireTls && port !== TLS_PORT,
    ...(credential && { auth: { user: channel.username ?? '', pass: credential.value } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    logger: tellWhenSending(() => begun(channel.smarthost)),
    // The content comes from the cluster: no file and no address in it is ever read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The library reports to its logger that it is connected, logged in and hands the mail over. */
const tellWhenSending = (begun: () => void) => ({
  info: (entry: unknown): void => {
    if (isObject(entry) && entry.tnx === 'send') begun();
  },
});

/** The password in the forms in which a server may repeat it. */
function passwordForms({ username = '' }: EmailChannelSettings, password: string | undefined): readonly string[] {
  if (password === undefined) return [];
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return [password, base64(password), base64(`\u0000${username}\u0000${password}`)];
}

/**
 * A server may accept a mail for some of its recipients. Where the others may be accepted later, it is sent again, to all of them: a mail twice is
 * better than none, and mail programs know its Message-ID.
 */
function readRecipients(smarthost: string, { rejected, rejectedErrors = [] }: Recipients, hide: (text: string) => string): SendOutcome {
  if (rejected.length === 0) return { kind: 'delivered' };
  const names = rejected.join(', ');
  const said = hide(clip(printable(rejectedErrors.map(({ message }) => message).join('; ')), 200));
  const reason = `${smarthost} accepted the mail, but not for ${names}: ${said}`;
  const isFinal = rejectedErrors.every(({ responseCode = 0 }) => responseCode >= 500);
  return isFinal ? { kind: 'refused', reason } : { kind: 'failed', reason, mayHaveArrived: true };
}

interface Recipients {
  readonly rejected: readonly string[];
  readonly rejectedErrors?: readonly { readonly message: string; readonly responseCode?: number | undefined }[] | undefined;
}

/** `[::1]:25` and `mail.example.com:587`. */
function hostAndPort(smarthost: string): readonly [host: string, port: number] {
  const at = smarthost.lastIndexOf(':');
  return [smarthost.slice(0, at).replace(/^\[|\]$/g, ''), Number(smarthost.slice(at + 1))];
}

interface MailProgress {
  readonly hasBegun: boolean;
  readonly hide: (text: string) => string;
}

/**
 * Replies from 500 on are final (RFC 5321), and so is a server without the TLS that is required. A login that is refused and a certificate that is not
 * trusted are not: what is being rotated is not accepted for a minute.
 */
function readMailError(smarthost: string, error: unknown, { hasBegun, hide }: MailProgress): SendOutcome {
  const { responseCode, code } = (isObject(error) ? error : {}) as { readonly responseCode?: unknown; readonly code?: unknown };
  const advice = certificateFault(error, 'the file that NODE_EXTRA_CA_CERTS names');
  const said = hide(clip(printable(messageOf(error)), 200));
  const reason = `sending to ${smarthost}: ${said}${advice === undefined ? '' : `: ${advice}`}`;
  const isAnswered = typeof responseCode === 'number';
  const isFinal = isAnswered ? responseCode >= 500 && code !== 'EAUTH' : code === 'ETLS' || code === 'EENVELOPE';
  if (isFinal) return { kind: 'refused', reason };
  return { kind: 'failed', reason, ...(hasBegun && !isAnswered && { mayHaveArrived: true }) };
}
