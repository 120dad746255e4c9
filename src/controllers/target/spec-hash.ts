import { createHash } from 'node:crypto';
import { ConfigMap, Node, wishOf } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';

/**
 * A digest of the object's spec that does not depend on the order of members or of list elements, so that two readers agree on it and a
 * difference means that the object was changed. What a ConfigMap holds is its spec; any other object without one hashes as an empty one. Of
 * the taints of a Node only those count that the cluster does not set by itself: the others come and go with its state.
 */
export const specHash = (object: KubeObject & { readonly spec?: unknown }): string =>
  digest(canonicalText(object.kind === Node.kind ? wishOf(object as Node) : (object.spec ?? contentOf(object))));

function contentOf(object: KubeObject): object {
  if (object.kind !== ConfigMap.kind) return {};
  const { data, binaryData } = object as ConfigMap;
  return { data, binaryData };
}

/** `sha256:` and 64 hex digits. */
export const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/**
 * JSON with members sorted by key, list elements by their own canonical text, and scalars as they are. The words of a command are another
 * command in another order: what holds some is written with `listsInOrder`.
 */
export function canonicalText(value: unknown, options: { readonly listsInOrder?: boolean } = {}): string {
  const textOf = (part: unknown): string => canonicalText(part, options);
  if (Array.isArray(value)) {
    const elements = value.map(textOf);
    return `[${(options.listsInOrder === true ? elements : elements.toSorted()).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(member)}`);
  return `{${members.toSorted().join(',')}}`;
}
