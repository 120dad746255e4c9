import { ConfigMap, resourceOfKind } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { Read } from '../../kube/client/read.ts';
import { configMapRefs } from './config-map-refs.ts';
import type { SeenTarget } from './fingerprint.ts';
import type { Target } from './target-text.ts';

/** Asks the server, not a cache. */
export interface TargetReader {
  fetch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<Read<T>>;
}

/** More than any workload has reason for; those after them count as unreadable. */
export const MOST_CONFIG_MAPS = 128;

/** How many are asked for at once. */
const AT_ONCE = 8;

/** Where a target is read; undefined when its kind is not one that we know. */
export function targetAddress(target: Target): { readonly resource: Resource; readonly key: ObjectKey } | undefined {
  const resource = resourceOfKind(target.kind, target.apiVersion);
  return resource && { resource, key: { namespace: resource.namespaced ? (target.namespace ?? '') : '', name: target.name } };
}

/** Asks the server for a target and for the ConfigMaps that its pods are given. */
export async function readTarget(reader: TargetReader, target: Target): Promise<Read<SeenTarget>> {
  const address = targetAddress(target);
  if (!address) return { kind: 'unreadable', reason: `${target.kind} is not a kind that can be read` };
  const read = await reader.fetch(address.resource, address.key);
  return read.kind === 'value' ? { kind: 'value', value: await withConfigMaps(reader, read.value) } : read;
}

/** The object with the ConfigMaps that its pods are given, from the server; the object itself where there are none. */
export async function withConfigMaps<T extends KubeObject>(reader: TargetReader, object: T): Promise<T & Pick<SeenTarget, 'configMaps'>> {
  const names = configMapRefs(object).slice(0, MOST_CONFIG_MAPS);
  if (names.length === 0) return object;
  const { namespace = '' } = object.metadata;
  const configMaps = new Map<string, Read<ConfigMap>>();
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const wave = names.slice(from, from + AT_ONCE);
    const reads = await Promise.all(wave.map((name) => reader.fetch(ConfigMap, { namespace, name })));
    reads.forEach((read, index) => configMaps.set(wave[index] ?? '', read));
  }
  return { ...object, configMaps };
}
