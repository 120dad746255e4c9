import { deepFreeze } from '../base/index.ts';
import { MOST_FOUND, type AuditEvent, type AuditLog, type AuditQuery } from './audit-log.ts';

/** The newest events that are kept, for a process that may run for months. */
const MOST_KEPT = 100_000;

/** A trail that ends with the process. Of more than `most` events only the newest are kept. */
export function memoryAuditLog(most = MOST_KEPT): AuditLog {
  const events = new Map<string, AuditEvent>();
  return {
    append(added) {
      for (const event of added) if (!events.has(event.id)) events.set(event.id, deepFreeze(event));
      for (const id of events.keys()) {
        if (events.size <= most) break;
        events.delete(id);
      }
      return Promise.resolve();
    },
    find(query) {
      const found = [...events.values()].filter((event) => fits(event, query));
      return Promise.resolve(found.slice(-(query.limit ?? MOST_FOUND)));
    },
    close: () => Promise.resolve(),
  };
}

const fits = (event: AuditEvent, { correlationId, type }: AuditQuery): boolean =>
  (correlationId === undefined || event.correlationId === correlationId) && (type === undefined || event.type === type);
