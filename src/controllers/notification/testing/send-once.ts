import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silent } from '../../../base/index.ts';
import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { fakeClient } from '../../../testkit/fake-client.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import type { ChannelSettings, CredentialPlace } from '../../notification-settings.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import { messageOf } from '../message/message.ts';
import { sendToChannel } from '../send/send-to-channel.ts';
import { Turns } from '../send/turns.ts';
import { aNotification, NOW } from './a-notification.ts';

export interface SendOptions {
  readonly notification?: NotificationRequest;
  readonly thread?: string;
  readonly clock?: ManualClock;
  readonly consoleUrl?: string;
  readonly turns?: Turns;
  readonly signal?: AbortSignal;
}

/** Makes one attempt to send a notification through a channel, with real connections and a clock that stands. */
export function sendOnce(channel: ChannelSettings, options: SendOptions = {}): Promise<SendOutcome> {
  const { notification = aNotification(), clock = new ManualClock(NOW), thread, consoleUrl = 'https://sickbay.example.com' } = options;
  const outgoing = { notification, message: messageOf(notification, { consoleUrl }), ...(thread !== undefined && { thread }) };
  const { client } = fakeClient();
  const { turns = new Turns(), signal = new AbortController().signal } = options;
  return sendToChannel(channel, outgoing, {
    client,
    log: silent,
    clock,
    steady: clock,
    timeoutMs: channel.timeoutMs,
    signal,
    turns,
  });
}

/** A file with a credential. */
export function credentialFile(text: string): CredentialPlace & { readonly kind: 'file' } {
  const path = join(mkdtempSync(join(tmpdir(), 'sickbay-')), 'credential');
  writeFileSync(path, text);
  return { kind: 'file', path };
}

/** A notification that asks for an approval, with everything that one may hold. */
export const anApproval = (more: Partial<NotificationRequest['spec']> = {}): NotificationRequest => {
  const { spec, ...rest } = aNotification();
  return {
    ...rest,
    spec: {
      ...spec,
      type: 'Approval',
      priority: 'Critical',
      severity: 'critical',
      subject: 'Approval needed: KubePodCrashLooping on Deployment shop/checkout',
      body: 'waits for approval\nApprove: sickbay approve rr-1 -n sickbay-system',
      remediationRequestRef: { name: 'rr-1', uid: 'uid-rr' },
      context: {
        target: { targetResource: 'shop/Deployment/checkout' },
        workflow: { selectedWorkflow: 'rollback-deployment:0.1.0', confidence: '0.90' },
      },
      ...more,
    },
  };
};

/** The notification that ends it well. */
export const aGoodEnd = (): NotificationRequest =>
  anApproval({
    type: 'Completion',
    priority: 'Low',
    subject: 'Remediated: KubePodCrashLooping',
    context: { analysis: { outcome: 'Remediated' } },
  });

/** Text that tries to be more than text in every form that a channel has. */
export const HOSTILE = '<!channel> <@U123> <b>bold</b> *x* _y_ [z](http://evil.example) & "q" \u202egnp.exe\u0007';

/** What a text must not have when it arrives: control characters, and characters that turn text around. */
export const UNSEEN = /[^\P{C}\n]/u;
