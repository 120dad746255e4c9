import { keyOf, keyText, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { KubeClient } from '../../kube/client/client.ts';

/** What is watched. */
export interface WatchedKind<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly namespace: string;
  readonly labelSelector?: string;
}

/**
 * Watches objects until `judge` returns a value: it sees all of them, once at first and then after every change.
 * Rejects when the signal aborts.
 */
export async function until<T extends KubeObject, Found>(
  client: KubeClient,
  watched: WatchedKind<T>,
  judge: (objects: readonly T[]) => Found | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const { resource, ...where } = watched;
  for (;;) {
    signal.throwIfAborted();
    const list = await client.list(resource, { ...where, signal });
    const objects = new Map(list.items.map((object) => [keyText(keyOf(object)), object]));
    const found = judge([...objects.values()]) ?? (await seen(objects, list.resourceVersion));
    if (found !== undefined) return found;
  }

  async function seen(objects: Map<string, T>, resourceVersion: string): Promise<Found | undefined> {
    for await (const lines of await client.watch(resource, { ...where, resourceVersion }, signal)) {
      for (const { type, object } of lines) {
        if (type === 'DELETED') objects.delete(keyText(keyOf(object)));
        else if (type === 'ADDED' || type === 'MODIFIED') objects.set(keyText(keyOf(object)), object as T);
        const found = judge([...objects.values()]);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}
