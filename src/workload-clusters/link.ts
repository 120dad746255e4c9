import { Secret, type Node } from '../api/builtin/index.ts';
import { keyText, type ObjectKey } from '../api/meta.ts';
import { after, backoffDelay, clip, MINUTE, SECOND, type Backoff } from '../base/index.ts';
import { createClient } from '../kube/client/api-client.ts';
import { ask } from '../kube/client/read-live.ts';
import type { Change } from '../kube/cache/cache.ts';
import type { KubeClient } from '../kube/client/client.ts';
import type { HttpConfig } from '../kube/http/http-config.ts';
import type { HttpTransport } from '../kube/http/http-transport.ts';
import { clusterAccessIn, kubeconfigSecretOf, type Access } from './access.ts';
import { clusterId } from './cluster-id.ts';
import { NodeWatch, type NodeWatchDeps } from './node-watch.ts';
import { reasonOf } from './reporting-transport.ts';
import { NOT_LISTED } from './connection-state.ts';
import type { NodeRead } from './workload-nodes.ts';

export interface LinkDeps extends NodeWatchDeps {
  /** The local cluster, which has the Secrets. */
  readonly client: KubeClient;
  /** Opens a connection to another cluster. */
  readonly open: (config: HttpConfig) => HttpTransport;
  /** Whether the Nodes of a cluster are still needed; checked periodically. */
  readonly isWanted: (cluster: ObjectKey) => boolean;
}

/** How often the Secret is read again, and a cluster probed. */
const LOOK_EVERY_MS = MINUTE;
const LOOK_AGAIN: Backoff = { baseMs: SECOND, maxMs: 30 * SECOND, jitter: 1 };
/** The longest text of a remote server that is copied into a status. */
const MOST_WORDS = 300;
const LIMITS = { connections: 4, connectMs: 10 * SECOND, answerMs: 20 * SECOND, bodyMs: 20 * SECOND };

/** What the Secret connects to: the local cluster, or another one over a connection that is closed with it. */
interface Line {
  readonly text: string;
  readonly server: string;
  /** Undefined for the local cluster. */
  readonly nodes: NodeWatch | undefined;
  end(): Promise<void>;
}

/**
 * What leads to one cluster: its Secret, read again and again, and one connection for as long as the Secret is unchanged.
 *
 *   Secret ──absent, of no use──▶ no connection
 *      │  └──not readable now──▶ whatever there is, goes on, and is asked as ever
 *      └─says something new──▶ connection: is it our own cluster? ─no─▶ NodeWatch
 */
export class Link {
  readonly #cluster: ObjectKey;
  readonly #deps: LinkDeps;
  readonly #tell: (change: Change<Node> | 'seen' | 'unseen') => void;
  #line: Line | undefined;
  #why = NOT_LISTED;
  #toldWhy: string | undefined;
  #hurry: () => void = () => undefined;

  constructor(cluster: ObjectKey, deps: LinkDeps, tell: (change: Change<Node> | 'seen' | 'unseen') => void) {
    this.#cluster = cluster;
    this.#deps = { ...deps, log: deps.log.with({ cluster: keyText(cluster) }) };
    this.#tell = tell;
  }

  /** Undefined while there is no connection. */
  get isLocal(): boolean | undefined {
    return this.#line && this.#line.nodes === undefined;
  }

  get(name: string): NodeRead {
    if (this.isLocal) return { kind: 'local' };
    return this.#explained(this.#line?.nodes?.get(name) ?? { kind: 'unreadable', reason: this.#why });
  }

  async fetch(name: string): Promise<NodeRead> {
    if (this.isLocal) return { kind: 'local' };
    return this.#explained((await this.#line?.nodes?.fetch(name)) ?? { kind: 'unreadable', reason: this.#why });
  }

