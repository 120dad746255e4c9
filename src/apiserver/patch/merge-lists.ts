import { isObject, type JsonObject } from '../../base/index.ts';
import { jsonType } from '../metadata/json-type.ts';
import { badDirective, StrategicPatchError } from './strategic-patch-error.ts';

/** How two lists are merged. */
export interface ListMerge {
  /** The member that identifies items; undefined for lists of plain values. */
  readonly key: string | undefined;
  mergeItems(before: JsonObject, patch: JsonObject): JsonObject;
}

/** Merges lists item by item: items in both are merged, new items are inserted at their place in the order. */
export function mergeLists(before: readonly unknown[], patch: readonly unknown[], how: ListMerge): readonly unknown[] {
  const types = new Set([...before, ...patch].map(jsonType));
  if (types.size === 0) return before;
  if (types.size > 1 || types.has('array'))
    throw new StrategicPatchError(`list element types are not identical: ${JSON.stringify([before, patch])}`);
  if (!types.has('object')) return orderAs([...new Set([...before, ...patch])], { first: patch, rest: before, key: undefined });
  return mergeItems(before as readonly JsonObject[], patch as readonly JsonObject[], how);
}

function mergeItems(before: readonly JsonObject[], patch: readonly JsonObject[], how: ListMerge): readonly unknown[] {
  const { key } = how;
  if (key === undefined) throw new StrategicPatchError('cannot merge lists without merge key');
  const plain = patch.filter((item) => item.$patch === undefined);
  const special = patch.filter((item) => item.$patch !== undefined);
  if (special.filter((item) => knownDirective(item, key) === 'replace').length > 0) return plain;
  const gone = new Set(special.map((item) => item[key]));
  const kept = before.filter((item) => !gone.has(item[key]));
  const merged = plain.reduce<readonly JsonObject[]>((list, item) => mergeItem(list, item, { ...how, key }), kept);
  return orderAs(merged, { first: plain, rest: kept, key });
}

function knownDirective(item: JsonObject, key: string): 'replace' | 'delete' {
  const { $patch } = item;
  if ($patch === 'merge') throw new StrategicPatchError('merging lists cannot yet be specified in the patch');
  if ($patch !== 'replace' && $patch !== 'delete') throw badDirective(item);
  if ($patch === 'delete') keyOf(item, key);
  return $patch;
}

function keyOf(item: JsonObject, key: string): unknown {
  if (item[key] === undefined) throw new StrategicPatchError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
  return item[key];
}

function mergeItem(list: readonly JsonObject[], item: JsonObject, how: ListMerge & { readonly key: string }): readonly JsonObject[] {
  const value = keyOf(item, how.key);
  const index = list.findIndex((other) => other[how.key] === value);
  return index < 0 ? [...list, item] : list.with(index, how.mergeItems(list[index]!, item));
}

/** The orders that decide about the result. */
export interface Order {
  /** For the items that are in it. */
  readonly first: readonly unknown[];
  /** For the others, and between the two where it knows both. */
  readonly rest: readonly unknown[];
  readonly key: string | undefined;
}

/** The items in an order of the patch and, for items that it does not name, in their former order. */
export function orderAs(items: readonly unknown[], { first, rest, key }: Order): readonly unknown[] {
  const nameOf = (item: unknown): unknown => (isObject(item) && key !== undefined ? item[key] : item);
  const [wanted, former] = [first.map(nameOf), rest.map(nameOf)];
  const placeIn = (order: readonly unknown[], item: unknown): number => order.indexOf(nameOf(item));
  const named = items.filter((item) => placeIn(wanted, item) >= 0).toSorted((a, b) => placeIn(wanted, a) - placeIn(wanted, b));
  const others = items.filter((item) => placeIn(wanted, item) < 0).toSorted((a, b) => placeIn(former, a) - placeIn(former, b));
  return interleaved(others, named, (item) => placeIn(former, item));
}

/** An unnamed item goes before a named one that it preceded in the old order; where one of the two is new, the named one goes first. */
function interleaved(others: readonly unknown[], named: readonly unknown[], placeOf: (item: unknown) => number): readonly unknown[] {
  const result: unknown[] = [];
  let [i, j] = [0, 0];
  while (i < others.length && j < named.length) {
    const [left, right] = [placeOf(others[i]), placeOf(named[j])];
    result.push(left >= 0 && right >= 0 && left < right ? others[i++] : named[j++]);
  }
  return [...result, ...others.slice(i), ...named.slice(j)];
}
