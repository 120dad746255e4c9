import type { ObjectKey } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';

/** Everything that a decision about a notification rests on: the object itself. */
export interface NotificationSeen {
  readonly object: NotificationRequest;
}

export function observe(key: ObjectKey, reader: Reader): NotificationSeen | undefined {
  const read = reader.get(NotificationRequest, key);
  return read.kind === 'value' ? { object: read.value } : undefined;
}
