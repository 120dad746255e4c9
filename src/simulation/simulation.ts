import { createMemoryApi, SchemaLibrary, type MemoryApi } from '../apiserver/index.ts';
import { after, instant, messageOf, PlatformError, seededRandom, turn, type Clock, type Instant, type Random } from '../base/index.ts';
import { createClient } from '../kube/client/api-client.ts';
import type { KubeClient } from '../kube/client/client.ts';
import type { ApiRequest, ApiResponse, Transport } from '../kube/client/transport.ts';
import type { Resource } from '../api/resource.ts';
import { beatPointName, faultText, type AmbientFault, type FaultSource, type Injected } from './fault.ts';
import { createJournal, journalLogger, type Journal } from './journal.ts';
import { createMirror, type Mirror } from './mirror.ts';
import { ReplicaTransport, type Network } from './replica-transport.ts';
import { Replica, type Boot, type Life } from './replica.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';
import type { WatchPipe } from './watch-pipe.ts';

/** Something that must be true after every step; it returns what is wrong. */
export interface Invariant {
  readonly name: string;
  check(mirror: Mirror): string | undefined;
}

export interface SimulationOptions {
  readonly seed: number;
  readonly faults: FaultSource;
  /** Shared by runs that install the same frozen CRDs, which then are checked and prepared once. */
  readonly schemas?: SchemaLibrary;
  /** Kinds, by plural, that processes may create again without having looked, since their names alone keep them single. */
  readonly raced?: readonly string[];
}

/** A server beside the cluster's; undefined for what is not its to answer. */
export type Neighbour = (request: ApiRequest) => ApiResponse | undefined;

/** How a run ended. */
export interface RunEnd {
  readonly settled: boolean;
  readonly steps: number;
  readonly virtualMs: number;
}

/** 03:00 on a November night. Any fixed moment would do. */
export const SIMULATION_START = instant(1_794_711_600_000);
const BEAT_MS = 5_000;
/** Whatever a late request could still upset shows within this time. */
const STAYS_SETTLED_MS = 30_000;

/**
 * The whole system on one thread in virtual time, from a seed: a memory API, replicas that reach it over a network that
 * fails, and a mirror of the truth that invariants judge after every step.
 */
