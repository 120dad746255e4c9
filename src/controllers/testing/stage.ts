import type { KindDefinition } from '../../api/define-kind.ts';
import { Namespace } from '../../api/builtin/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { isObject, seededRandom, silent, turn, type Fields, type Logger } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import { createCache } from '../../kube/cache/create-cache.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../kube/client/transport.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { createControlLoop, noMetrics, soleTerm, type CallHandler, type Controller } from '../../runtime/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';

export interface StageOptions {
  readonly kinds: readonly KindDefinition[];
  readonly controllers: readonly Controller[];
  readonly calls?: (deps: { client: KubeClient; log: Logger; clock: ManualClock }) => Readonly<Record<string, CallHandler>>;
}

/** Controllers on a server in memory, with the real schemas: what a status may not hold is refused here too. */
export class Stage {
  readonly clock = new ManualClock();
  readonly api = createMemoryApi({ clock: this.clock, random: seededRandom(1) });
  readonly admin = createClient(this.api);
  /** Phases in the order in which the controllers wrote them. */
  readonly phases: string[] = [];
  /** How every pass ended that did not go through. */
  readonly troubles: string[] = [];
  readonly lines: Fields[] = [];
  /** Reasons of the Events that the controllers told, in order. */
  readonly told: string[] = [];
  /** Answers instead of the server, where it returns something. */
  intercept: Intercept = () => undefined;
  #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #options: StageOptions = { kinds: [], controllers: [] };

  static async start(options: StageOptions): Promise<Stage> {
    const stage = new Stage();
    for (const kind of options.kinds) await installKind(stage.api, kind);
    for (const name of ['sickbay-system', 'shop'])
      await stage.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    stage.#options = options;
    stage.#run(options);
    await stage.settle();
    return stage;
  }

  /** As if the process had died and another had begun, with nothing but what the server has; `controllers` are made for it. */
  async restart(controllers: readonly Controller[]): Promise<void> {
    await this.#halt();
    this.#stop = new AbortController();
    this.#run({ ...this.#options, controllers });
    await this.settle();
  }

  /** Until nothing moves any more at this moment. */
  async settle(): Promise<void> {
    for (let i = 0; i < 60; i++) await turn();
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.settle();
  }

  async end(): Promise<void> {
    await this.#halt();
    this.api.close();
  }

  async #halt(): Promise<void> {
    this.#stop.abort();
    await this.settle();
    await this.#running;
  }

  #run({ controllers, calls }: StageOptions): void {
    const { clock } = this;
    const { signal } = this.#stop;
    const log: Logger = { ...silent, info: (message, fields) => void this.lines.push({ message, ...fields }), with: () => log };
    const cache = createCache({ client: createClient(this.#transport()), clock, random: seededRandom(2) });
    const loop = createControlLoop({
      controllers,
      cache,
      clock,
      random: seededRandom(3),
      log: silent,
      events: { record: (_, { reason }) => Promise.resolve(void this.told.push(reason)) },
      calls: calls?.({ client: cache.client, log, clock }) ?? {},
      metrics: { ...noMetrics, passed: (_, outcome) => this.#note(outcome) },
    });
    this.#running = Promise.all([cache.run(signal), loop.run(soleTerm(signal))]);
  }

  #note(outcome: { readonly kind: string; readonly error?: unknown }): void {
    if (outcome.kind === 'failed') this.troubles.push(String(outcome.error));
  }

  #transport(): Transport {
    return {
      request: async (request, signal) => {
        const answer = this.intercept(request) ?? (await this.api.request(request, signal));
        if (answer.code === 200 && request.path.endsWith('/status')) this.#notePhase(answer.body);
        return answer;
      },
      watch: (request, signal) => this.api.watch(request, signal),
    };
  }

  #notePhase(body: unknown): void {
    const status = isObject(body) && isObject(body.status) ? body.status : {};
    if (typeof status.phase === 'string' && status.phase !== this.phases.at(-1)) this.phases.push(status.phase);
  }
}

type Intercept = (request: ApiRequest) => ApiResponse | undefined;

const refuse =
  (code: number, reason: string, message: string) =>
  (path: RegExp): Intercept =>
  (request) =>
    path.test(request.path)
      ? { code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message, code } }
      : undefined;

/** The server's no to everything that a path matches. */
export const forbid = refuse(403, 'Forbidden', 'not allowed');

/** The server is busy with everything that a path matches. */
export const unavailable = refuse(503, 'ServiceUnavailable', 'not now');
