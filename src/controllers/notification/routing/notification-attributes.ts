import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';

/** What routes and groups go by: names and values. */
export type NotificationAttributes = Readonly<Record<string, string>>;

/**
 * The attributes of a notification: type, severity, priority, phase, review-source and cluster; then what its context says, by the name of each
 * field; then its extensions. The first that has a name wins, so that an extension cannot change how urgent a notification is.
 */
export function notificationAttributes({ spec }: Pick<NotificationRequest, 'spec'>): NotificationAttributes {
  const own: Record<string, string | undefined> = {
    type: spec.type,
    severity: spec.severity,
    priority: spec.priority,
    phase: spec.phase,
    'review-source': spec.reviewSource,
    cluster: spec.clusterID,
    'remediation-request': spec.remediationRequestRef?.name,
    ...targetAttributes(spec.context?.target?.targetResource),
  };
  const attributes = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    if (isValue(value) && String(value) !== '' && !attributes.has(name)) attributes.set(name, String(value));
  };
  for (const [name, value] of Object.entries(own)) add(name, value);
  for (const section of Object.values(spec.context ?? {})) for (const [name, value] of Object.entries(section)) add(kebab(name), value);
  for (const [name, value] of Object.entries(spec.extensions ?? {})) add(name, value);
  return Object.fromEntries([...attributes].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const isValue = (value: unknown): value is string | boolean | number => ['string', 'boolean', 'number'].includes(typeof value);

/** `shop/Deployment/checkout`, or `Node/worker-1`. */
function targetAttributes(target = ''): Record<string, string | undefined> {
  const parts = target.split('/');
  const [namespace, kind, name] = parts.length > 2 ? parts : [undefined, ...parts];
  return { namespace, 'target-kind': kind, 'target-name': name };
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
