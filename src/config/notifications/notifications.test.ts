import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silent, turn, type Fields } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { DEFAULT_NOTIFICATIONS, type NotificationSettings } from '../../controllers/notification-settings.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { changesBetween } from '../changes.ts';
import { openConfig } from '../open-config.ts';
import { parseConfig } from '../parse-config.ts';

const GOOD = `
notifications:
  consoleUrl: https://sickbay.example.com/
  route:
    receiver: log
    groupBy: [namespace]
    groupWait: 30s
    routes:
      - match: { type: Approval, production: true }
        match_re: { namespace: "shop|pay-.*" }
        receiver: oncall
        continue: true
        routes:
          - match: { priority: Critical }
            groupWait: 0s
  receivers:
    - name: log
      logConfigs: [{}]
    - name: oncall
      slackConfigs:
        - botToken: { secretRef: { name: slack, key: token } }
          channel: "#oncall"
        - webhookUrl: { file: /etc/sickbay/slack-url }
          enabled: false
        - webhookUrl: { file: /etc/sickbay/slack-url }
      pagerdutyConfigs: [{ routingKey: { file: /etc/sickbay/pd }, timeout: 5s }]
      emailConfigs: [{ from: a@example.com, to: [b@example.com], smarthost: "mail:587" }]
      teamsConfigs: [{ webhookUrl: { secretRef: { name: teams, key: url } } }]
      webhookConfigs: [{ url: "https://hooks.example.com/sickbay?a=b", secret: { file: /etc/key } }]
      fileConfigs: [{ path: /var/lib/sickbay }]
  slack:
    signingSecret: { secretRef: { name: slack, key: signing } }
    teamId: T0123456789
    users: { U0123456789: dana@example.com }
`;

const settingsOf = (text: string): NotificationSettings | undefined => {
  const parsed = parseConfig(text);
  return parsed.kind === 'valid' ? parsed.settings.notifications : undefined;
};

const problemsOf = (text: string): readonly string[] => {
  const parsed = parseConfig(text);
  return parsed.kind === 'valid' ? [] : parsed.problems.map(({ at, message }) => `${at?.line}: ${message}`);
};

