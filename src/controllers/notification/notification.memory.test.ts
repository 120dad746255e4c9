import { afterEach, describe, expect, test } from 'vitest';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { MINUTE, SECOND } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { Stage, unavailable } from '../testing/stage.ts';
import { createDeliverNotification, createNotificationController, DELIVER_NOTIFICATION } from './index.ts';
import { aNotification } from './testing/a-notification.ts';

const KEY = { namespace: 'sickbay-system', name: 'nr-completion-rr-1' };
let stage: Stage;

afterEach(() => stage.end());

async function begin(): Promise<void> {
  stage = await Stage.start({
    kinds: [NotificationRequest],
    controllers: [createNotificationController(() => DEFAULT_SETTINGS)],
    calls: (deps) => ({ [DELIVER_NOTIFICATION]: createDeliverNotification(deps) }),
  });
}

async function send(namespace = KEY.namespace): Promise<void> {
  const { apiVersion, kind, spec } = aNotification();
  await stage.admin.create(NotificationRequest, { apiVersion, kind, metadata: { ...KEY, namespace }, spec });
  await stage.settle();
}

const status = async (namespace = KEY.namespace) => (await stage.admin.get(NotificationRequest, { ...KEY, namespace })).status;

describe('a message on a server with the real schemas', () => {
  test('is delivered once when nothing fails', async () => {
    await begin();
    await send();
    await stage.advance(10 * MINUTE);
    expect(stage.phases).toEqual(['Pending', 'Sending', 'Sent']);
    expect(stage.lines).toHaveLength(1);
    expect(stage.troubles).toEqual([]);
    expect(await status()).toMatchObject({ totalAttempts: 1, successfulDeliveries: 1, deliveryAttempts: [{ status: 'success' }] });
  });

  test('is delivered again when the record was lost, never left out', async () => {
    await begin();
    const refuse = unavailable(/status$/);
    let refusals = 2;
    stage.intercept = (request) => {
      const records = JSON.stringify(request.body ?? '').includes('deliveryAttempts');
      return records && refusals-- > 0 ? refuse(request) : undefined;
    };
    await send();
    for (let i = 0; i < 60; i++) await stage.advance(SECOND);
    expect((await status())?.phase).toBe('Sent');
    expect(stage.lines).toHaveLength(3);
    expect((await status())?.deliveryAttempts).toHaveLength(1);
  });

  test('counts nowhere but in the namespace of the system', async () => {
    await begin();
    await send('shop');
    expect(stage.lines).toEqual([]);
    expect(await status('shop')).toBeUndefined();
  });
});
