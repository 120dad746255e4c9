import type { Instant } from '../../../base/index.ts';
import type { Stored } from '../../object.ts';
import { columnsOf, type Columns } from '../columns.ts';
import { ageAt, countAt, mapAt, textAt } from '../read-field.ts';
import { AGE_COLUMN, NAME } from './metadata-columns.ts';

export const namespaceColumns: Columns = columnsOf([
  NAME,
  { name: 'Status', description: 'Whether the namespace is in use or on its way out.', cell: (object) => textAt(object, 'status.phase') },
  AGE_COLUMN,
]);

const size = (object: Stored, ...fields: readonly string[]): number =>
  fields.reduce((sum, field) => sum + Object.keys(mapAt(object, field)).length, 0);

export const configMapColumns: Columns = columnsOf([
  NAME,
  { name: 'Data', description: 'How many entries there are.', cell: (object) => size(object, 'data', 'binaryData') },
  AGE_COLUMN,
]);

export const secretColumns: Columns = columnsOf([
  NAME,
  { name: 'Type', description: 'What the secret is for.', cell: (object) => textAt(object, 'type') },
  { name: 'Data', description: 'How many entries there are.', cell: (object) => size(object, 'data') },
  AGE_COLUMN,
]);

export const leaseColumns: Columns = columnsOf([
  NAME,
  { name: 'Holder', description: 'Who holds the lease.', cell: (object) => textAt(object, 'spec.holderIdentity') },
  AGE_COLUMN,
]);

export const eventColumns: Columns = columnsOf([
  { name: 'Last Seen', description: 'When it happened last.', cell: lastSeen },
  { name: 'Type', description: 'Normal or Warning.', cell: (event) => textAt(event, 'type') },
  { name: 'Reason', description: 'Why, in one word.', cell: (event) => textAt(event, 'reason') },
  { name: 'Object', description: 'What the event is about.', cell: involved },
  { name: 'Subobject', wide: true, description: 'Which part of the object.', cell: (event) => textAt(event, 'involvedObject.fieldPath') },
  { name: 'Source', wide: true, description: 'Who tells.', cell: source },
  { name: 'Message', description: 'What happened.', cell: (event) => textAt(event, 'message').trim() },
  { name: 'First Seen', wide: true, description: 'When it happened first.', cell: firstSeen },
  {
    name: 'Count',
    wide: true,
    description: 'How often it happened.',
    cell: (event) => countAt(event, 'series.count') || countAt(event, 'count') || 1,
  },
  { ...NAME, wide: true },
]);

function firstSeen(event: Stored, now: Instant): string {
  return ageAt(event, textAt(event, 'firstTimestamp') === '' ? 'eventTime' : 'firstTimestamp', now);
}

function lastSeen(event: Stored, now: Instant): string {
  if (textAt(event, 'series.lastObservedTime') !== '') return ageAt(event, 'series.lastObservedTime', now);
  return textAt(event, 'lastTimestamp') === '' ? firstSeen(event, now) : ageAt(event, 'lastTimestamp', now);
}

function involved(event: Stored): string {
  const kind = textAt(event, 'involvedObject.kind').toLowerCase();
  const name = textAt(event, 'involvedObject.name');
  return name === '' ? kind : `${kind}/${name}`;
}

function source(event: Stored): string {
  const component = textAt(event, 'source.component') || textAt(event, 'reportingComponent');
  const host = textAt(event, 'source.host') || textAt(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

export const quotaColumns: Columns = columnsOf([
  NAME,
  { name: 'Request', description: 'What is used of what may be requested.', cell: (quota) => usage(quota, false) },
  { name: 'Limit', description: 'What is used of what limits may add up to.', cell: (quota) => usage(quota, true) },
  AGE_COLUMN,
]);

function usage(quota: Stored, limits: boolean): string {
  const used = mapAt(quota, 'status.used');
  return Object.entries(mapAt(quota, 'status.hard'))
    .filter(([resource]) => resource.startsWith('limits.') === limits)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${quantity(used[resource])}/${quantity(hard)}`)
    .join(', ');
}

const quantity = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '0');
