import type { KubeObject, Status } from '../api/meta.ts';
import { after, PlatformError, type Instant, type Random } from '../base/index.ts';
import type { ApiRequest, ApiResponse, Transport, WatchLine, WatchStream } from '../kube/client/transport.ts';
import { faultText, requestPointName, watchPointName, type FaultSource, type Injected, type RequestFault } from './fault.ts';
import type { Journal } from './journal.ts';
import { RepeatedCreates } from './repeated-creates.ts';
import type { Life, Replica } from './replica.ts';
import type { VirtualTime } from './virtual-time.ts';
import { expiredStatus, WatchPipe } from './watch-pipe.ts';

/** The network between the replicas and the server. */
export interface Network {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly server: Transport;
  readonly faults: FaultSource;
  readonly journal: Journal;
  readonly injected: Injected[];
  readonly counts: Map<string, number>;
  readonly openPipes: Set<WatchPipe>;
  /** Requests that left and have not arrived. */
  readonly late: Set<ApiRequest>;
  /** Kinds that are kept single by their names alone, by plural. */
  readonly raced: readonly string[];
  isDown(): boolean;
  violate(text: string): void;
}

/** One life's way to the server: each request is two hops of virtual time, and each hop can go wrong. */
export class ReplicaTransport implements Transport {
  readonly #network: Network;
  readonly #replica: Replica;
  readonly #life: Life;
  readonly #repeatedCreates: RepeatedCreates;
  /** Collections whose last watch hid events and broke: the next one is told to list again. */
  readonly #expired = new Set<string>();

  constructor(network: Network, replica: Replica, life: Life) {
    this.#network = network;
    this.#replica = replica;
    this.#life = life;
    this.#repeatedCreates = new RepeatedCreates(network.raced);
  }

