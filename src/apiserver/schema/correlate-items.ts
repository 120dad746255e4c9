import { isObject } from '../../base/index.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * Finds the old value of a list item. Only items of lists with map keys can be correlated between versions;
 * in others every item counts as new.
 */
export function correlateItems(node: SchemaNode, old: unknown): (item: unknown) => unknown {
  if (node.listType !== 'map' || !Array.isArray(old)) return () => undefined;
  const before = new Map((old as readonly unknown[]).map((item) => [keyText(node, item), item]));
  return (item) => before.get(keyText(node, item));
}

const keyText = (node: SchemaNode, item: unknown): string =>
  isObject(item) ? JSON.stringify(node.listKeys.map((name) => item[name])) : '';
