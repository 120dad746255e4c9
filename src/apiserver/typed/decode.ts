import { isObject, type JsonObject } from '../../base/index.ts';
import { adopt } from '../kinds/adopt.ts';
import { jsonType } from '../metadata/json-type.ts';
import { goPathOf, structOf, pathOf, type FieldPosition } from './field-position.ts';
import type { Scalar } from './scalars.ts';
import type { Field, StructNode, TypedNode } from './typed-node.ts';

/** JSON that does not fit its type, in Go's words. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/**
 * Reads JSON into a type, as Go does: unknown fields are dropped, nulls and empty lists count as absent, defaults
 * are filled in. `unknown` receives the paths of dropped fields. Shares frozen values that need no change, copies the rest.
 */
export const decodeInto = (type: StructNode, value: unknown, unknown: string[]): JsonObject =>
  decode(type, value, { up: undefined, step: '', owner: undefined, unknown }) as JsonObject;

function decode(node: TypedNode, value: unknown, place: FieldPosition): unknown {
  switch (node.shape) {
    case 'struct':
      return isObject(value) ? struct(node, value, place) : mismatch(jsonType(value), node, place);
    case 'list':
      return Array.isArray(value) ? list(node.element, value, place) : mismatch(jsonType(value), node, place);
    case 'map':
      return isObject(value) ? map(node.element, value, place) : mismatch(jsonType(value), node, place);
    case 'scalar':
      return scalar(node, value, place);
    case 'any':
      return adopt(value);
  }
}

function scalar(node: Scalar, value: unknown, place: FieldPosition): unknown {
  const reading = node.read(value);
  if ('found' in reading) return mismatch(reading.found, node, place);
  if ('refused' in reading) throw new DecodeError(reading.refused);
  return reading.value;
}

function mismatch(found: string, { goType }: TypedNode, place: FieldPosition): never {
  const owner = structOf(place);
  const where = owner === undefined ? 'Go value' : `Go struct field ${owner}.${goPathOf(place)}`;
  throw new DecodeError(`json: cannot unmarshal ${found} into ${where} of type ${goType}`);
}

function struct(node: StructNode, value: JsonObject, place: FieldPosition): JsonObject {
  if (node.sound.has(value)) return value;
  const { byName } = node.fields();
  const result: Record<string, unknown> = {};
  let isSame = Object.isFrozen(value);
  for (const name in value) {
    const given = value[name];
    const at: FieldPosition = { up: place, step: name, owner: node.name, unknown: place.unknown };
    const read = given === undefined ? undefined : member(byName.get(name), given, at);
    if (read !== undefined) result[name] = read;
    isSame &&= read === given;
  }
  if (fillDefaults(node, result) || !isSame) return result;
  node.sound.add(value);
  return value;
}

/** A field's value; undefined where it counts as absent. */
function member(field: Field | undefined, value: unknown, place: FieldPosition): unknown {
  if (!field) place.unknown.push(pathOf(place));
  if (!field || value === null) return undefined;
  const read = decode(field.node, value, place);
  return !field.keepsEmpty && isEmpty(field.node, read) ? undefined : read;
}

function isEmpty({ shape }: TypedNode, value: unknown): boolean {
  if (shape === 'list') return (value as readonly unknown[]).length === 0;
  return shape === 'map' && Object.keys(value as object).length === 0;
}

/** Returns whether any default was filled in. */
function fillDefaults(node: StructNode, result: Record<string, unknown>): boolean {
  const { byName, withDefault } = node.fields();
  let isFilled = false;
  const fill = (name: string, field: Field, fallback: unknown): void => {
    if (result[name] !== undefined || fallback === undefined) return;
    result[name] = fallbackOf(field, fallback);
    isFilled = true;
  };
  for (const [name, fallback] of Object.entries(node.defaults?.(result) ?? {})) fill(name, byName.get(name)!, fallback);
  for (const [name, field] of withDefault) fill(name, field, field.fallback);
  return isFilled;
}

/** The value of a field that was not sent: a struct's own members have defaults too. */
const fallbackOf = ({ node }: Field, fallback: unknown): unknown =>
  node.shape === 'struct' && isObject(fallback) ? decodeInto(node, fallback, []) : fallback;

/** An object's status before its first write; undefined where the type has none, or has an optional one. */
export function emptyStatus(type: StructNode): unknown {
  const field = type.fields().byName.get('status');
  return field?.fallback === undefined ? undefined : fallbackOf(field, field.fallback);
}

function list(element: Field, items: readonly unknown[], place: FieldPosition): readonly unknown[] {
  const result = items.map((item, i) => entry(element, item, { up: place, step: i, owner: undefined, unknown: place.unknown }));
  return Object.isFrozen(items) && result.every((item, i) => item === items[i]) ? items : result;
}

function map(element: Field, members: JsonObject, up: FieldPosition): JsonObject {
  const read = ([key, value]: readonly [string, unknown]): readonly [string, unknown] => {
    return [key, entry(element, value, { up, step: key, owner: undefined, unknown: up.unknown })];
  };
  const result = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(read);
  return Object.isFrozen(members) && result.every(([key, value]) => value === members[key]) ? members : Object.fromEntries(result);
}

/** An item of a list or a map: unlike in a struct, a null becomes a zero value. */
const entry = ({ node }: Field, value: unknown, place: FieldPosition): unknown =>
  value === null ? zeroOf(node) : decode(node, value, place);

function zeroOf(node: TypedNode): unknown {
  switch (node.shape) {
    case 'struct':
      return decodeInto(node, {}, []);
    case 'map':
    case 'list':
    case 'any':
      return null;
    case 'scalar':
      return node.zero;
  }
}
