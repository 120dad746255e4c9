import { isObject } from '../../base/index.ts';
import type { ApiResponse } from '../../kube/client/transport.ts';
import { verdictOf } from './verdict.ts';

/** Fields that differ between any two servers without meaning: UIDs, resource versions, times, random names. */
const INCIDENTAL: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'managedFields',
  'continue',
]);

/** The part of an answer that two servers must agree on: of refusals the verdict, else the whole body without incidental fields. */
export const comparable = (answer: ApiResponse): unknown =>
  answer.code < 300 ? { code: answer.code, body: plain(answer.body) } : verdictOf(answer);

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([name, member]) => [name, INCIDENTAL.has(name) ? mark(member) : plain(member)] as const);
  const entries = kept.filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.map(([name, member]) => (name === 'name' && 'generateName' in value ? [name, 'by chance'] : [name, member])),
  );
}

/** The presence of a field still counts, except for fields that only one server stores. */
const mark = (member: unknown): unknown => (Array.isArray(member) || member === '' || member === undefined ? undefined : 'set');
