import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../base/index.ts';
import type { FileChannelSettings } from '../../notification-settings.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import { cleanAll } from '../message/message.ts';
import type { Outgoing } from './outgoing.ts';
import type { AttemptDeps } from './send-deps.ts';

/** Only Sickbay's own user reads them: they quote logs. */
const MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Writes the message into a file of its own, whole or not at all. Its name follows from the notification: written twice, it is there once. */
export async function sendFile(
  { path }: FileChannelSettings,
  { message, notification }: Outgoing,
  { turns, signal }: Pick<AttemptDeps, 'turns' | 'signal'>,
): Promise<SendOutcome> {
  const time = message.createdAt.replaceAll(/[^0-9TZ]/g, '');
  const target = join(path, `notification-${message.name}-${time}.json`);
  const spec = { type: notification.spec.type, context: cleanAll(notification.spec.context ?? {}) };
  const text = `${JSON.stringify({ ...message, spec }, undefined, 2)}\n`;
  try {
    await turns.take(path, () => writeWhole({ path, target, draft: `${target}.${message.key}.tmp`, text }), signal);
    return { kind: 'delivered' };
  } catch (error) {
    return { kind: 'failed', reason: `writing the notification: ${messageOf(error)}` };
  }
}

interface WholeFile {
  readonly path: string;
  readonly draft: string;
  readonly target: string;
  readonly text: string;
}

async function writeWhole({ path, draft, target, text }: WholeFile): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await writeDurably(draft, text);
  await rename(draft, target);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
