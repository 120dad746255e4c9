import type { JsonObject } from '../base/index.ts';
import type { AuditEvent, AuditType } from './audit-log.ts';
import type { RecordedRow, TrailRow } from './chain/trail-row.ts';

/** A row of the table of events. */
export interface Row {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly correlation_id: string;
  readonly at: string;
  readonly subject_kind: string;
  readonly subject_namespace: string;
  readonly subject_name: string;
  readonly subject_uid: string;
  readonly data: string;
  readonly key_id: string;
  readonly hash: string;
  readonly adopted: number;
}

export const recordedIn = (row: Row): RecordedRow => ({
  id: row.id,
  type: row.type,
  correlationId: row.correlation_id,
  at: row.at,
  subject: { kind: row.subject_kind, namespace: row.subject_namespace, name: row.subject_name, uid: row.subject_uid },
  data: row.data,
});

export const trailRowIn = (row: Row): TrailRow => ({
  ...recordedIn(row),
  sequence: row.seq,
  adopted: row.adopted === 1,
  keyId: row.key_id,
  hash: row.hash,
});

export const eventIn = ({ data, type, ...row }: RecordedRow): AuditEvent => ({
  ...row,
  type: type as AuditType,
  data: JSON.parse(data) as JsonObject,
});

/** As the engines store it. */
export const rowFor = ({ sequence, id, type, correlationId, at, subject, data, keyId, hash, adopted }: TrailRow): Row => ({
  seq: sequence,
  id,
  type,
  correlation_id: correlationId,
  at,
  subject_kind: subject.kind,
  subject_namespace: subject.namespace,
  subject_name: subject.name,
  subject_uid: subject.uid,
  data,
  key_id: keyId,
  hash,
  adopted: Number(adopted),
});

/** The columns that are written. */
export const COLUMNS = [
  'seq',
  'id',
  'type',
  'correlation_id',
  'at',
  'subject_kind',
  'subject_namespace',
  'subject_name',
  'subject_uid',
  'data',
  'key_id',
  'hash',
  'adopted',
] as const satisfies readonly (keyof Row)[];

/** In the order of the columns. */
export function valuesOf(event: TrailRow): (string | number)[] {
  const row = rowFor(event);
  return COLUMNS.map((column) => row[column]);
}
