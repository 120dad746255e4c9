import { createHmac } from 'node:crypto';
import type { AuditEvent } from '../audit-log.ts';
import type { AuditKey } from './audit-keys.ts';

/** An event as it is stored, with its data as the text that was written. */
export interface RecordedRow {
  readonly id: string;
  readonly type: string;
  readonly correlationId: string;
  readonly at: string;
  readonly subject: AuditEvent['subject'];
  readonly data: string;
}

/** An event and its place in the chain. */
export interface TrailRow extends RecordedRow {
  /** From 1 on, without gaps, over all events of the trail. */
  readonly sequence: number;
  /** It was recorded before the trail had a chain: nothing proves what happened to it before it was sealed. */
  readonly adopted: boolean;
  readonly keyId: string;
  /** Over everything else here and the hash of the event before. */
  readonly hash: string;
}

/** The hash before the first event. */
const NO_HASH = '0'.repeat(64);

/** As every engine stores it: with neither half a surrogate pair nor a zero character. In JSON both are escaped. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

export const rowOf = ({ id, type, correlationId, at, subject, data }: AuditEvent): RecordedRow => ({
  id: storable(id),
  type,
  correlationId: storable(correlationId),
  at: storable(at),
  subject: {
    kind: storable(subject.kind),
    namespace: storable(subject.namespace),
    name: storable(subject.name),
    uid: storable(subject.uid),
  },
  data: JSON.stringify(data),
});

/** The hash that an event must have after the one before it: a list in JSON, in which no two different events look the same. */
export function hashOf({ sequence, adopted, subject, ...row }: Omit<TrailRow, 'hash' | 'keyId'>, previous: string, key: AuditKey): string {
  const { kind, namespace, name, uid } = subject;
  const text = [
    FORM,
    previous,
    sequence,
    adopted,
    key.id,
    row.id,
    row.type,
    row.correlationId,
    row.at,
    kind,
    namespace,
    name,
    uid,
    row.data,
  ];
  return createHmac('sha256', key.secret).update(JSON.stringify(text)).digest('hex');
}

/** Of the list above. */
const FORM = 1;

/** The event as the next one of the chain. */
export function sealed(
  row: RecordedRow,
  { sequence, hash }: ChainEnd,
  { key, adopted = false }: { readonly key: AuditKey; readonly adopted?: boolean },
): TrailRow {
  const next = { ...row, sequence: sequence + 1, adopted };
  return { ...next, keyId: key.id, hash: hashOf(next, hash, key) };
}

/** The last event of a chain. */
export interface ChainEnd {
  /** 0 before the first event. */
  readonly sequence: number;
  readonly hash: string;
}

export const CHAIN_START: ChainEnd = { sequence: 0, hash: NO_HASH };
