import { deepFreeze } from '../base/index.ts';
import { FOUND_BY, MOST_FOUND, type AuditEvent, type AuditLog, type AuditQuery } from './audit-log.ts';

/** The newest events that are kept, for a process that may run for months. */
const MOST_KEPT = 100_000;

interface Kept {
  readonly event: AuditEvent;
  /** Which one it was, from the first on. */
  readonly place: number;
}

/** A trail that ends with the process. Of more than `most` events only the newest are kept. */
export function memoryAuditLog(most = MOST_KEPT): AuditLog {
  const trail = new Map<string, Kept>();
  const index = new TrailIndex();
  let places = 0;
  return {
    append(added) {
      for (const event of added) {
        if (trail.has(event.id)) continue;
        const kept = { event: deepFreeze(event), place: places++ };
        trail.set(event.id, kept);
        index.add(kept);
      }
      for (const kept of trail.values()) {
        if (trail.size <= most) break;
        trail.delete(kept.event.id);
        index.remove(kept);
      }
      return Promise.resolve();
    },
    find(query) {
      const found = [...(index.narrow(query) ?? trail.values())].map(({ event }) => event).filter((event) => fits(event, query));
      return Promise.resolve(found.slice(-(query.limit ?? MOST_FOUND)));
    },
    close: () => Promise.resolve(),
  };
}

/** Events by what they are mostly asked for, so that a question costs no more for all the others. */
class TrailIndex {
  readonly #byKey = new Map<string, Set<Kept>>();

  add(kept: Kept): void {
    for (const key of keysOf(kept.event)) {
      const found = this.#byKey.get(key);
      if (found) found.add(kept);
      else this.#byKey.set(key, new Set([kept]));
    }
  }

  remove(kept: Kept): void {
    for (const key of keysOf(kept.event)) {
      const found = this.#byKey.get(key);
      found?.delete(kept);
      if (found?.size === 0) this.#byKey.delete(key);
    }
  }

  /** All that a query can find, in the order in which it came; undefined where that could be anything. */
  narrow({ correlationId, says }: AuditQuery): Iterable<Kept> | undefined {
    if (correlationId !== undefined) return this.#byKey.get(`of ${correlationId}`) ?? [];
    if (!says) return undefined;
    const found = new Set(says.in.flatMap((name) => [...(this.#byKey.get(`${name} ${says.value}`) ?? [])]));
    return [...found].toSorted((a, b) => a.place - b.place);
  }
}

const keysOf = ({ correlationId, data }: AuditEvent): readonly string[] => [
  `of ${correlationId}`,
  ...FOUND_BY.flatMap((name) => (typeof data[name] === 'string' ? [`${name} ${data[name]}`] : [])),
];

function fits({ correlationId, type, at, data }: AuditEvent, query: AuditQuery): boolean {
  const { says } = query;
  return (
    (query.correlationId === undefined || correlationId === query.correlationId) &&
    (query.type === undefined || [query.type].flat().includes(type)) &&
    (query.since === undefined || at >= query.since) &&
    (says === undefined || says.in.some((name) => data[name] === says.value))
  );
}
