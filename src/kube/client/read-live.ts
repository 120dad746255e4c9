import type { KubeObject } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { hasCode, messageOf } from '../../base/index.ts';
import type { KubeClient, ListOptions } from './client.ts';
import { isOfUnknownKind } from './errors.ts';
import type { Listed, Read } from './read.ts';

/** Reads from the server, three ways. A failure after `signal` aborted is thrown: stopping is not a state of the world. */
export async function ask<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<Read<T>> {
  try {
    return { kind: 'value', value: await read() };
  } catch (error) {
    if (signal?.aborted) throw error;
    if (!hasCode(error, 'NotFound')) return { kind: 'unreadable', reason: messageOf(error) };
    return isOfUnknownKind(error) ? { kind: 'absent', isKindUnknown: true } : { kind: 'absent' };
  }
}

/** Lists from the server. A collection that is not found is a kind that is not served, not an empty list. */
export async function askList<T extends KubeObject>(client: KubeClient, resource: Resource<T>, options: ListOptions): Promise<Listed<T>> {
  const read = await ask(() => client.list(resource, options), options.signal);
  if (read.kind === 'value') return { kind: 'value', value: read.value.items };
  return read.kind === 'absent' ? { kind: 'unreadable', reason: `${resourceName(resource)} is not served` } : read;
}
