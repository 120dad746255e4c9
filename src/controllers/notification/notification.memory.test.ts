import { afterEach, describe, expect, test } from 'vitest';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { MINUTE, SECOND } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { DEFAULT_NOTIFICATIONS, type ChannelSettings, type NotificationSettings } from '../notification-settings.ts';
import { Stage, unavailable } from '../testing/stage.ts';
import type { SendOutcome } from './channels/send-outcome.ts';
import { ChannelHealth, createDeliverNotification, createNotificationController, DELIVER_NOTIFICATION } from './index.ts';
import type { DeliveryDeps } from './deliver.ts';
import { aNotification } from './testing/a-notification.ts';
import { having } from './testing/having.ts';

const KEY = { namespace: 'sickbay-system', name: 'nr-completion-rr-1' };
let stage: Stage;

afterEach(() => stage.end());

const channel = (kind: 'slack' | 'pagerduty' | 'webhook'): ChannelSettings => {
  const place = { kind: 'file', path: '/a' } as const;
  const common = { name: `${kind}:oncall`, timeoutMs: 10_000 };
  if (kind === 'pagerduty') return { ...common, kind, routingKey: place, url: 'https://events.example.com' };
  if (kind === 'webhook') return { ...common, kind, url: 'https://hooks.example.com' };
  return { ...common, kind, access: { kind: 'bot', token: place, channel: '#oncall', apiUrl: 'https://slack.example.com' } };
};

const { route } = DEFAULT_NOTIFICATIONS;

/** Completions go to these channels, everything else to the log. */
const toOncall = (...channels: readonly ChannelSettings[]): NotificationSettings => ({
  route: { ...route, routes: [{ ...route, receiver: 'oncall', match: { type: 'Completion' } }] },
  receivers: [...DEFAULT_NOTIFICATIONS.receivers, { name: 'oncall', channels }],
});

interface Begun {
  readonly notifications?: NotificationSettings;
  readonly send?: DeliveryDeps['send'];
}

const controllers = (notifications = DEFAULT_NOTIFICATIONS) => [
  createNotificationController(() => ({ ...DEFAULT_SETTINGS, notifications })),
];

async function begin({ notifications, send }: Begun = {}): Promise<void> {
  stage = await Stage.start({
    kinds: [NotificationRequest],
    controllers: controllers(notifications),
    calls: (deps) => ({
      [DELIVER_NOTIFICATION]: createDeliverNotification({
        ...deps,
        steady: deps.clock,
        health: new ChannelHealth(),
        ...(send && { send }),
      }),
    }),
  });
}

async function create(namespace = KEY.namespace, more: { readonly name?: string; readonly spec?: object } = {}): Promise<void> {
  const { apiVersion, kind, spec } = aNotification();
  await stage.admin.create(NotificationRequest, {
    apiVersion,
    kind,
    metadata: { namespace, name: more.name ?? KEY.name },
    spec: { ...spec, ...more.spec },
  });
  await stage.settle();
}

const status = async (namespace = KEY.namespace, name = KEY.name) =>
  (await stage.admin.get(NotificationRequest, { namespace, name })).status;

/** Answers with these outcomes, one after the other, then with the last of them. */
function answering(...outcomes: readonly SendOutcome[]) {
  const sent: string[] = [];
  const send: DeliveryDeps['send'] = ({ name }, { thread, message }) => {
    sent.push(thread === undefined ? `${name} ${message.key === '' ? '' : message.name}` : `${name} ${message.name} in ${thread}`);
    return Promise.resolve(outcomes[Math.min(sent.length, outcomes.length) - 1] ?? { kind: 'delivered' });
  };
  return { sent, send };
}

const GOOD_NEWS = { context: { analysis: { outcome: 'Remediated' } } };
const failed: SendOutcome = { kind: 'failed', reason: 'it answered 503' };
const refused: SendOutcome = { kind: 'refused', reason: 'it answered 403' };

describe('a message on a server with the real schemas', () => {
  test('is delivered once when nothing fails', async () => {
    await begin();
    await create();
    await stage.advance(10 * MINUTE);
    expect(stage.phases).toEqual(['Pending', 'Sending', 'Sent']);
    expect(stage.lines).toHaveLength(1);
    expect(stage.troubles).toEqual([]);
    expect(await status()).toMatchObject({ totalAttempts: 1, successfulDeliveries: 1, deliveryAttempts: [{ status: 'success' }] });
  });

  test('is sent once while its process lives, also where its record is refused at first', async () => {
    await begin();
    const refuse = unavailable(/status$/);
    let refusals = 2;
    stage.intercept = (request) => {
      const records = JSON.stringify(request.body ?? '').includes('deliveryAttempts');
      return records && refusals-- > 0 ? refuse(request) : undefined;
    };
    await create();
    for (let i = 0; i < 60; i++) await stage.advance(SECOND);
    expect((await status())?.phase).toBe('Sent');
    expect(stage.lines).toHaveLength(1);
    expect((await status())?.deliveryAttempts).toHaveLength(1);
  });

  test('counts nowhere but in the namespace of the system', async () => {
    await begin();
    await create('shop');
    expect(stage.lines).toEqual([]);
    expect(await status('shop')).toBeUndefined();
  });
});

