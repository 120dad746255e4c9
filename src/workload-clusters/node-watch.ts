import { Node } from '../api/builtin/index.ts';
import type { Clock, Logger, Random } from '../base/index.ts';
import { createClient } from '../kube/client/api-client.ts';
import { ask } from '../kube/client/read-live.ts';
import type { Cache, Change, Keep, Store } from '../kube/cache/cache.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { createCache } from '../kube/cache/create-cache.ts';
import type { Read } from '../kube/client/read.ts';
import type { Transport } from '../kube/client/transport.ts';
import { notingTransport, reasonOf } from './reporting-transport.ts';
import { Standing } from './connection-state.ts';

export interface NodeWatchDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** How much of each Node is kept. */
  readonly keep?: Keep<Node>;
}

/** The Nodes of one cluster over one connection, for as long as it is good. */
export class NodeWatch {
  readonly #cache: Cache;
  readonly #store: Store<Node>;
  readonly #client: KubeClient;
  readonly #standing: Standing;

  constructor(transport: Transport, { keep, clock, random, log }: NodeWatchDeps, tell: (change: Change<Node> | 'seen' | 'unseen') => void) {
    const standing = new Standing(tell);
    const noted = notingTransport(transport, {
      watching: () => standing.watching(),
      failed: (why) => standing.watchFailed(why),
    });
    this.#standing = standing;
    this.#client = createClient(transport);
    this.#cache = createCache({ client: createClient(noted), clock, random, log });
    this.#store = this.#cache.store({ resource: Node, ...(keep !== undefined && { keep }) });
    this.#store.onChange((change) => {
      if (standing.problem === undefined) tell(change);
      else standing.owe();
    });
  }

  /** Why what is known may be the past; undefined while it is the present. */
  get problem(): string | undefined {
    return this.#standing.problem;
  }

  /** Goes on until the signal aborts, whatever the server does. */
  run(signal: AbortSignal): Promise<void> {
    return this.#cache.run(signal);
  }

  /** What is known of a Node now. Who is turned away here hears when it can be seen. */
  get(name: string): Read<Node> {
    const reason = this.problem;
    if (reason !== undefined) {
      this.#standing.owe();
      return { kind: 'unreadable', reason };
    }
    const node = this.#store.get({ namespace: '', name });
    return node ? { kind: 'value', value: node } : { kind: 'absent' };
  }

  fetch(name: string): Promise<Read<Node>> {
    return ask(() => this.#client.get(Node, { namespace: '', name }));
  }

  /** A connection that no longer leads anywhere is silent, like one on which nothing happens: only a question tells. */
  async probe(signal: AbortSignal): Promise<void> {
    try {
      // Small, however many there are.
      await this.#client.list(Node, { fieldSelector: 'metadata.name=none', metadataOnly: true, signal });
      this.#standing.answered();
    } catch (error) {
      if (!signal.aborted) this.#standing.silent(reasonOf(error));
    }
  }
}