  /** Runs until the signal aborts or the Nodes are not needed any more; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    do {
      await this.#look(signal).catch((error: unknown) => this.#cannot(reasonOf(error)));
      failures = this.#problem === undefined ? 0 : failures + 1;
      await this.#pause(failures === 0 ? LOOK_EVERY_MS : backoffDelay(LOOK_AGAIN, failures, this.#deps.random), signal);
    } while (!signal.aborted && this.#deps.isWanted(this.#cluster));
    await this.#hangUp();
  }

  get #problem(): string | undefined {
    if (this.#line === undefined) return this.#why;
    return this.#line.nodes?.problem;
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { client } = this.#deps;
    const secret = await ask(() => client.get(Secret, kubeconfigSecretOf(this.#cluster), { signal }), signal);
    const access = clusterAccessIn(secret, this.#cluster);
    const line = this.#line;
    if (line && isStillGood(access, line)) return line.nodes?.probe(signal);
    await this.#hangUp();
    if (access.kind === 'access') await this.#connect(access, signal);
    else this.#cannot(access.why);
  }

  async #connect({ config, text }: Extract<Access, { kind: 'access' }>, signal: AbortSignal): Promise<void> {
    const server = new URL(config.server).origin;
    const transport = this.#deps.open({ ...config, limits: LIMITS });
    try {
      const id = await clusterId(createClient(transport), signal);
      const isOwn = id !== undefined && id === (await clusterId(this.#deps.client, signal));
      this.#line = isOwn ? ownLine({ text, server, transport }) : this.#follow({ text, server, transport });
      this.#deps.log.info(isOwn ? 'this Cluster is the local cluster: its Nodes are the local Nodes' : 'following the Nodes of a cluster', {
        server,
      });
      if (isOwn) this.#tell('seen');
    } catch (error) {
      await closed(transport);
      this.#cannot(this.#at(server, reasonOf(error)));
    }
  }

  #follow({ text, server, transport }: Opened): Line {
    const stop = new AbortController();
    const nodes = new NodeWatch(transport, this.#deps, (change) => {
      if (change === 'unseen') this.#hurry();
      this.#tell(change);
    });
    const running = nodes.run(stop.signal);
    const end = async (): Promise<void> => {
      stop.abort(new Error('the connection is not needed any more'));
      await closed(transport);
      await running;
    };
    return { text, server, nodes, end };
  }

  /** Why there is no connection. */
  #cannot(why: string): void {
    this.#why = clip(why, MOST_WORDS);
    if (this.#toldWhy === this.#why) return;
    this.#toldWhy = this.#why;
    this.#deps.log.warn('the Nodes of a cluster cannot be read', { why: this.#why });
    this.#tell('unseen');
  }

  async #hangUp(): Promise<void> {
    const line = this.#line;
    if (!line) return;
    this.#line = undefined;
    this.#why = NOT_LISTED;
    this.#toldWhy = undefined;
    await line.end();
  }

  #explained(read: NodeRead): NodeRead {
    if (read.kind !== 'unreadable') return read;
    const why = this.#line ? this.#at(this.#line.server, clip(read.reason, MOST_WORDS)) : read.reason;
    return { kind: 'unreadable', reason: `the Nodes of the cluster ${this.#cluster.name} cannot be read: ${why}` };
  }

  #at(server: string, why: string): string {
    const { namespace, name } = kubeconfigSecretOf(this.#cluster);
    return `${server} (Secret ${namespace}/${name}): ${why}`;
  }

  /** Waits until the next check is due or the connection fails. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const early = new AbortController();
    const over = (): void => early.abort(new Error('checked early'));
    this.#hurry = over;
    signal.addEventListener('abort', over, { once: true });
    if (!signal.aborted) await clock.waitUntil(after(clock.now(), ms), early.signal).catch(() => undefined);
    signal.removeEventListener('abort', over);
    this.#hurry = () => undefined;
  }
}

/** While the Secret cannot be read, its last content stays valid. */
const isStillGood = (access: Access, { text }: Line): boolean =>
  access.kind === 'unknown' || (access.kind === 'access' && access.text === text);

type Opened = Pick<Line, 'text' | 'server'> & { readonly transport: HttpTransport };

const ownLine = ({ text, server, transport }: Opened): Line => ({ text, server, nodes: undefined, end: () => closed(transport) });

/** Errors while closing a connection are ignored. */
const closed = (transport: HttpTransport): Promise<void> => transport.close().catch(() => undefined);
