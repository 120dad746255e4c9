import { isObject } from '../../base/index.ts';
import type { ApiResponse } from '../../kube/client/transport.ts';
import { verdictOf } from './verdict.ts';

/** What differs between any two servers and says nothing: identities, versions, moments, names by chance. */
const INCIDENTAL: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'managedFields',
  'continue',
]);

/** An answer as two servers should agree on it: refusals by their verdict, the rest whole but for what is incidental. */
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

/** That something is there still counts, except for what only one of them keeps. */
const mark = (member: unknown): unknown => (Array.isArray(member) || member === '' || member === undefined ? undefined : 'set');
