import { isObject, type JsonObject } from '../../base/index.ts';
import type { SchemaNode } from './schema-node.ts';
import { join } from './value-position.ts';

/**
 * The value without members that the schema does not know. Shares everything that stays; the same value when nothing is dropped.
 * `dropped` receives the paths of what was dropped.
 */
export const prune = (node: SchemaNode, value: unknown, path: string, dropped: string[]): unknown =>
  // Usually nothing is dropped, and then no path is needed.
  isKnown(node, value) ? value : pruned(node, value, path, dropped);

function isKnown(node: SchemaNode, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const { items } = node;
  if (Array.isArray(value)) return !items || value.every((item) => isKnown(items, item));
  for (const name in value) {
    const member = node.properties.get(name) ?? node.values;
    if (member ? !isKnown(member, (value as JsonObject)[name]) : !mayStay(node, name)) return false;
  }
  return true;
}

function pruned(node: SchemaNode, value: unknown, path: string, dropped: string[]): unknown {
  if (Array.isArray(value)) return node.items ? pruneItems(node.items, value, path, dropped) : value;
  if (!isObject(value)) return value;
  return pruneMembers(node, value, path, dropped);
}

function pruneItems(items: SchemaNode, list: readonly unknown[], path: string, dropped: string[]): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const kept = pruned(items, list[i], `${path}[${i}]`, dropped);
    if (kept !== list[i]) (copy ??= [...list])[i] = kept;
  }
  return copy ?? list;
}

function pruneMembers(node: SchemaNode, object: JsonObject, path: string, dropped: string[]): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const name in object) {
    // Read once: V8 does not optimize loops that read a member by its name again after a call.
    const given = object[name];
    const member = node.properties.get(name) ?? node.values;
    if (member) {
      const kept = pruned(member, given, join(path, name), dropped);
      if (kept !== given) (copy ??= { ...object })[name] = kept;
    } else if (!mayStay(node, name)) {
      delete (copy ??= { ...object })[name];
      dropped.push(join(path, name));
    }
  }
  return copy ?? object;
}

/** Whether a member stays that the schema does not describe. */
const mayStay = (node: SchemaNode, name: string): boolean => node.preserve || (node.embedded && ENVELOPE.has(name));

/** The fields of every object, whatever its schema. */
const ENVELOPE: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