describe('the section notifications', () => {
  test('without it, everything is a line of the log', () => expect(settingsOf('dryRun: true')).toEqual(DEFAULT_NOTIFICATIONS));

  test('may be empty', () => expect(settingsOf('notifications:')).toEqual(DEFAULT_NOTIFICATIONS));

  test('is read as a whole, in the spelling of Alertmanager too', () => {
    const read = settingsOf(GOOD);
    expect(read?.consoleUrl).toBe('https://sickbay.example.com');
    expect(read?.route).toMatchObject({ receiver: 'log', groupBy: ['namespace'], groupWaitMs: 30_000, continue: false });
    expect(read?.route.routes).toMatchObject([
      {
        receiver: 'oncall',
        match: { type: 'Approval', production: 'true' },
        matchRe: { namespace: 'shop|pay-.*' },
        continue: true,
        groupWaitMs: 30_000,
        routes: [{ receiver: 'oncall', groupBy: ['namespace'], groupWaitMs: 0, match: { priority: 'Critical' } }],
      },
    ]);
    expect(read?.receivers[1]?.channels).toEqual([
      {
        kind: 'slack',
        name: 'slack:oncall',
        timeoutMs: 10_000,
        access: {
          kind: 'bot',
          token: { kind: 'secret', name: 'slack', key: 'token' },
          channel: '#oncall',
          apiUrl: 'https://slack.com/api',
        },
      },
      {
        kind: 'slack',
        name: 'slack:oncall:2',
        timeoutMs: 10_000,
        access: { kind: 'webhook', url: { kind: 'file', path: '/etc/sickbay/slack-url' } },
      },
      {
        kind: 'pagerduty',
        name: 'pagerduty:oncall',
        timeoutMs: 5_000,
        routingKey: { kind: 'file', path: '/etc/sickbay/pd' },
        url: 'https://events.pagerduty.com/v2/enqueue',
      },
      {
        kind: 'email',
        name: 'email:oncall',
        timeoutMs: 10_000,
        from: 'a@example.com',
        to: ['b@example.com'],
        smarthost: 'mail:587',
        requireTls: true,
      },
      { kind: 'teams', name: 'teams:oncall', timeoutMs: 10_000, url: { kind: 'secret', name: 'teams', key: 'url' } },
      {
        kind: 'webhook',
        name: 'webhook:oncall',
        timeoutMs: 10_000,
        url: 'https://hooks.example.com/sickbay?a=b',
        secret: { kind: 'file', path: '/etc/key' },
      },
      { kind: 'file', name: 'file:oncall', timeoutMs: 10_000, path: '/var/lib/sickbay' },
    ]);
    expect(read?.slack).toEqual({
      signingSecret: { kind: 'secret', name: 'slack', key: 'signing' },
      teamId: 'T0123456789',
      users: { U0123456789: 'dana@example.com' },
    });
  });

  const receivers = 'receivers: [{ name: log, logConfigs: [{}] }]';
  const wrong: readonly [string, string, string][] = [
    [
      'an unknown receiver',
      `route: { receiver: pager }, ${receivers}`,
      'notifications.route.receiver is pager, which is no receiver: there are log',
    ],
    [
      'an unknown receiver below',
      `route: { receiver: log, routes: [{ receiver: x }] }, ${receivers}`,
      'notifications.route.routes[0].receiver is x, which is no receiver: there are log',
    ],
    [
      'a bad pattern',
      `route: { receiver: log, routes: [{ matchRe: { namespace: "a(" } }] }, ${receivers}`,
      'notifications.route.routes[0].matchRe.namespace is "a(": wants a regular expression of RE2',
    ],
    [
      'a pattern that RE2 does not know',
      `route: { receiver: log, routes: [{ matchRe: { namespace: "(?=a)" } }] }, ${receivers}`,
      'wants a regular expression of RE2',
    ],
    [
      'missing credentials',
      `receivers: [{ name: log, pagerdutyConfigs: [{}] }]`,
      'notifications.receivers[0].pagerdutyConfigs[0] has no routingKey, which is required',
    ],
    [
      'half a credential',
      `receivers: [{ name: log, teamsConfigs: [{ webhookUrl: {} }] }]`,
      'notifications.receivers[0].teamsConfigs[0].webhookUrl wants either secretRef with name and key, or file',
    ],
    [
      'the credential itself',
      `receivers: [{ name: log, slackConfigs: [{ botToken: xoxb-1, channel: "#a" }] }]`,
      'never the credential itself',
    ],
    [
      'a bot without a channel',
      `receivers: [{ name: log, slackConfigs: [{ botToken: { file: /a } }] }]`,
      'slackConfigs[0] has no channel, which botToken needs',
    ],
    [
      'no access to Slack',
      `receivers: [{ name: log, slackConfigs: [{}] }]`,
      'slackConfigs[0] wants either webhookUrl, or botToken with channel',
    ],
    [
      'a password without a user',
      `receivers: [{ name: log, emailConfigs: [{ from: a@b.c, to: [a@b.c], smarthost: "m:25", password: { file: /a } }] }]`,
      'emailConfigs[0] wants username and password together, or neither',
    ],
    [
      'no address to mail to',
      `receivers: [{ name: log, emailConfigs: [{ from: a@b.c, to: [], smarthost: "m:25" }] }]`,
      'emailConfigs[0].to is an empty list: wants at least one entry',
    ],
    [
      'a header in an address',
      `receivers: [{ name: log, emailConfigs: [{ from: "a@b.c\\r\\nBcc: x@y.z", to: [a@b.c], smarthost: "m:25" }] }]`,
      'emailConfigs[0].from is',
    ],
    [
      'a user in a URL',
      `receivers: [{ name: log, webhookConfigs: [{ url: "https://a:b@c.d" }] }]`,
      'webhookConfigs[0].url is "https://a:b@c.d": wants an address',
    ],
    [
      'a misspelt key',
      `receivers: [{ name: log, slackConfig: [{}] }]`,
      'notifications.receivers[0].slackConfig is not a key: did you mean slackConfigs?',
    ],
    [
      'a receiver twice',
      `receivers: [{ name: log }, { name: log }]`,
      'notifications.receivers[1].name is log, as receivers[0] is: wants a name of its own',
    ],
    ['a receiver without a name', `receivers: [{ logConfigs: [{}] }]`, 'notifications.receivers[0] has no name, which is required'],
    ['a root without a receiver', `route: { routes: [] }`, 'notifications.route has no receiver, which the root route needs'],
    [
      'a root with a condition',
      `route: { receiver: log, match: { a: b } }`,
      'notifications.route has match or matchRe, but the root route takes every notification',
    ],
    ['a key twice', `route: { receiver: log, receiver: log }`, 'notifications.route.receiver stands there twice'],
    ['both spellings of a key', `route: { receiver: log, group_by: [a], groupBy: [b] }`, 'notifications.route.groupBy is given twice'],
    ['a long wait', `route: { receiver: log, groupWait: 2h }`, 'notifications.route.groupWait is "2h": wants a duration from 0 to 1h'],
    [
      'an account of Kubernetes',
      `slack: { signingSecret: { file: /a }, users: { U0123456789: "system:admin" } }`,
      'notifications.slack.users.U0123456789 is an account of Kubernetes itself',
    ],
    [
      'a name that is no Slack user',
      `slack: { signingSecret: { file: /a }, users: { dana: dana } }`,
      'notifications.slack.users.dana is not the id of a Slack user',
    ],
    ['no map', '3', 'notifications is'],
  ];

  test.each(wrong)('names the field: %s', (_, section, want) => {
    const text = section === '3' ? 'notifications: 3' : `notifications: { ${section} }`;
    const problems = problemsOf(text);
    expect(problems.join('\n')).toContain(want);
    expect(problems.every((line) => line.startsWith('1: '))).toBe(true);
  });

  test('says on which line', () => {
    const text = GOOD.replace('receiver: oncall', 'receiver: onkall').replace('U0123456789: dana', 'u1: dana');
    expect(problemsOf(text)).toEqual(['34: notifications.slack.users.u1 is not the id of a Slack user, such as U0123456789']);
    expect(problemsOf(GOOD.replace('receiver: oncall', 'receiver: onkall'))).toEqual([
      '11: notifications.route.routes[0].receiver is onkall, which is no receiver: there are log, oncall',
    ]);
  });

  test('a route that is very deep, and aliases that multiply, are refused', () => {
    const deep = `${'{ receiver: log, routes: ['.repeat(30)}{ receiver: log }${'] }'.repeat(30)}`;
    expect(problemsOf(`notifications: { route: ${deep} }`).join()).toContain('is more than 20 levels deep');
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`),
    ];
    expect(problemsOf(`notifications:\n  ${bomb.join('\n  ')}`).join()).toContain('notifications cannot be read as YAML');
  });

  test('a change is told in a line', () => {
    const notifications = settingsOf(GOOD) ?? DEFAULT_NOTIFICATIONS;
    expect(changesBetween(DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS, notifications }).applied).toEqual([
      'notifications: 2 receivers (log, oncall)',
    ]);
    expect(
      changesBetween(DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS, notifications: structuredClone(DEFAULT_NOTIFICATIONS) }).applied,
    ).toEqual([]);
  });
});

describe('while it runs', () => {
  test('a good file takes over, a bad one is refused as a whole and the routing in force stays', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sickbay-')), 'sickbay.yaml');
    writeFileSync(path, 'notifications: { route: { receiver: log } }');
    const clock = new ManualClock();
    const lines: Fields[] = [];
    const log = { ...silent, error: (_: string, fields?: Fields) => void lines.push(fields ?? {}) };
    let ring: () => void = () => undefined;
    const follow = (_: string, changed: () => void): void => void (ring = changed);
    const file = await openConfig({ path, adjust: (settings) => settings, clock, steady: clock, log, follow });
    const stop = new AbortController();
    const ended = file.watch(stop.signal);
    const save = async (text: string, isDone: () => boolean): Promise<void> => {
      // As editors save: the file is whole at every moment, also for a read that is under way.
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
      ring();
      for (let i = 0; i < 2_000 && !isDone(); i++) {
        await clock.advance(250);
        await turn();
      }
    };
    await save(GOOD, () => file.settings().notifications.receivers.length === 2);
    expect(file.settings().notifications.receivers.map(({ name }) => name)).toEqual(['log', 'oncall']);
    await save(`${GOOD}\ndryRun: true`.replace('receiver: oncall', 'receiver: onkall'), () => lines.length > 0);
    expect(file.settings()).toMatchObject({ dryRun: false, notifications: { receivers: [{ name: 'log' }, { name: 'oncall' }] } });
    expect(file.problem()).toContain('notifications.route.routes[0].receiver is onkall');
    expect(lines).toHaveLength(1);
    stop.abort();
    await clock.advance(1_000);
    await ended;
  });
});
