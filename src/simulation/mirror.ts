import { keyOf, keyText, type KubeObject, type ObjectKey } from '../api/meta.ts';
import { resourceName, type Resource } from '../api/resource.ts';
import type { KubeClient } from '../kube/client/client.ts';

/** The server's true state, followed without delay: what invariants judge and what the world around the processes reacts to. */
export interface Mirror {
  follow(resource: Resource, signal: AbortSignal): Promise<void>;
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined;
  all<T extends KubeObject>(resource: Resource<T>): readonly T[];
  onChange(listener: (change: MirrorChange) => void): void;
  /** How often each object was created, by `plural.group namespace/name`. */
  readonly created: ReadonlyMap<string, number>;
}

export interface MirrorChange {
  readonly resource: Resource;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

interface Table {
  readonly objects: Map<string, KubeObject>;
  /** The objects as they are now, made when first asked for. */
  list: readonly KubeObject[] | undefined;
}

/** Follows through ordinary watches, so that it sees every committed change, in order. */
export function createMirror(client: KubeClient): Mirror {
  const tables = new Map<string, Table>();
  /** Names are put together once: invariants ask for tables after every step. */
  const known = new Map<Resource, Table>();
  const created = new Map<string, number>();
  const listeners: ((change: MirrorChange) => void)[] = [];

  const tableOf = (resource: Resource): Table => {
    const table = known.get(resource);
    if (table) return table;
    const name = resourceName(resource);
    const made = tables.get(name) ?? { objects: new Map<string, KubeObject>(), list: undefined };
    tables.set(name, made);
    known.set(resource, made);
    return made;
  };

  const apply = (resource: Resource, type: string, object: KubeObject): void => {
    const table = tableOf(resource);
    const key = keyText(keyOf(object));
    const before = table.objects.get(key);
    const after = type === 'DELETED' ? undefined : object;
    if (after) table.objects.set(key, after);
    else table.objects.delete(key);
    table.list = undefined;
    if (type === 'ADDED') {
      const name = `${resourceName(resource)} ${key}`;
      created.set(name, (created.get(name) ?? 0) + 1);
    }
    for (const listener of listeners) listener({ resource, before, after });
  };

  const pump = async (resource: Resource, from: string, signal: AbortSignal): Promise<void> => {
    for await (const batch of await client.watch(resource, { resourceVersion: from }, signal)) {
      for (const line of batch) if (line.type !== 'BOOKMARK' && line.type !== 'ERROR') apply(resource, line.type, line.object);
    }
  };

  return {
    async follow(resource, signal) {
      const list = await client.list(resource);
      for (const object of list.items) apply(resource, 'ADDED', object);
      void pump(resource, list.resourceVersion, signal);
    },
    get: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) => tableOf(resource).objects.get(keyText(key)) as T | undefined,
    all: <T extends KubeObject>(resource: Resource<T>) => {
      const table = tableOf(resource);
      table.list ??= [...table.objects.values()];
      return table.list as unknown as readonly T[];
    },
    onChange: (listener) => void listeners.push(listener),
    created,
  };
}
