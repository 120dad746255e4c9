import type { ConfigMap } from '../../api/builtin/index.ts';
import type { Read } from '../../kube/client/read.ts';
import { digest } from './spec-hash.ts';

/** A digest of what a ConfigMap holds: lines `d:key=value`, then `b:key=base64`, each by key. Its labels and annotations are not part of it. */
export function configMapHash({ data = {}, binaryData = {} }: Pick<ConfigMap, 'data' | 'binaryData'>): string {
  return digest([...lines('d', data), ...lines('b', binaryData)].join('\n'));
}

/**
 * What stands for a referenced ConfigMap in the digest of its target. One that does not exist and one that cannot be read each have a mark
 * in place of their content, so that the names stay the same: the first is a state like any other, the second says that the state is not known.
 */
export function configMapPart(name: string, read: Read<ConfigMap>): string {
  if (read.kind === 'value') return configMapHash(read.value);
  return configMapHash({ data: { __sentinel__: `__${read.kind}:${name}__` } });
}

const lines = (mark: 'd' | 'b', entries: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(entries)
    .toSorted()
    .map((key) => `${mark}:${key}=${quoted(entries[key] ?? '')}`);

/** A line of a value must not be taken for the next entry: such a one is marked, and so is one that looks marked. */
const quoted = (value: string): string => value.replaceAll(/\n(?=\\|[db]:)/g, '\n\\');
