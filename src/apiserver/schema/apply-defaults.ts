import { isObject, type JsonObject, ownMember, setMember } from '../../base/index.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The value with the schema's defaults, and without nulls where the schema allows none.
 * Shares everything that stays; the same value when nothing changes.
 */
export function applyDefaults(node: SchemaNode, value: unknown): unknown {
  if (Array.isArray(value)) return node.items ? inItems(node.items, value) : value;
  if (!isObject(value)) return value;
  return node.values ? inMap(node.values, value) : inMembers(node, value);
}

function inItems(items: SchemaNode, list: readonly unknown[]): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const filled = list[i] === null && items.fallback && !items.nullable ? items.fallback.value : applyDefaults(items, list[i]);
    if (filled !== list[i]) (copy ??= [...list])[i] = filled;
  }
  return copy ?? list;
}

function inMap(values: SchemaNode, map: JsonObject): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key in map) {
    const filled = fill(values, map[key]);
    if (filled === undefined) delete (copy ??= { ...map })[key];
    else if (filled !== map[key]) (copy ??= { ...map })[key] = filled;
  }
  return copy ?? map;
}

function inMembers(node: SchemaNode, object: JsonObject): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of node.properties) {
    const given = ownMember(object, name);
    const filled = fill(member, given);
    if (filled === given) continue;
    copy ??= { ...object };
    if (filled === undefined) delete copy[name];
    else setMember(copy, name, filled);
  }
  return copy ?? object;
}

/** A member's value: its default where it is absent, undefined for a null that the schema does not allow. */
function fill(member: SchemaNode, given: unknown): unknown {
  const absent = given === undefined || (given === null && !member.nullable);
  if (!absent) return given === null ? null : applyDefaults(member, given);
  return member.fallback ? applyDefaults(member, member.fallback.value) : undefined;
}