describe('delivery', () => {
  test('[CO-126] follows the routes, and what no route takes goes to the root receiver', async () => {
    const { sent, send } = answering();
    await begin({ notifications: toOncall(channel('slack'), channel('webhook')), send });
    await create();
    await create(KEY.namespace, { name: 'nr-other', spec: { type: 'Simple', remediationRequestRef: { name: 'rr-2' } } });
    expect(sent).toEqual(['slack:oncall nr-completion-rr-1', 'webhook:oncall nr-completion-rr-1', 'log nr-other']);
    expect((await status())?.conditions).toMatchObject([
      { type: 'Ready', status: 'True', message: 'delivered to slack:oncall, webhook:oncall' },
      { type: 'RoutingResolved', status: 'True', message: 'oncall: slack:oncall, webhook:oncall' },
    ]);
  });

  test('is retried after 30 s, then after 60 s, until it arrives', async () => {
    const { sent, send } = answering(failed, failed, { kind: 'delivered' });
    await begin({ notifications: toOncall(channel('webhook')), send });
    await create();
    await stage.advance(29 * SECOND);
    expect(sent).toHaveLength(1);
    expect(await status()).toMatchObject({
      phase: 'Retrying',
      reason: 'Retrying',
      message: having('webhook:oncall failed and is tried again at'),
    });
    await stage.advance(SECOND);
    expect(sent).toHaveLength(2);
    await stage.advance(59 * SECOND);
    expect(sent).toHaveLength(2);
    await stage.advance(SECOND);
    expect(await status()).toMatchObject({ phase: 'Sent', totalAttempts: 3, failedDeliveries: 2, successfulDeliveries: 1 });
    expect(stage.phases).toEqual(['Pending', 'Sending', 'Retrying', 'Sent']);
  });

  test('waits as long as Retry-After says', async () => {
    const { sent, send } = answering({ ...failed, retryAfterMs: 5 * MINUTE }, { kind: 'delivered' });
    await begin({ notifications: toOncall(channel('webhook')), send });
    await create();
    await stage.advance(5 * MINUTE - SECOND);
    expect(sent).toHaveLength(1);
    await stage.advance(SECOND);
    expect((await status())?.phase).toBe('Sent');
  });

  test('ends after five attempts', async () => {
    const { sent, send } = answering(failed);
    await begin({ notifications: toOncall(channel('webhook')), send });
    await create();
    for (let i = 0; i < 40; i++) await stage.advance(MINUTE / 2);
    expect(sent).toHaveLength(5);
    expect(await status()).toMatchObject({
      phase: 'Failed',
      reason: 'MaxRetriesExhausted',
      message: 'not delivered to webhook:oncall: it answered 503',
    });
  });

  test('ends at once where every channel refuses it', async () => {
    const { send } = answering(refused);
    await begin({ notifications: toOncall(channel('webhook')), send });
    await create();
    expect(await status()).toMatchObject({
      phase: 'Failed',
      reason: 'AllDeliveriesFailed',
      deliveryAttempts: [{ status: 'invalid', error: 'permanent failure: it answered 403' }],
    });
  });

  test('is partial where one channel has it and another never will', async () => {
    const { send } = answering({ kind: 'delivered' }, refused);
    await begin({ notifications: toOncall(channel('slack'), channel('webhook')), send });
    await create();
    expect(await status()).toMatchObject({ phase: 'PartiallySent', successfulDeliveries: 1, failedDeliveries: 1 });
  });

  test('a receiver without channels drops what it is sent', async () => {
    await begin({ notifications: toOncall() });
    await create();
    expect(await status()).toMatchObject({ phase: 'Sent', reason: 'Dropped' });
    expect(stage.lines).toEqual([]);
  });
});

