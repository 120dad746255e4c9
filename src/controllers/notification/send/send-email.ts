import { createTransport } from 'nodemailer';
import { clip, isObject, messageOf, printable } from '../../../base/index.ts';
import { certificateFault } from '../../../monitoring/index.ts';
import type { EmailChannelSettings } from '../../notification-settings.ts';
import { emailOf, type Mail } from '../channels/email.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { Outgoing } from './outgoing.ts';
import { readCredential, type Credential } from './read-credential.ts';
import { inTime, type SendDeps } from './send-deps.ts';

/** The port where mail servers speak TLS from the first byte. */
const TLS_PORT = 465;

export async function sendEmail(channel: EmailChannelSettings, { message }: Outgoing, deps: SendDeps): Promise<SendOutcome> {
  const { password } = channel;
  const credential = password && (await readCredential(password, { ...deps, namespace: message.namespace }));
  if (credential?.kind === 'missing') return { kind: 'failed', reason: credential.reason };
  return submit(channel, emailOf(channel, message), { credential, deps });
}

interface Submission {
  readonly credential: Extract<Credential, { readonly kind: 'value' }> | undefined;
  readonly deps: SendDeps;
}

async function submit(channel: EmailChannelSettings, mail: Mail, { credential, deps }: Submission): Promise<SendOutcome> {
  const { timeoutMs } = deps;
  const [host, port] = hostAndPort(channel.smarthost);
  const transport = createTransport({
    host,
    port,
    secure: port === TLS_PORT,
    requireTLS: channel.requireTls && port !== TLS_PORT,
    ...(credential && { auth: { user: channel.username ?? '', pass: credential.value } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // The content comes from the cluster: no file and no address in it is ever read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    return await inTime(deps, channel.smarthost, async () => {
      await transport.sendMail({ ...mail, to: [...mail.to] });
      return { kind: 'delivered' } as const;
    });
  } catch (error) {
    if (deps.signal.aborted) throw error;
    return readMailError(channel.smarthost, error);
  } finally {
    transport.close();
  }
}

/** `[::1]:25` and `mail.example.com:587`. */
function hostAndPort(smarthost: string): readonly [host: string, port: number] {
  const at = smarthost.lastIndexOf(':');
  return [smarthost.slice(0, at).replace(/^\[|\]$/g, ''), Number(smarthost.slice(at + 1))];
}

/** Replies from 500 on are final (RFC 5321), and so is a server without the TLS that is required. */
function readMailError(smarthost: string, error: unknown): SendOutcome {
  const { responseCode, code } = (isObject(error) ? error : {}) as { readonly responseCode?: unknown; readonly code?: unknown };
  const advice = certificateFault(error, 'the file that NODE_EXTRA_CA_CERTS names');
  const reason = `sending to ${smarthost}: ${clip(printable(messageOf(error)), 200)}${advice === undefined ? '' : `: ${advice}`}`;
  const isFinal = typeof responseCode === 'number' ? responseCode >= 500 : advice !== undefined || code === 'ETLS' || code === 'EENVELOPE';
  return isFinal ? { kind: 'refused', reason } : { kind: 'failed', reason };
}