export class Simulation {
  readonly time: VirtualTime = createVirtualTime(SIMULATION_START);
  readonly journal: Journal = createJournal(() => this.time.now());
  /** The clock of the world around the processes; it is never set. */
  readonly clock: Clock = { now: () => this.time.now(), waitUntil: (at, signal) => this.#waitUntil(at, signal) };
  readonly random: Random;
  readonly api: MemoryApi;
  /** Reaches the server directly and at once: for setting up, for people, and for what is not under test. */
  readonly admin: KubeClient;
  readonly mirror: Mirror;
  readonly replicas = new Map<string, Replica>();
  readonly injected: Injected[] = [];
  readonly violations: string[] = [];
  readonly counts = new Map<string, number>();
  /** Servers beside the cluster's, which replicas reach over the same network: the first that has an answer gives it. */
  readonly neighbours: Neighbour[] = [];
  readonly #faults: FaultSource;
  readonly #invariants: Invariant[] = [];
  readonly #network: Network;
  readonly #end = new AbortController();
  #downUntil: Instant = SIMULATION_START;
  #faultsEnd: Instant = SIMULATION_START;
  #beats = 0;
  #collecting = false;

  constructor(options: SimulationOptions) {
    this.random = seededRandom(options.seed);
    this.#faults = options.faults;
    this.api = createMemoryApi({
      clock: this.clock,
      random: this.random,
      garbageCollection: 'manual',
      schemas: options.schemas ?? new SchemaLibrary(),
    });
    this.admin = createClient(this.api);
    this.mirror = createMirror(this.admin);
    this.#network = this.#makeNetwork(options.raced ?? []);
  }

  /** Follows a kind in the mirror; invariants see only what is followed. */
  follow(resource: Resource): Promise<void> {
    return this.mirror.follow(resource, this.#end.signal);
  }

  /** Demands that something holds after every step. */
  require(invariant: Invariant): void {
    this.#invariants.push(invariant);
  }

  /** Adds a process; it starts with the run. */
  addReplica(name: string, boot: Boot): Replica {
    const replica = new Replica({ name, time: this.time, journal: this.journal, start: (self, life) => this.#boot(self, life, boot) });
    this.replicas.set(name, replica);
    this.time.at(this.time.now(), () => replica.start());
    return replica;
  }

  /** Does something in the world around the processes after a while. */
  later(ms: number, who: string, action: () => Promise<void>): void {
    this.time.at(after(this.time.now(), ms), () => {
      action().catch((error: unknown) => this.violate(`${who}: ${messageOf(error)}`));
    });
  }

  /** Runs a part of the world that goes on by itself until the simulation is over. */
  alongside(who: string, work: (signal: AbortSignal) => Promise<unknown>): void {
    work(this.#end.signal).catch((error: unknown) => {
      if (!this.#end.signal.aborted) this.violate(`${who}: ${messageOf(error)}`);
    });
  }

  violate(text: string): void {
    this.journal.note('!', () => text);
    this.violations.push(text);
  }

  /**
   * Runs until everything is settled and has stayed so for a while, with no process frozen and nothing late on the wire, or until the
   * time is over; faults come only in the first `faultsForMs`.
   */
  async run(options: { settled: () => boolean; faultsForMs: number; deadlineMs: number }): Promise<RunEnd> {
    const begun = this.time.now();
    const deadline = after(begun, options.deadlineMs);
    this.#faultsEnd = after(begun, options.faultsForMs);
    this.#beat();
    let steps = 0;
    let settledSince: Instant | undefined;
    const isOver = (): boolean => settledSince !== undefined && this.time.now() >= after(settledSince, STAYS_SETTLED_MS);
    while (this.violations.length === 0 && !isOver() && this.time.now() < deadline && this.time.step()) {
      steps++;
      await turn();
      this.#judge();
      this.#planGarbageCollection();
      settledSince = this.#isQuiet() && options.settled() ? (settledSince ?? this.time.now()) : undefined;
    }
    return { settled: isOver(), steps, virtualMs: this.time.now() - begun };
  }

  #isQuiet(): boolean {
    const now = this.time.now();
    if (now < this.#faultsEnd || now < this.#downUntil || this.#network.late.size > 0) return false;
    for (const replica of this.replicas.values()) if (now < replica.frozenUntil) return false;
    return true;
  }

  /**
   * Ends all lives, earlier ones too; the simulation cannot be used afterwards. They are asked to stop only now, since a crash does not ask,
   * and because what still waits for a signal would stay in memory for ever.
   */
  close(): void {
    this.journal.close();
    this.#end.abort(new PlatformError('Unavailable', 'the simulation is over'));
    for (const replica of this.replicas.values()) replica.end();
    this.api.close();
  }

  #judge(): void {
    for (const invariant of this.#invariants) {
      const wrong = invariant.check(this.mirror);
      if (wrong !== undefined) this.violate(`${invariant.name}: ${wrong}`);
    }
  }

  #boot(replica: Replica, life: Life, boot: Boot): void {
    const env = {
      name: replica.name,
      transport: new ReplicaTransport(this.#network, replica, life),
      clock: replica.clockFor(life),
      steady: replica.steadyClockFor(life),
      random: seededRandom(this.random.int(2 ** 32)),
      log: journalLogger(this.journal, replica.name),
      signal: life.stop.signal,
    };
    boot(env).then(
      () => replica.crash(1_000),
      (error: unknown) => this.violate(`${replica.name} ended: ${messageOf(error)}`),
    );
  }

  #makeNetwork(raced: readonly string[]): Network {
    return {
      time: this.time,
      random: this.random,
      server: this.#servers(),
      faults: {
        onRequest: (point) => (this.#faulty() ? this.#faults.onRequest(point) : undefined),
        onEvents: (point) => (this.#faulty() ? this.#faults.onEvents(point) : undefined),
        onBeat: (point) => this.#faults.onBeat(point),
      },
      journal: this.journal,
      injected: this.injected,
      counts: this.counts,
      openPipes: new Set<WatchPipe>(),
      late: new Set(),
      raced,
      isDown: () => this.time.now() < this.#downUntil,
      violate: (text) => this.violate(text),
    };
  }

  #servers(): Transport {
    const request = (asked: ApiRequest): Promise<ApiResponse> => {
      for (const neighbour of this.neighbours) {
        const answer = neighbour(asked);
        if (answer) return Promise.resolve(answer);
      }
      return this.api.request(asked);
    };
    return { request, watch: (asked, signal) => this.api.watch(asked, signal) };
  }

  #faulty(): boolean {
    return this.time.now() < this.#faultsEnd;
  }

  #beat(): void {
    if (!this.#faulty()) return;
    const point = { kind: 'beat' as const, index: ++this.#beats, replicas: [...this.replicas.keys()] };
    const fault = this.#faults.onBeat(point);
    if (fault) {
      this.injected.push({ point: beatPointName(point), fault });
      this.journal.note('world', () => `✗ ${faultText(fault)} at ${beatPointName(point)}`);
      this.#strike(fault);
    }
    this.time.at(after(this.time.now(), BEAT_MS), () => this.#beat());
  }

  #strike(fault: AmbientFault): void {
    switch (fault.kind) {
      case 'Crash':
        return this.replicas.get(fault.replica)?.crash(500 + this.random.int(4_000));
      case 'Freeze':
        return this.replicas.get(fault.replica)?.freeze(fault.ms);
      case 'ClockJump':
        return this.replicas.get(fault.replica)?.jumpClock(fault.ms);
      case 'Outage':
        this.#downUntil = instant(Math.max(this.#downUntil, after(this.time.now(), fault.ms)));
        for (const pipe of this.#network.openPipes) pipe.break();
    }
  }

  /** The garbage collector is one more process that comes late. */
  #planGarbageCollection(): void {
    if (this.#collecting || !this.api.hasGarbage()) return;
    this.#collecting = true;
    this.time.at(after(this.time.now(), 100 + this.random.int(2_000)), () => {
      this.#collecting = false;
      this.api.collectGarbage();
    });
  }

  readonly #waitUntil = (at: Instant, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const stop = (): void => {
        cancel();
        reject(signal.reason as Error);
      };
      const cancel = this.time.at(at, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      signal.addEventListener('abort', stop, { once: true });
    });
}
