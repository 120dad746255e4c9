import { parse } from '@marcbachmann/cel-js';
import { isObject, type JsonObject, ownMember, setMember } from '../../base/index.ts';
import { celName } from './cel-names.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';

/** Converts a JSON value to a value of CEL. */
export type ToCel = (value: unknown) => unknown;

const same: ToCel = (value) => value;

/** The conversion for values of a schema; where nothing needs converting it is the identity. */
export function celConverter(schema: JsonSchema): ToCel {
  if (schema['x-kubernetes-int-or-string']) return integer;
  if (schema.type === 'integer') return integer;
  if (schema.type === 'string') return text(schema.format);
  if (schema.type === 'array') return schema.items ? list(celConverter(schema.items)) : same;
  if (typeof schema.additionalProperties === 'object') return map(celConverter(schema.additionalProperties));
  if (schema.properties) return object(schema.properties);
  return schema['x-kubernetes-preserve-unknown-fields'] ? untyped : same;
}

/** Rules see whole numbers as 64-bit integers, not as doubles. */
const integer: ToCel = (value) => (Number.isInteger(value) ? BigInt(value as number) : value);

/** Without a schema, whole numbers are integers. */
const untyped: ToCel = (value) => {
  if (Array.isArray(value)) return value.map(untyped);
  if (!isObject(value)) return integer(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, untyped(member)]));
};

/** The library does not export these types, but its own functions create them. */
const toDuration = parse('duration(text)') as (context: JsonObject) => unknown;
const toTimestamp = parse('timestamp(text)') as (context: JsonObject) => unknown;

/** A list in place of a formatted string, which schemas accept: rules that use it fail. */
const MISFIT = Symbol('a value that is no text');

function text(format: string | undefined): ToCel {
  if (format === 'date-time') return (value) => (typeof value === 'string' ? toTimestamp({ text: value }) : MISFIT);
  if (format === 'date') return (value) => (typeof value === 'string' ? toTimestamp({ text: `${value}T00:00:00Z` }) : MISFIT);
  if (format === 'duration') return (value) => (typeof value === 'string' ? toDuration({ text: value }) : MISFIT);
  if (format === 'byte') return (value) => (typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value);
  return same;
}

const list = (item: ToCel): ToCel => (item === same ? same : (value) => (Array.isArray(value) ? value.map(item) : value));

const map =
  (member: ToCel): ToCel =>
  (value) =>
    member === same || !isObject(value) ? value : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, member(item)]));

function object(properties: Readonly<Record<string, JsonSchema>>): ToCel {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const known = celName(name);
    return known === undefined ? [] : [{ name, known, convert: celConverter(schema) }];
  });
  if (members.every((member) => member.name === member.known && member.convert === same)) return same;
  return (value) => (isObject(value) ? convertMembers(members, value) : value);
}

interface Member {
  readonly name: string;
  readonly known: string;
  readonly convert: ToCel;
}

function convertMembers(members: readonly Member[], value: JsonObject): JsonObject {
  const converted: Record<string, unknown> = {};
  for (const { name, known, convert } of members) {
    const given = ownMember(value, name);
    if (given !== undefined) put(converted, known, convert(given));
  }
  return converted;
}

function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (value === MISFIT) Object.defineProperty(object, name, { enumerable: true, get: misfit });
  else setMember(object, name, value);
}

function misfit(): never {
  throw new Error('invalid data, expected string, got []interface {}');
}
