import { describe, expect, test } from 'vitest';
import { fakeClient, refusal } from '../../../testkit/fake-client.ts';
import { DEFAULT_NOTIFICATIONS, type ChannelSettings, type CredentialPlace } from '../../notification-settings.ts';
import { having } from '../testing/having.ts';
import { credentialFile } from '../testing/send-once.ts';
import { missingCredentials } from './missing-credentials.ts';
import { readCredential } from './read-credential.ts';

const inSecret = (key: string): CredentialPlace => ({ kind: 'secret', name: 'slack', key });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Reads a credential where the Secret has this data, or where the server refuses. */
const read = (place: CredentialPlace, data?: Readonly<Record<string, string>>, no = refusal(404, 'NotFound')) => {
  const { client, calls } = fakeClient(() => {
    if (data === undefined) throw no;
    return { data };
  });
  return readCredential(place, { client, namespace: 'sickbay-system' }).then((credential) => ({ credential, calls }));
};

describe('a credential', () => {
  test('is the entry of a Secret in our own namespace, without the line break at its end', async () => {
    const { credential, calls } = await read(inSecret('token'), { token: base64('xoxb-1\n') });
    expect(credential).toEqual({ kind: 'value', value: 'xoxb-1' });
    expect(calls[0]?.target).toBe('secrets sickbay-system/slack');
  });

  test.each<[string, ReturnType<typeof read>, string]>([
    ['a Secret that does not exist', read(inSecret('token')), 'Secret sickbay-system/slack does not exist: create it with the entry token'],
    ['a Secret that may not be read', read(inSecret('token'), undefined, refusal(403, 'Forbidden')), "let Sickbay's account get it"],
    ['an entry that is missing', read(inSecret('token'), { other: '' }), 'Secret sickbay-system/slack has no entry token'],
    ['a name of the language', read(inSecret('constructor'), {}), 'has no entry constructor'],
    ['an empty entry', read(inSecret('token'), { token: base64(' \n') }), 'the entry token of Secret slack is empty'],
    ['several lines', read(inSecret('token'), { token: base64('secret-a\nsecret-b') }), 'is more than one line of text'],
    ['a file that is missing', read({ kind: 'file', path: '/nowhere' }), '/nowhere'],
  ])('%s is reported by its place', async (_, reading, reason) => {
    const { credential } = await reading;
    expect(credential).toMatchObject({ kind: 'missing', reason: having(reason) });
    expect(JSON.stringify(credential)).not.toContain('secret-');
  });
});

test('every channel whose credential cannot be read is named', async () => {
  const gone = { kind: 'file', path: '/nowhere' } as const;
  const common = { timeoutMs: 1_000 };
  const channels: readonly ChannelSettings[] = [
    { ...common, kind: 'slack', name: 'slack:a', access: { kind: 'webhook', url: gone } },
    {
      ...common,
      kind: 'slack',
      name: 'slack:b',
      access: { kind: 'bot', token: credentialFile('there'), channel: '#a', apiUrl: 'https://slack.com/api' },
    },
    { ...common, kind: 'teams', name: 'teams:a', url: gone },
    { ...common, kind: 'pagerduty', name: 'pagerduty:a', routingKey: gone, url: 'https://events.example.com' },
    { ...common, kind: 'webhook', name: 'webhook:a', url: 'https://a.example.com', secret: gone },
    { ...common, kind: 'webhook', name: 'webhook:b', url: 'https://b.example.com' },
    { ...common, kind: 'file', name: 'file:a', path: '/a' },
  ];
  const { client } = fakeClient();
  const settings = { ...DEFAULT_NOTIFICATIONS, receivers: [...DEFAULT_NOTIFICATIONS.receivers, { name: 'a', channels }] };
  const problems = await missingCredentials(settings, { client, namespace: 'sickbay-system' });
  expect(problems.map((problem) => problem.slice(0, problem.indexOf(': ')))).toEqual(['slack:a', 'teams:a', 'pagerduty:a', 'webhook:a']);
});
