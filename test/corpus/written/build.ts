import { after, instant, MINUTE, parseTime, toTime, type JsonObject } from '../../../src/base/index.ts';
import { NAMESPACE } from '../fault.ts';
import type { PodLog, Recording, Seen } from '../recording.ts';

/** When the alert of a written case comes. */
const NOW = '2026-11-15T03:10:00Z';

/** So many minutes before the alert. */
export const ago = (minutes: number): string => toTime(after(parseTime(NOW) ?? instant(0), -minutes * MINUTE));

const DAY = 24 * 60;

export interface ObjectMore extends JsonObject {
  readonly metadata?: JsonObject;
}

/** Any object of the namespace, a day old. */
export function anObject(apiVersion: string, kind: string, name: string, { metadata, ...more }: ObjectMore = {}): Seen {
  return {
    apiVersion,
    kind,
    ...more,
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${kind.toLowerCase()}-${name}`,
      resourceVersion: '100',
      generation: 1,
      creationTimestamp: ago(DAY),
      ...metadata,
    },
  };
}

/** The one snapshot of a written case. */
export const still = (
  objects: readonly (Seen | readonly Seen[])[],
  logs: readonly PodLog[] = [],
  refused: readonly string[] = [],
): Recording => ({
  brokenAt: NOW,
  snapshots: [{ at: 0, objects: objects.flat(), logs, refused }],
});

export interface EventMore {
  readonly minutesAgo?: number;
  readonly count?: number;
  readonly type?: 'Normal' | 'Warning';
  readonly from?: string;
}

/** An Event on an object. */
export function anEvent(about: Seen, reason: string, message: string, more: EventMore = {}): Seen {
  const { minutesAgo = 1, count = 5, type = 'Warning', from = 'kubelet' } = more;
  const { name, uid } = about.metadata;
  return anObject('v1', 'Event', `${name}.${reason.toLowerCase()}`, {
    involvedObject: { apiVersion: about.apiVersion, kind: about.kind, name, namespace: NAMESPACE, uid },
    reason,
    message,
    type,
    count,
    firstTimestamp: ago(minutesAgo + 5),
    lastTimestamp: ago(minutesAgo),
    source: { component: from },
    reportingComponent: from,
  });
}
