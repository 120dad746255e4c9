import { describe, expect, test } from 'vitest';
import { SECOND, turn } from '../../../base/index.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import type { EmailChannelSettings } from '../../notification-settings.ts';
import { messageOf } from '../message/message.ts';
import { having } from '../testing/having.ts';
import { MailServer, type MailReply } from '../testing/mail-server.ts';
import { aGoodEnd, anApproval, credentialFile, HOSTILE, sendOnce, UNSEEN } from '../testing/send-once.ts';
import { emailOf } from './email.ts';

const channel = (smarthost: string, more: Partial<EmailChannelSettings> = {}): EmailChannelSettings => ({
  kind: 'email',
  name: 'email:oncall',
  timeoutMs: 10_000,
  from: 'sickbay@example.com',
  to: ['oncall@example.com', 'team@example.com'],
  smarthost,
  requireTls: false,
  ...more,
});

const answering =
  (command: string, said: string): MailReply =>
  (got) =>
    got === command ? said : undefined;

describe('e-mail', () => {
  test('is submitted to the mail server with text, HTML and the headers of a thread', async () => {
    await using mail = await MailServer.start();
    expect(await sendOnce(channel(mail.smarthost), { notification: anApproval() })).toEqual({ kind: 'delivered' });
    const [got] = mail.received;
    expect(got).toMatchObject({ from: 'sickbay@example.com', to: ['oncall@example.com', 'team@example.com'] });
    expect(got?.data).toContain('Subject: Approval needed: KubePodCrashLooping on Deployment');
    expect(got?.data).toContain('Message-ID: <uid-nr@example.com>');
    expect(got?.data).toContain('References: <incident.uid-rr@example.com>');
    expect(got?.data).toContain('Auto-Submitted: auto-generated');
    expect(got?.data).toContain('text/plain');
    expect(got?.data).toContain('text/html');
  });

  test('logs in with the password of the file', async () => {
    await using mail = await MailServer.start();
    const login = { username: 'sickbay', password: credentialFile('pass-1\n') };
    expect(await sendOnce(channel(mail.smarthost, login))).toEqual({ kind: 'delivered' });
    expect(mail.received[0]?.login).toBe('\u0000sickbay\u0000pass-1');
  });

  test.each<[string, MailReply, object]>([
    [
      'a recipient that is unknown is final',
      answering('RCPT', '550 5.1.1 no such user'),
      { kind: 'refused', reason: having('550 5.1.1 no such user') },
    ],
    ['a mail that is too large is final', answering('DOT', '552 too large'), { kind: 'refused' }],
    ['a server that is busy is tried again', answering('MAIL', '451 try later'), { kind: 'failed', reason: having('451 try later') }],
    ['a greylisted mail is tried again', answering('RCPT', '450 greylisted'), { kind: 'failed' }],
    ['what is no mail server is tried again', answering('CONNECT', 'HTTP/1.1 400 Bad Request'), { kind: 'failed' }],
  ])('%s', async (_, reply, want) => {
    await using mail = await MailServer.start(reply);
    expect(await sendOnce(channel(mail.smarthost))).toMatchObject(want);
    expect(await sendOnce(channel(mail.smarthost))).not.toMatchObject({ kind: 'delivered' });
  });

  test('a login that is refused is tried again, since a password may be being rotated, and the password is in no message', async () => {
    await using mail = await MailServer.start(answering('AUTH', '535 5.7.8 authentication failed'));
    const outcome = await sendOnce(channel(mail.smarthost, { username: 'sickbay', password: credentialFile('pass-1') }));
    expect(outcome).toMatchObject({ kind: 'failed', reason: having('535 5.7.8') });
    expect(JSON.stringify(outcome)).not.toContain('pass-1');
  });

  test('where TLS is required, a server without it gets nothing', async () => {
    await using mail = await MailServer.start(answering('STAR', '502 what?'));
    const outcome = await sendOnce(channel(mail.smarthost, { requireTls: true, username: 'sickbay', password: credentialFile('pass-1') }));
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(mail.received).toEqual([]);
  });

  test('without an answer in time it may have arrived', async () => {
    await using mail = await MailServer.start(answering('DOT', 'nothing'));
    const clock = new ManualClock();
    const sending = sendOnce(channel(mail.smarthost), { clock });
    while (mail.received.length === 0) await turn();
    await clock.advance(10 * SECOND);
    expect(await sending).toMatchObject({ kind: 'timeout' });
  });

  test.each<[string, string, object]>([
    ['that never will be is no delivery', '550 no such user', { kind: 'refused', reason: having('but not for team@example.com: ') }],
    ['that may be later is tried again', '450 greylisted', { kind: 'failed', mayHaveArrived: true }],
  ])('a mail that is accepted for one recipient, and not for another %s', async (_, said, want) => {
    let recipients = 0;
    await using mail = await MailServer.start((command) => (command === 'RCPT' && ++recipients === 2 ? said : undefined));
    expect(await sendOnce(channel(mail.smarthost))).toMatchObject(want);
    expect(mail.received).toHaveLength(1);
  });

  test('after the limit of time nothing goes on: the connection is closed', async () => {
    let isAsked = false;
    await using mail = await MailServer.start((command) => {
      isAsked ||= command === 'MAIL';
      return command === 'MAIL' ? 'nothing' : undefined;
    });
    const clock = new ManualClock();
    const sending = sendOnce(channel(mail.smarthost), { clock });
    while (!isAsked) await turn();
    await clock.advance(10 * SECOND);
    expect(await sending).toMatchObject({ kind: 'timeout' });
    while (mail.connections > 0) await turn();
    expect(mail.received).toEqual([]);
  });

  test('a server that repeats the password does not get it into the reason', async () => {
    const repeated = Buffer.from('\u0000sickbay\u0000pass-1').toString('base64');
    await using mail = await MailServer.start(answering('AUTH', `535 no: pass-1 ${repeated}`));
    const outcome = await sendOnce(channel(mail.smarthost, { username: 'sickbay', password: credentialFile('pass-1') }));
    expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`pass-1|${repeated}`));
  });

  test('text from the cluster is text in HTML, and a subject has one line', () => {
    const notification = anApproval({ subject: `a\r\nBcc: x@example.com ${HOSTILE}`, body: HOSTILE });
    const { html, subject } = emailOf(channel('mail:25'), messageOf(notification, {}));
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;');
    expect(html).not.toMatch(/<b>|<!channel>/);
    expect(html).not.toMatch(UNSEEN);
    expect(subject).not.toMatch(/[\r\n]/);
  });

  test('mails of one remediation refer to the same thread', () => {
    const to = channel('mail:25');
    expect(emailOf(to, messageOf(aGoodEnd(), {})).references).toBe(emailOf(to, messageOf(anApproval(), {})).references);
  });
});
