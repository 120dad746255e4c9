import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { after, SECOND, type Clock } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';

/** Where a stand-in looks, and by what clock. */
export interface Place {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly namespace: string;
}

/** Tells of every object that is there or changes, until the signal; a watch that ends or breaks is begun again. Objects may come twice. */
export async function followKind<T extends KubeObject>(
  place: Place,
  resource: Resource<T>,
  tell: (object: T) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const object of changesOf(place, resource, signal)) tell(object);
    } catch {
      // Whatever it was, the list that follows tells what was missed.
      if (!signal.aborted) await place.clock.waitUntil(after(place.clock.now(), SECOND), signal).catch(() => undefined);
    }
  }
}

async function* changesOf<T extends KubeObject>(
  { client, namespace }: Place,
  resource: Resource<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const { items, resourceVersion } = await client.list(resource, { namespace });
  yield* items;
  for await (const batch of await client.watch(resource, { namespace, resourceVersion }, signal)) {
    yield* batch.filter(({ type }) => type === 'ADDED' || type === 'MODIFIED').map(({ object }) => object as T);
  }
}
