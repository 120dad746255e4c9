import { isObject, type JsonObject, ownMember, setMember } from '../../base/index.ts';
import { jsonType } from '../metadata/json-type.ts';
import type { Field, TypedNode } from '../typed/typed-node.ts';
import { mergeLists, orderAs } from './merge-lists.ts';
import { badDirective, StrategicPatchError } from './strategic-patch-error.ts';

const DIRECTIVE = '$patch';
const RETAIN = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE_FROM = '$deleteFromPrimitiveList/';

/**
 * Kubernetes' own merge: like RFC 7386, but lists are merged item by item where their type says so, and directives say what else
 * to do. Shares everything that the patch does not touch; throws StrategicPatchError.
 */
export function strategicMergePatch(target: JsonObject, patch: JsonObject, type: TypedNode | undefined): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return replacement(patch);
  const result = retained(target, patch);
  const done = orderLists(result, patch, type);
  for (const name in patch) {
    if (name === RETAIN || name.startsWith(ORDER) || done.has(name)) continue;
    if (name.startsWith(DELETE_FROM)) deleteFromList(result, name.slice(DELETE_FROM.length), patch[name]);
    else mergeMember(result, name, { value: patch[name], field: fieldOf(type, name) });
  }
  return result;
}

/** `$patch` on an object: it is replaced by the rest of the patch, or emptied. */
function replacement(patch: JsonObject): JsonObject {
  const { [DIRECTIVE]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw badDirective(patch);
}

/** A mutable copy, with only the members that `$retainKeys` names, where it is given. */
function retained(target: JsonObject, { [RETAIN]: names, ...patch }: JsonObject): Record<string, unknown> {
  if (names === undefined) return { ...target };
  const fits = Array.isArray(names) && Object.keys(patch).every((name) => name.startsWith('$') || names.includes(name));
  if (!fits) throw new StrategicPatchError('invalid patch format of retainKeys', { isMalformed: true });
  return Object.fromEntries(Object.entries(target).filter(([name]) => (names as readonly unknown[]).includes(name)));
}

function fieldOf(type: TypedNode | undefined, name: string): Field | undefined {
  if (type?.shape === 'struct') return type.fields().byName.get(name);
  return type?.shape === 'map' ? type.element : undefined;
}

/** Applies `$setElementOrder/list` together with the list itself; returns the lists that it handled. */
function orderLists(result: Record<string, unknown>, patch: JsonObject, type: TypedNode | undefined): ReadonlySet<string> {
  const done = new Set<string>();
  for (const directive of Object.keys(patch).filter((name) => name.startsWith(ORDER))) {
    const name = directive.slice(ORDER.length);
    const field = fieldOf(type, name);
    if (!field)
      throw new StrategicPatchError(`unable to find api field in struct ${type?.goType} for the json field ${JSON.stringify(name)}`);
    const [order, before, given] = [patch[directive], result[name], patch[name]].map(listOrNothing);
    if (!order || (!before && !given)) continue;
    checkOrder(order, given, field);
    if (given) mergeMember(result, name, { value: given, field });
    result[name] = orderAs(result[name] as readonly unknown[], { first: order, rest: before ?? [], key: field.mergeKey });
    done.add(name);
  }
  return done;
}

function listOrNothing(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw new StrategicPatchError(`expected a []interface {}, but received a ${jsonType(value)}`);
}

/** Added items must be in the order list too, in the same sequence. */
function checkOrder(order: readonly unknown[], given: readonly unknown[] = [], { mergeKey }: Field): void {
  const nameOf = (item: unknown): unknown => (isObject(item) && mergeKey !== undefined ? item[mergeKey] : item);
  const names = order.map(nameOf);
  const places = given.filter((item) => !isObject(item) || item[DIRECTIVE] === undefined).map((item) => names.indexOf(nameOf(item)));
  if (places.every((place, i) => place >= 0 && place > (places[i - 1] ?? -1))) return;
  throw new StrategicPatchError(
    `The order in patch list:\n${JSON.stringify(given)}\n doesn't match $setElementOrder list:\n${JSON.stringify(order)}\n`,
  );
}

function deleteFromList(result: Record<string, unknown>, name: string, gone: unknown): void {
  const before = result[name];
  if (!Array.isArray(before) || !Array.isArray(gone)) return;
  result[name] = (before as readonly unknown[]).filter((item) => !gone.includes(item));
}

interface Change {
  readonly value: unknown;
  readonly field: Field | undefined;
}

function mergeMember(result: Record<string, unknown>, name: string, { value, field }: Change): void {
  const before = ownMember(result, name);
  if (value === null) delete result[name];
  else if (before !== undefined && jsonType(before) === jsonType(value)) setMember(result, name, merged(before, value, field));
  else if (!hasDirective(value)) setMember(result, name, withoutDirectives(value));
}

function merged(before: unknown, value: unknown, field: Field | undefined): unknown {
  if (isObject(before) && isObject(value)) {
    return field?.strategies.includes('replace') ? value : strategicMergePatch(before, value, field?.node);
  }
  if (!Array.isArray(before) || !Array.isArray(value) || !field?.strategies.includes('merge')) return value;
  return mergeLists(before, value, { key: field.mergeKey, mergeItems: (one, other) => strategicMergePatch(one, other, itemType(field)) });
}

const itemType = ({ node }: Field): TypedNode | undefined => (node.shape === 'list' ? node.element.node : undefined);

/** A new value is used as it is, without nulls and `$patch` directives: both only apply to existing values. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !hasDirective(item)).map(withoutDirectives);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null && !hasDirective(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutDirectives(member)]));
}

const hasDirective = (value: unknown): boolean => isObject(value) && DIRECTIVE in value;
