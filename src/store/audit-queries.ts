import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { MOST_FOUND, type AuditQuery, type FoundBy } from './audit-log.ts';
import type { Row } from './audit-rows.ts';

/** The tables of a trail, on either engine. */
export interface AuditTables {
  event: Row;
}

/** What SQLite and PostgreSQL write differently. */
export interface Engine {
  /** A member of the data. */
  member(name: FoundBy): RawBuilder<string | null>;
  /** The type, kept from being looked up in its index. */
  readonly plainType: RawBuilder<string>;
}

/** No engine takes an empty list. */
const isOneOf = (types: readonly string[], type: RawBuilder<string>): RawBuilder<boolean> =>
  types.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${type} in (${sql.join(types)})`;

/** The newest first. What narrows most is looked up in its index: a type is kept from being, since most events share it with many. */
export function selectEvents(
  db: Kysely<AuditTables>,
  engine: Engine,
  { correlationId, type, says, since, limit = MOST_FOUND }: AuditQuery,
): SelectQueryBuilder<AuditTables, 'event', Row> {
  const isNarrow = correlationId !== undefined || says !== undefined;
  let query = db.selectFrom('event').selectAll().orderBy('seq', 'desc').limit(limit);
  if (correlationId !== undefined) query = query.where('correlation_id', '=', correlationId);
  if (says) query = query.where(({ eb, or }) => or(says.in.map((name) => eb(engine.member(name), '=', says.value))));
  if (type !== undefined) query = query.where(isOneOf([type].flat(), isNarrow ? engine.plainType : sql<string>`type`));
  if (since !== undefined) query = query.where('at', '>=', since);
  return query;
}
