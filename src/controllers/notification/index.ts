/**
 * Messages to people.
 *
 *   Pending → Sending → Sent
 *
 * - `decide.ts` asks for the delivery, by a `Call` effect, until an attempt that succeeded is on record.
 * - `deliver.ts` is the handler of that call: one line of the log, then the record. At least once, never at most once.
 * The wiring registers it: `calls: { [DELIVER_NOTIFICATION]: createDeliverNotification({ client, log, clock }) }`.
 * Start with decide.ts.
 */
import { keyOf } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type NotificationSeen } from './observe.ts';

export { createDeliverNotification, DELIVER_NOTIFICATION, type DeliveryDeps } from './deliver.ts';
export type { NotificationSeen };

/** Delivers messages. */
export const createNotificationController = (settings: SettingsSource): Controller<NotificationSeen> => ({
  name: 'notification',
  primary: NotificationRequest,
  watches: [{ resource: NotificationRequest, namespace: settings().namespace, keys: (object) => [keyOf(object)] }],
  observe,
  decide,
});
