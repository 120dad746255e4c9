import type { ObjectKey } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { notificationPhases } from '../../api/notification-request/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import type { NotificationSettings } from '../notification-settings.ts';

/** Finds notifications by the name of their RemediationRequest. */
export const BY_REMEDIATION = 'notification.remediation';

export const remediationOf = ({ spec }: NotificationRequest): readonly string[] =>
  spec.remediationRequestRef?.name === undefined ? [] : [spec.remediationRequestRef.name];

/** Everything that a decision about a notification rests on: the object itself, those of the same remediation, and the routes. */
export interface NotificationSeen {
  readonly object: NotificationRequest;
  readonly siblings: readonly NotificationRequest[];
  readonly notifications: NotificationSettings;
}

export function observe(key: ObjectKey, reader: Reader, notifications: NotificationSettings): NotificationSeen | undefined {
  const read = reader.get(NotificationRequest, key);
  if (read.kind !== 'value') return undefined;
  const object = read.value;
  const isOver = isTerminal(notificationPhases, object.status?.phase);
  const [name] = isOver ? [] : remediationOf(object);
  return { object, notifications, siblings: name === undefined ? [] : siblingsOf(object, name, reader) };
}

function siblingsOf({ metadata }: NotificationRequest, name: string, reader: Reader): readonly NotificationRequest[] {
  const listed = reader.list(NotificationRequest, { index: BY_REMEDIATION, value: name });
  // The object itself was read from the same store: it can only be behind our own writes, and then nothing is decided in this pass.
  return (listed.kind === 'value' ? listed.value : []).filter((other) => other.metadata.uid !== metadata.uid);
}
