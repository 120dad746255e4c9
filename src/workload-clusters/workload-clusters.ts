import { keyText, type ObjectKey } from '../api/meta.ts';
import { messageOf } from '../base/index.ts';
import { Link, type LinkDeps } from './link.ts';
import type { NodeRead, NodesChange, WorkloadNodes } from './workload-nodes.ts';

interface Opened {
  readonly link: Link;
  readonly stop: AbortController;
}

/** All clusters whose Nodes were read. Without listeners no connection is opened: a process that does not lead follows no cluster. */
export class WorkloadClusters implements WorkloadNodes {
  readonly #deps: LinkDeps;
  readonly #opened = new Map<string, Opened>();
  readonly #ending = new Set<Promise<void>>();
  readonly #listeners = new Set<(change: NodesChange) => void>();

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  get(cluster: ObjectKey, name: string): NodeRead {
    return this.#linkTo(cluster)?.get(name) ?? NOBODY_LISTENS;
  }

  async fetch(cluster: ObjectKey, name: string): Promise<NodeRead> {
    return (await this.#linkTo(cluster)?.fetch(name)) ?? NOBODY_LISTENS;
  }

  isLocal(cluster: ObjectKey): boolean | undefined {
    return this.#opened.get(keyText(cluster))?.link.isLocal;
  }

  onChange(listener: (change: NodesChange) => void): () => void {
    // Wrapped, so that a function registered twice is called twice and each registration ends by itself.
    const entry = (change: NodesChange): void => listener(change);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.#closeAll();
    };
  }

  /** How many clusters are followed. */
  get size(): number {
    return this.#opened.size;
  }

  /** Resolves when every connection that was closed has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #linkTo(cluster: ObjectKey): Link | undefined {
    if (this.#listeners.size === 0) return undefined;
    return (this.#opened.get(keyText(cluster)) ?? this.#open(cluster)).link;
  }

  #open(cluster: ObjectKey): Opened {
    const key = keyText(cluster);
    const stop = new AbortController();
    const link = new Link(cluster, this.#deps, (change) => this.#tell({ cluster, change }));
    const opened = { link, stop };
    this.#opened.set(key, opened);
    const running: Promise<void> = link.run(stop.signal).finally(() => {
      this.#ending.delete(running);
      if (this.#opened.get(key) === opened) this.#opened.delete(key);
    });
    this.#ending.add(running);
    return opened;
  }

  #closeAll(): void {
    for (const { stop } of this.#opened.values()) stop.abort(new Error('no listener is left'));
    this.#opened.clear();
  }

  #tell(change: NodesChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        // An error in one listener must affect neither the other listeners nor the connection.
        this.#deps.log.error('a listener threw', { cluster: keyText(change.cluster), error: messageOf(error) });
      }
    }
  }
}

const NOBODY_LISTENS: NodeRead = { kind: 'unreadable', reason: 'this process does not lead, so that it follows no other clusters' };
