import { Node } from '../api/builtin/index.ts';
import type { Clock, Logger, Random } from '../base/index.ts';
import { createClient } from '../kube/client/api-client.ts';
import { ask } from '../kube/client/read-live.ts';
import type { Cache, Change, Keep, Store } from '../kube/cache/cache.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { createCache } from '../kube/cache/create-cache.ts';
import type { Read } from '../kube/client/read.ts';
import type { Transport } from '../kube/client/transport.ts';
import { reportingTransport, reasonOf } from './reporting-transport.ts';
import { ConnectionState } from './connection-state.ts';

export interface NodeWatchDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** How much of each Node is kept. */
  readonly keep?: Keep<Node>;
}

/** The Nodes of one cluster over one connection. */
export class NodeWatch {
  readonly #cache: Cache;
  readonly #store: Store<Node>;
  readonly #client: KubeClient;
  readonly #state: ConnectionState;

  constructor(transport: Transport, { keep, clock, random, log }: NodeWatchDeps, tell: (change: Change<Node> | 'seen' | 'unseen') => void) {
    const state = new ConnectionState(tell);
    const noted = reportingTransport(transport, {
      watching: () => state.watching(),
      failed: (why) => state.watchFailed(why),
    });
    this.#state = state;
    this.#client = createClient(transport);
    this.#cache = createCache({ client: createClient(noted), clock, random, log });
    this.#store = this.#cache.store({ resource: Node, ...(keep !== undefined && { keep }) });
    this.#store.onChange((change) => {
      if (state.problem === undefined) tell(change);
      else state.requireNotification();
    });
  }

  /** Why the cached Nodes may be stale; undefined while they are current. */
  get problem(): string | undefined {
    return this.#state.problem;
  }

  /** Runs until the signal aborts, whatever the server does. */
  run(signal: AbortSignal): Promise<void> {
    return this.#cache.run(signal);
  }

  /** Reads a Node from the cache. After a failed read, listeners are notified when it can be read again. */
  get(name: string): Read<Node> {
    const reason = this.problem;
    if (reason !== undefined) {
      this.#state.requireNotification();
      return { kind: 'unreadable', reason };
    }
    const node = this.#store.get({ namespace: '', name });
    return node ? { kind: 'value', value: node } : { kind: 'absent' };
  }

  fetch(name: string): Promise<Read<Node>> {
    return ask(() => this.#client.get(Node, { namespace: '', name }));
  }

  /** A dead connection is as silent as an idle one: only a request shows the difference. */
  async probe(signal: AbortSignal): Promise<void> {
    try {
      // The response is small, however many Nodes there are.
      await this.#client.list(Node, { fieldSelector: 'metadata.name=none', metadataOnly: true, signal });
      this.#state.answered();
    } catch (error) {
      if (!signal.aborted) this.#state.silent(reasonOf(error));
    }
  }
}
