import { isObject, parseTime } from '../../base/index.ts';
import type { WorkMeta } from '../object.ts';

/** What a body's metadata holds: the fields we keep, names of the unknown ones, or the word of why it cannot be read. */
export type MetadataRead =
  | { readonly kind: 'read'; readonly metadata: WorkMeta; readonly unknown: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads metadata as the server decodes it: known fields of the right type, nulls as absent. */
export function readMetadata(value: unknown): MetadataRead {
  if (value === undefined || value === null) return { kind: 'read', metadata: {}, unknown: [] };
  if (!isObject(value)) return unreadable(`json: cannot unmarshal ${jsonType(value)} into Go value of type v1.ObjectMeta`);
  const metadata: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const field in value) {
    const read = FIELDS[field];
    const given = value[field];
    if (!read) unknown.push(field);
    else if (given !== null && read !== 'dropped') {
      const wrong = read(given, field);
      if (wrong !== undefined) return unreadable(wrong);
      if (!isEmpty(given)) metadata[field] = given;
    }
  }
  return { kind: 'read', metadata, unknown };
}

const unreadable = (reason: string): MetadataRead => ({ kind: 'unreadable', reason });

/** Go leaves empty strings, lists and maps out when it writes metadata. */
const isEmpty = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

type FieldReader = (value: unknown, field: string) => string | undefined;

const mismatch = (value: unknown, field: string, type: string): string =>
  `json: cannot unmarshal ${jsonType(value)} into Go struct field ObjectMeta.${field} of type ${type}`;

const text: FieldReader = (value, field) => (typeof value === 'string' ? undefined : mismatch(value, field, 'string'));
const whole: FieldReader = (value, field) => (Number.isInteger(value) ? undefined : mismatch(value, field, 'int64'));

const time: FieldReader = (value, field) => {
  if (typeof value !== 'string') return mismatch(value, field, 'string');
  return parseTime(value) === undefined ? `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse` : undefined;
};

const textMap: FieldReader = (value, field) => {
  if (!isObject(value)) return mismatch(value, field, 'map[string]string');
  const wrong = Object.values(value).find((item) => typeof item !== 'string');
  return wrong === undefined ? undefined : mismatch(wrong, field, 'string');
};

const textList: FieldReader = (value, field) => {
  if (!Array.isArray(value)) return mismatch(value, field, '[]string');
  const wrong: unknown = value.find((item) => typeof item !== 'string');
  return wrong === undefined ? undefined : mismatch(wrong, field, 'string');
};

const owners: FieldReader = (value, field) => {
  if (!Array.isArray(value)) return mismatch(value, field, '[]v1.OwnerReference');
  for (const owner of value as readonly unknown[]) {
    if (!isObject(owner)) return mismatch(owner, field, 'v1.OwnerReference');
    for (const name of ['apiVersion', 'kind', 'name', 'uid']) {
      if (owner[name] !== undefined && typeof owner[name] !== 'string') return mismatch(owner[name], `${field}.${name}`, 'string');
    }
    for (const name of ['controller', 'blockOwnerDeletion']) {
      if (owner[name] !== undefined && typeof owner[name] !== 'boolean') return mismatch(owner[name], `${field}.${name}`, 'bool');
    }
  }
  return undefined;
};

const FIELDS: Readonly<Record<string, FieldReader | 'dropped'>> = {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: whole,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: whole,
  labels: textMap,
  annotations: textMap,
  finalizers: textList,
  ownerReferences: owners,
  managedFields: 'dropped',
  selfLink: 'dropped',
};

/** The name of a JSON value's type in Go's decoding errors. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
