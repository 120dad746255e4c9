/**
 * NotificationRequest: delivers a message to people.
 *
 *   Pending → Sending → Sent
 *
 * In reading order:
 * - `decide.ts` requests the delivery, by a `Call` effect, until a successful attempt is recorded in status.
 * - `deliver.ts` handles that call: it writes one log line, then records the attempt. A delivery happens at least once.
 *   The wiring registers it: `calls: { [DELIVER_NOTIFICATION]: createDeliverNotification({ client, log, clock }) }`.
 * - `observe.ts` reads the request.
 * - `routing/` is the tree of the config file. It can be tried, and is not followed yet: `sending-problem.ts` says so to who configures one.
 */
import { keyOf } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type NotificationSeen } from './observe.ts';

export { createDeliverNotification, DELIVER_NOTIFICATION } from './deliver.ts';
export { sendingProblem } from './sending-problem.ts';
export { routeNotification } from './routing/route-notification.ts';
export type { NotificationSeen };

/** Delivers messages. */
export const createNotificationController = (settings: SettingsSource): Controller<NotificationSeen> => ({
  name: 'notification',
  primary: NotificationRequest,
  watches: [{ resource: NotificationRequest, namespace: settings().namespace, keys: (object) => [keyOf(object)] }],
  observe,
  decide,
});
