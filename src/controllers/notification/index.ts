/**
 * NotificationRequest: delivers a message to people.
 *
 *   Pending → Sending → Sent | PartiallySent | Failed
 *                └─▶ Retrying ─┘
 *
 * In reading order:
 * - `routing/` is the tree of the config file: from a notification to its channels.
 * - `delivery/` is what follows from the attempts in status: which channel is due, waits, has it or never will (`delivery-plan.ts` first).
 * - `decide.ts` orders the delivery, by a `Call` effect, and ends when every channel is settled.
 * - `deliver.ts` handles that call: it makes the attempts and records them. The wiring registers it under `DELIVER_NOTIFICATION`.
 * - `message/` makes of a notification what all channels send; `channels/` makes of that what one provider takes, and reads its answers: pure.
 * - `send/` does it: credentials, connections, time limits.
 * - `observe.ts` reads the request and the others of its remediation.
 * - `sending-problem.ts` names what the config file may ask for and is not done yet.
 */
import { keyOf } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { sameJson } from '../../base/index.ts';
import type { Controller, Watch } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { BY_REMEDIATION, observe, remediationOf, type NotificationSeen } from './observe.ts';

export { createDeliverNotification, DELIVER_NOTIFICATION } from './deliver.ts';
export { ChannelHealth } from './delivery/channel-health.ts';
export { notificationProblem } from './notification-problem.ts';
export { missingCredentials } from './send/missing-credentials.ts';
export { sendingProblem } from './sending-problem.ts';
export { routeNotification } from './routing/route-notification.ts';
export type { NotificationSeen };

/** Delivers messages. */
export const createNotificationController = (settings: SettingsSource): Controller<NotificationSeen> => ({
  name: 'notification',
  primary: NotificationRequest,
  watches: [watchOf(settings().namespace) as unknown as Watch],
  observe: (key, reader) => observe(key, reader, settings().notifications),
  decide,
});

const watchOf = (namespace: string): Watch<NotificationRequest> => ({
  resource: NotificationRequest,
  namespace,
  indexes: { [BY_REMEDIATION]: remediationOf },
  // Those that wait for this one, on some channel.
  keys: (object, related) => [
    keyOf(object),
    ...remediationOf(object).flatMap((value) => related(NotificationRequest, { index: BY_REMEDIATION, value })),
  ],
  concerns: ({ status: before }, { status: after }) =>
    before?.phase !== after?.phase || !sameJson(before?.deliveryAttempts, after?.deliveryAttempts),
});
