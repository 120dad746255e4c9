import { keyOf, keyText } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { hasCode, toTime, type Clock, type Logger } from '../../base/index.ts';
import type { JsonPatchOperation, KubeClient } from '../../kube/client/client.ts';
import { isPatchThatDoesNotFit } from '../../kube/client/errors.ts';
import { StaleView, type CallHandler } from '../../runtime/reconcile/effects.ts';

/** The name under which the wiring registers the handler. */
export const DELIVER_NOTIFICATION = 'deliver-notification';

/** The only channel there is. */
export const CHANNEL = 'log';

export interface DeliveryDeps {
  /** The cache's own client, so that the next pass waits for the record to show. */
  readonly client: KubeClient;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Writes the notification as one log line, then records the attempt, in this order: a crash in between repeats the line, and never drops it. */
export const createDeliverNotification =
  ({ client, log, clock }: DeliveryDeps): CallHandler =>
  async ({ subject }, signal) => {
    const request = subject as NotificationRequest;
    const key = keyOf(request);
    log.info('notification', lineOf(request));
    const body = recordAttempt(request, toTime(clock.now()));
    try {
      await client.patchStatus(NotificationRequest, key, { type: 'json', body }, { signal });
    } catch (error) {
      throw isStale(error) ? new StaleView(`recording the delivery of ${keyText(key)}`, error) : error;
    }
  };

const lineOf = ({ metadata, spec }: NotificationRequest) => ({
  type: spec.type,
  priority: spec.priority,
  subject: spec.subject,
  body: spec.body,
  remediationRequest: spec.remediationRequestRef?.name,
  notification: metadata.name,
});

/** Under the observed resourceVersion: an attempt that another process recorded meanwhile is not overwritten. */
function recordAttempt({ metadata, status }: NotificationRequest, timestamp: string): readonly JsonPatchOperation[] {
  const before = status?.deliveryAttempts ?? [];
  const attempt = before.filter(({ channel }) => channel === CHANNEL).length + 1;
  const value: NotificationRequest['status'] = {
    ...status,
    deliveryAttempts: [...before, { channel: CHANNEL, attempt, timestamp, status: 'success' }],
    totalAttempts: (status?.totalAttempts ?? 0) + 1,
    successfulDeliveries: (status?.successfulDeliveries ?? 0) + 1,
  };
  return [
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'add', path: '/status', value },
  ];
}

const isStale = (error: unknown): boolean => hasCode(error, 'Conflict') || hasCode(error, 'NotFound') || isPatchThatDoesNotFit(error);
