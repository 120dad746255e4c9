import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { having } from '../testing/having.ts';
import { anApproval, sendOnce } from '../testing/send-once.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'sickbay-'));
const channel = (path: string) => ({ kind: 'file', name: 'file:archive', timeoutMs: 10_000, path }) as const;

test('a notification is one file, readable by Sickbay alone, however often it is sent', async () => {
  const path = join(folder(), 'new', 'notifications');
  for (let i = 0; i < 2; i++) expect(await sendOnce(channel(path), { notification: anApproval() })).toEqual({ kind: 'delivered' });
  expect(readdirSync(path)).toEqual(['notification-nr-completion-rr-1-20261115T030000Z.json']);
  const [name = ''] = readdirSync(path);
  expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(path, name), 'utf8'))).toMatchObject({
    name: 'nr-completion-rr-1',
    type: 'Approval',
    title: 'Approval needed: KubePodCrashLooping on Deployment shop/checkout',
    links: [{ url: 'https://sickbay.example.com/remediations/rr-1' }],
  });
});

test('what looks like a credential is in no field of the file', async () => {
  const path = folder();
  const hostile = 'password=hunter22';
  const context = { analysis: { rootCause: hostile }, target: { targetResource: `a ${hostile}` } };
  await sendOnce(channel(path), { notification: anApproval({ subject: hostile, body: hostile, context }) });
  const [name = ''] = readdirSync(path);
  const text = readFileSync(join(path, name), 'utf8');
  expect(text).toContain('********');
  expect(text).not.toContain('hunter22');
});

test('a folder that cannot be is retried, and named', async () => {
  const path = join(folder(), 'file');
  writeFileSync(path, '');
  expect(await sendOnce(channel(join(path, 'below')))).toMatchObject({ kind: 'failed', reason: having(path) });
});