  request(request: ApiRequest): Promise<ApiResponse> {
    const verb = request.method === 'GET' ? 'read' : 'write';
    const objection = this.#repeatedCreates.objection(request);
    if (objection !== undefined && this.#life.alive) this.#network.violate(`${this.#replica.name} ${objection}`);
    return this.#send(request, verb, async () => {
      const answer = await this.#network.server.request(request);
      if (answer.code < 300) this.#repeatedCreates.accepted(request, answer.body);
      return answer;
    });
  }

  watch(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse | WatchStream> {
    return this.#send<ApiResponse | WatchStream>(request, 'watch', async () => {
      if (this.#expired.delete(request.path)) return { code: 410, body: expiredStatus };
      const hangUp = new AbortController();
      const answer = await this.#network.server.watch(request, hangUp.signal);
      if (!('lines' in answer)) return answer;
      const pipe = this.#pipe(request, answer, hangUp);
      if (signal.aborted) pipe.abandon();
      else signal.addEventListener('abort', () => pipe.abandon(), { once: true });
      return pipe;
    });
  }

  #send<Answer extends ApiResponse | WatchStream>(
    request: ApiRequest,
    verb: 'read' | 'write' | 'watch',
    serve: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!this.#life.alive) return never();
    const fault = this.#faultAt(request, verb);
    if (fault?.kind === 'CrashBefore') {
      this.#replica.crash(this.#downTime());
      return never();
    }
    if (fault?.kind === 'Freeze') this.#replica.freeze(fault.ms);
    return new Promise((resolve, reject) => {
      const hop: Hop<Answer> = { request, fault, serve, resolve, reject };
      const leave = after(this.#network.time.now(), this.#latency() + (fault?.kind === 'Delay' ? fault.ms : 0));
      // A delayed request is on the wire and arrives even if its sender dies; what a frozen process has not sent dies with it.
      if (fault?.kind === 'Delay') this.#arriveLate(hop, leave);
      else this.#replica.deliver(this.#life, leave, () => void this.#arrive(hop));
    });
  }

  #arriveLate<Answer extends ApiResponse | WatchStream>(hop: Hop<Answer>, due: Instant): void {
    this.#network.late.add(hop.request);
    this.#network.time.at(due, () => {
      this.#network.late.delete(hop.request);
      void this.#arrive(hop);
    });
  }

  async #arrive<Answer extends ApiResponse | WatchStream>(hop: Hop<Answer>): Promise<void> {
    const { fault } = hop;
    if (this.#network.isDown() || fault?.kind === 'LostRequest') return this.#breakOff(hop);
    if (fault?.kind === 'Refuse') return this.#reply(hop, refusal(fault.code) as Answer);
    const answer = await hop.serve();
    this.#network.journal.note(this.#replica.name, () => `${requestText(hop.request)} → ${answerText(answer)}`);
    if (fault?.kind === 'CrashAfter') return this.#replica.crash(this.#downTime());
    if (fault?.kind === 'LostReply') return this.#breakOff(hop);
    this.#reply(hop, answer);
  }

  #reply<Answer>(hop: Hop<Answer>, answer: Answer): void {
    this.#replica.deliver(this.#life, after(this.#network.time.now(), this.#latency()), () => hop.resolve(answer));
  }

  #breakOff(hop: Pick<Hop<never>, 'reject'>): void {
    const error = new PlatformError('Unavailable', 'the connection broke before an answer came');
    this.#replica.deliver(this.#life, after(this.#network.time.now(), this.#latency()), () => hop.reject(error));
  }

  #pipe(request: ApiRequest, stream: WatchStream, hangUp: AbortController): WatchPipe {
    const { time, random, openPipes } = this.#network;
    const close = (owesExpiry: boolean): void => {
      openPipes.delete(pipe);
      this.#life.atDeath.delete(die);
      if (owesExpiry) this.#expired.add(request.path);
    };
    const pipe: WatchPipe = new WatchPipe({
      time,
      random,
      replica: this.#replica,
      life: this.#life,
      source: stream.lines,
      hangUp: () => hangUp.abort(new PlatformError('Unavailable', 'the watch was hung up')),
      faultFor: (batch) => this.#eventFaultAt(batch),
      onArrival: (batch) => this.#repeatedCreates.arrived(request.path, batch),
      onClosed: close,
    });
    const die = (): void => pipe.abandon();
    openPipes.add(pipe);
    this.#life.atDeath.add(die);
    return pipe;
  }

  #faultAt(request: ApiRequest, verb: 'read' | 'write' | 'watch'): RequestFault | undefined {
    const { network, name } = this.#context();
    const point = {
      kind: 'request' as const,
      replica: name,
      verb,
      index: this.#count(`${name} ${verb}`),
      text: () => requestText(request),
    };
    const fault = network.faults.onRequest(point);
    if (fault) this.#inject(requestPointName(point), fault, point.text);
    return fault;
  }

  #eventFaultAt(batch: readonly WatchLine[]): ReturnType<FaultSource['onEvents']> {
    const { network, name } = this.#context();
    const point = { kind: 'events' as const, replica: name, index: this.#count(`${name} events`), text: () => batchText(batch) };
    const fault = network.faults.onEvents(point);
    if (fault) this.#inject(watchPointName(point), fault, point.text);
    return fault;
  }

  #inject(point: string, fault: Injected['fault'], text: () => string): void {
    this.#network.injected.push({ point, fault });
    this.#network.journal.note(this.#replica.name, () => `✗ ${faultText(fault)} at ${point}: ${text()}`);
  }

  #context(): { network: Network; name: string } {
    return { network: this.#network, name: this.#replica.name };
  }

  #count(name: string): number {
    const next = (this.#network.counts.get(name) ?? 0) + 1;
    this.#network.counts.set(name, next);
    return next;
  }

  #latency(): number {
    return 1 + this.#network.random.int(5);
  }

  #downTime(): number {
    return 500 + this.#network.random.int(4_000);
  }
}

interface Hop<Answer> {
  readonly request: ApiRequest;
  readonly fault: RequestFault | undefined;
  readonly serve: () => Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

function refusal(code: 409 | 429 | 500): ApiResponse {
  const reason = { 409: 'Conflict', 429: 'TooManyRequests', 500: 'InternalError' }[code];
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    message: `${reason} (injected)`,
    code,
  };
  return { code, body: status };
}

function requestText(request: ApiRequest): string {
  const name = (request.body as Partial<KubeObject> | undefined)?.metadata?.name;
  const body = request.method === 'PATCH' ? ` ${JSON.stringify(request.body)}` : '';
  return `${request.method} ${request.path}${request.method === 'POST' && name !== undefined ? `/${name}` : ''}${body}`;
}

function answerText(answer: ApiResponse | WatchStream): string {
  if ('lines' in answer) return 'watching';
  const body = answer.body as { metadata?: { resourceVersion?: string }; reason?: string } | undefined;
  if (answer.code >= 300) return `${answer.code} ${body?.reason ?? ''}`.trim();
  return body?.metadata?.resourceVersion === undefined ? String(answer.code) : `${answer.code} version ${body.metadata.resourceVersion}`;
}

const batchText = (batch: readonly WatchLine[]): string =>
  batch.map((line) => `${line.type} ${line.object.kind}/${line.object.metadata?.name ?? ''}`).join(', ');
