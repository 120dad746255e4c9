import { Node, Secret, type NodeCondition } from '../../api/builtin/index.ts';
import type { ObjectKey, Status } from '../../api/meta.ts';
import { LABELS } from '../../api/well-known.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { PlatformError, seededRandom, toTime, turn, type Clock } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { HttpConfig } from '../../kube/http/http-config.ts';
import type { HttpTransport } from '../../kube/http/http-transport.ts';
import type { Transport, WatchLine } from '../../kube/client/transport.ts';
import { kubeconfigSecretOf } from '../access.ts';
import { base64, kubeconfig } from './a-kubeconfig.ts';

/** One cluster in memory, whose server can be stopped and which knows one token. */
export class FarCluster {
  readonly admin: KubeClient;
  readonly #api: ReturnType<typeof createMemoryApi>;
  readonly #clock: Clock;
  #cut = new AbortController();
  isUp = true;
  /** Takes questions and answers none. */
  isMute = false;
  /** Answers the next watch that what it asks for is too long ago. */
  isForgetful = false;
  /** The error in the stream of a watch that it accepted, right at the start; no error when undefined. */
  streamFault: () => Partial<Status> | undefined = () => undefined;
  token = 't';
  /** Requests that came in, watches included. */
  requests = 0;

  constructor(clock: Clock, seed: number) {
    this.#clock = clock;
    this.#api = createMemoryApi({ clock, random: seededRandom(seed) });
    this.admin = createClient(this.#api);
  }

  /** The server is gone, and every connection with it. */
  stop(): void {
    this.isUp = false;
    this.#cut.abort(new Error('connection reset'));
    this.#cut = new AbortController();
  }

  /** As servers do now and then: no failure. */
  endWatches(): void {
    this.#cut.abort('time is up');
    this.#cut = new AbortController();
  }

  close(): void {
    this.#api.close();
  }

  async addNode(name: string, status: NodeCondition['status'] = 'True'): Promise<void> {
    await this.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await this.turnReady(name, status);
  }

  async turnReady(name: string, status: NodeCondition['status']): Promise<void> {
    const now = toTime(this.#clock.now());
    const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: now, lastHeartbeatTime: now };
    await this.admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions: [ready] } } });
  }

  /** As a client with this token sees it. */
  seenWith(authorization: string | undefined): Transport {
    const answering = (signal: AbortSignal | undefined): Promise<void> => this.#answering(authorization, signal);
    return {
      request: async (request, signal) => {
        await answering(signal);
        return this.#api.request(request, signal);
      },
      watch: async (request, signal) => {
        await answering(signal);
        if (this.isForgetful) {
          this.isForgetful = false;
          return { code: 410, body: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };
        }
        const fault = this.streamFault();
        if (fault) return { code: 200, lines: errorLine(fault) };
        const cut = this.#cut.signal;
        const answer = await this.#api.watch(request, AbortSignal.any([signal, cut]));
        return 'lines' in answer ? { code: 200, lines: cutOff(answer.lines, cut) } : answer;
      },
    };
  }

  async #answering(authorization: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    this.requests++;
    if (!this.isUp) throw new Error('connect ECONNREFUSED');
    if (this.isMute) throw new PlatformError('Unavailable', 'no answer in 20 s');
    if (authorization !== `Bearer ${this.token}`) throw new PlatformError('Unauthorized', 'Unauthorized');
    signal?.throwIfAborted();
    await Promise.resolve();
  }
}

async function* errorLine(status: Partial<Status>): AsyncIterable<readonly WatchLine[]> {
  // It takes another packet.
  await turn();
  yield [{ type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', metadata: {}, ...status } as unknown as WatchLine['object'] }];
}

async function* cutOff(lines: AsyncIterable<readonly WatchLine[]>, cut: AbortSignal): AsyncIterable<readonly WatchLine[]> {
  yield* lines;
  if (cut.reason instanceof Error) throw cut.reason;
}

/** Connections to clusters in memory, by the address in the kubeconfig. */
export class Network {
  readonly #clusters = new Map<string, FarCluster>();
  /** Connections that were opened and not closed. */
  open = 0;

  add(server: string, cluster: FarCluster): void {
    this.#clusters.set(new URL(server).origin, cluster);
  }

  readonly connect = (config: HttpConfig): HttpTransport => {
    const cluster = this.#clusters.get(new URL(config.server).origin);
    if (!cluster) throw new PlatformError('Unavailable', 'getaddrinfo ENOTFOUND');
    this.open++;
    const { headers } = config.identity as { readonly headers?: Readonly<Record<string, string>> };
    return { ...cluster.seenWith(headers?.['authorization']), close: () => Promise.resolve(void this.open--) };
  };
}

/** Puts the kubeconfig of a cluster where Cluster API keeps it. */
export async function putKubeconfig(admin: KubeClient, cluster: ObjectKey, access: { server: string; token?: string }): Promise<void> {
  const { server, token = 't' } = access;
  const key = kubeconfigSecretOf(cluster);
  const data = { value: base64(kubeconfig({ server, user: { token } })) };
  const metadata = { ...key, labels: { [LABELS.clusterName]: cluster.name } };
  const isThere = await admin.get(Secret, key).then(
    () => true,
    () => false,
  );
  if (isThere) await admin.patch(Secret, key, { type: 'merge', body: { data } });
  else await admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'cluster.x-k8s.io/secret', data });
}