describe('messages of one remediation', () => {
  test('arrive in order on a channel, those after the first in its thread', async () => {
    const { sent, send } = answering(failed, { kind: 'delivered', reference: 'C1/1.5' }, { kind: 'delivered' });
    await begin({ notifications: toOncall(channel('slack')), send });
    await create();
    await stage.advance(SECOND);
    await create(KEY.namespace, { name: 'nr-later' });
    expect(sent).toEqual(['slack:oncall nr-completion-rr-1']);
    await stage.advance(29 * SECOND);
    expect(sent).toEqual(['slack:oncall nr-completion-rr-1', 'slack:oncall nr-completion-rr-1', 'slack:oncall nr-later in C1/1.5']);
    expect((await status(KEY.namespace, 'nr-later'))?.phase).toBe('Sent');
  });

  test('those of another do not wait for them', async () => {
    const { sent, send } = answering(failed, { kind: 'delivered' });
    await begin({ notifications: toOncall(channel('slack')), send });
    await create();
    await create(KEY.namespace, { name: 'nr-other', spec: { remediationRequestRef: { name: 'rr-2' } } });
    expect(sent).toHaveLength(2);
  });
});

describe('a report that is to be tried again in an hour', () => {
  const hour: SendOutcome = { ...failed, retryAfterMs: 60 * MINUTE };

  test.each<[string, object, object, number]>([
    ['holds the next report of its remediation', {}, { type: 'Completion' }, 1],
    ['does not hold a question', {}, { type: 'Approval' }, 2],
    ['holds a question where it is good news, which would close the incident', GOOD_NEWS, { type: 'Approval' }, 1],
  ])('%s', async (_, first, later, count) => {
    const { sent, send } = answering(hour, { kind: 'delivered' });
    await begin({ notifications: { ...toOncall(channel('slack')), route: { ...route, receiver: 'oncall' } }, send });
    await create(KEY.namespace, { spec: first });
    await stage.advance(SECOND);
    await create(KEY.namespace, { name: 'nr-later', spec: later });
    expect(sent).toHaveLength(count);
  });
});

describe('a crash between sending and recording', () => {
  /** The provider gets the message, and the process dies before its result is recorded: so many times. */
  async function crash(kind: 'slack' | 'pagerduty', times: number): Promise<readonly string[]> {
    const keys: string[] = [];
    const send: DeliveryDeps['send'] = (_, { message }) => {
      keys.push(message.key);
      return Promise.resolve({ kind: 'delivered' });
    };
    const notifications = toOncall(channel(kind));
    await begin({ notifications, send });
    let lives = 0;
    stage.intercept = (request) =>
      lives < times && JSON.stringify(request.body ?? '').includes('"success"') ? unavailable(/status$/)(request) : undefined;
    await create();
    for (lives = 1; lives <= times; lives++) await stage.restart(controllers(notifications));
    await stage.advance(MINUTE);
    return keys;
  }

  test('repeats a message under its key where the provider takes one', async () => {
    const keys = await crash('pagerduty', 3);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect((await status())?.phase).toBe('Sent');
  });

  test('repeats it once where the provider takes none', async () => {
    expect(await crash('slack', 1)).toHaveLength(2);
    expect((await status())?.phase).toBe('Sent');
  });

  test('and never a third time', async () => {
    expect(await crash('slack', 3)).toHaveLength(2);
    expect(await status()).toMatchObject({
      phase: 'Failed',
      message: 'not delivered to slack:oncall: it was sent twice and may have arrived: it was interrupted before its result was recorded',
    });
  });
});

test('the result of a last attempt counts, also where its record fails at first', async () => {
  const { sent, send } = answering({ kind: 'delivered' });
  await begin({ notifications: toOncall(channel('slack')), send });
  let refusals = 3;
  stage.intercept = (request) =>
    JSON.stringify(request.body ?? '').includes('"success"') && refusals-- > 0 ? unavailable(/status$/)(request) : undefined;
  await create(KEY.namespace, { spec: { retryPolicy: { maxAttempts: 1 } } });
  for (let i = 0; i < 60; i++) await stage.advance(SECOND);
  expect(sent).toHaveLength(1);
  expect(await status()).toMatchObject({ phase: 'Sent', message: 'delivered to slack:oncall' });
});

test('a channel that keeps failing rests: a storm does not use up the attempts of every message', async () => {
  const { sent, send } = answering(failed);
  await begin({ notifications: toOncall(channel('webhook')), send });
  for (let i = 0; i < 10; i++) await create(KEY.namespace, { name: `nr-${i}`, spec: { remediationRequestRef: { name: `rr-${i}` } } });
  expect(sent).toHaveLength(3);
  expect(await status(KEY.namespace, 'nr-9')).toMatchObject({
    phase: 'Sending',
    message: 'webhook:oncall rests until 2026-11-15T03:00:30Z, because it failed several times in a row: it answered 503',
  });
  await stage.advance(30 * SECOND);
  // Two at a time probe it.
  expect(sent).toHaveLength(5);
});
