import type { Status } from '../../src/api/meta.ts';
import { isObject, type JsonObject } from '../../src/base/index.ts';
import type { WireAnswer, WireEvent } from './wire.ts';

/** An answer as two servers must agree on it. */
export interface Comparable {
  readonly code: number;
  readonly reason?: string | undefined;
  /** `reason field` of each cause, once. */
  readonly causes?: readonly string[];
  readonly body?: unknown;
  readonly warnings?: readonly string[];
  /** The body of the request was found not to be JSON or YAML at all. */
  readonly isMalformed?: true;
}

/** Differs between any two servers and says nothing: identities, versions, moments. That there is one still counts. */
const INCIDENTAL: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'continue']);

/** What kube-apiserver's router refuses, it refuses with a text. */
const BARE: Readonly<Record<number, string>> = { 404: 'NotFound', 405: 'MethodNotAllowed', 406: 'NotAcceptable' };

/** Refusals by code, reason and causes; all else whole, but for what is incidental. */
export function comparable({ code, body, warnings }: WireAnswer): Comparable {
  if (code < 300) return { code, body: plain(body), warnings: warnings.toSorted() };
  const { reason, details, message = '' } = (isObject(body) ? body : { reason: BARE[code] }) as Partial<Status>;
  const causes = (details?.causes ?? []).map((cause) => `${cause.reason ?? ''} ${cause.field ?? ''}`);
  return {
    code,
    reason,
    causes: [...new Set(causes)].toSorted(),
    ...(message.startsWith('the body of the request is not ') && { isMalformed: true }),
  };
}

export interface ComparableEvent {
  readonly type: string;
  readonly object: unknown;
}

/** An event as two servers must agree on it. */
export const comparableEvent = ({ type, object }: WireEvent): ComparableEvent => ({ type, object: plain(object) });

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Without managed fields, and without nulls, which are what Go makes of absent lists and moments. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(UID, 'uid');
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) => member !== null && name !== 'managedFields' && !(name === 'continue' && member === ''),
  );
  const isChance = 'generateName' in value;
  // kube-apiserver goes through a Go map for the finalizers of a namespace that is to go, so their order is chance.
  if (isUnordered(value)) entries.push(['finalizers', value.finalizers.toSorted((a, b) => (a < b ? -1 : 1))]);
  const rest = Object.fromEntries(entries.map(([name, member]) => [name, blurred(name, member, isChance)]));
  return value.items === null ? { ...rest, items: [] } : rest;
}

const isUnordered = (metadata: JsonObject): metadata is JsonObject & { readonly finalizers: readonly string[] } =>
  Array.isArray(metadata.finalizers) && metadata.deletionTimestamp !== undefined && metadata.namespace === undefined;

function blurred(name: string, member: unknown, isChance: boolean): unknown {
  if (INCIDENTAL.has(name) && typeof member === 'string' && member !== '') return 'set';
  return name === 'name' && isChance ? 'by chance' : plain(member);
}
