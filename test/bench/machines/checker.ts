import { after, SECOND, systemClock } from '../../../src/base/index.ts';
import { startPart, type Access, type Part, type PartReport } from '../orchestrator/part.ts';
import { spending, type Spent } from '../orchestrator/spent.ts';
import { totalOf } from '../orchestrator/tally.ts';

const PROGRAM = new URL('./checker-process.ts', import.meta.url);
const LOOK_EVERY_MS = 50;
/** Longer than any peer takes. */
const TOO_LONG_MS = 300 * SECOND;

/** What the checker did while something happened. */
export interface Work {
  readonly seconds: number;
  readonly cpuMs: number;
  /** Machines that it evaluated again. */
  readonly evaluated: number;
  readonly reads: number;
  readonly writes: Readonly<Record<string, number>>;
  readonly refused: number;
  /** By the server and by everything on the machine. */
  readonly spent: Spent;
}

/** The product at its work, in a process of its own. */
export class Checker {
  readonly #part: Part;
  readonly #access: Access;
  #evaluated = 0;

  private constructor(part: Part, access: Access) {
    this.#part = part;
    this.#access = access;
  }

  /** Resolves once it has read everything; what it does from then on, and what it took to get there, is in the first work. */
  static async start(access: Access): Promise<Checker> {
    return new Checker(await startPart(PROGRAM, { access, workers: 0, namespace: '', sampled: '' }), access);
  }

  /** Lets something happen, and waits until what the checker wrote since then is enough. */
  async during(happen: () => Promise<void>, isDone: (writes: Work['writes']) => boolean | Promise<boolean>): Promise<Work> {
    const { result, spent } = await spending(this.#access, () => this.#during(happen, isDone));
    return { ...result, spent };
  }

  async #during(happen: () => Promise<void>, isDone: (writes: Work['writes']) => boolean | Promise<boolean>): Promise<Omit<Work, 'spent'>> {
    const begun = performance.now();
    await happen();
    for (let done: Omit<Work, 'spent'> = { ...NOTHING }; ; await pause()) {
      done = sum(done, await this.#part.report(), this.#take.bind(this), (performance.now() - begun) / 1_000);
      if (await isDone(done.writes)) return done;
      if (done.seconds * 1_000 > TOO_LONG_MS) throw new Error(`still not done: ${JSON.stringify(done)}`);
    }
  }

  /** Holds it still: what happens until it goes on it hears of then. */
  halt(): void {
    this.#part.halt();
  }

  goOn(): void {
    this.#part.goOn();
  }

  #take(counted: number): number {
    const since = counted - this.#evaluated;
    this.#evaluated = counted;
    return since;
  }

  stop(): Promise<void> {
    return this.#part.stop();
  }
}

const NOTHING: Omit<Work, 'spent'> = { seconds: 0, cpuMs: 0, evaluated: 0, reads: 0, writes: {}, refused: 0 };

function sum(
  done: Omit<Work, 'spent'>,
  report: PartReport,
  evaluatedSince: (counted: number) => number,
  seconds: number,
): Omit<Work, 'spent'> {
  const kinds = new Set([...Object.keys(done.writes), ...Object.keys(report.writes)]);
  return {
    seconds,
    cpuMs: done.cpuMs + report.cpuMs,
    evaluated: done.evaluated + evaluatedSince(report.counts.evaluated ?? 0),
    reads: done.reads + report.reads,
    writes: Object.fromEntries([...kinds].map((kind) => [kind, (done.writes[kind] ?? 0) + (report.writes[kind] ?? 0)])),
    refused: done.refused + totalOf(report.refused),
  };
}

export const pause = (ms = LOOK_EVERY_MS): Promise<void> =>
  systemClock.waitUntil(after(systemClock.now(), ms), new AbortController().signal);
