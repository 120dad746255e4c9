import { STATIONS, type Station } from './arrivals.ts';
import type { Journey, Played } from './run.ts';
import { STATUS_WRITE, totalOf } from './tally.ts';

/** What the plain way needs: a write per child, one per visible phase, and one that says that people know. */
export const MINIMUM = { children: 5, phases: 6, told: 1 } as const;

export const MINIMAL_WRITES = MINIMUM.children + MINIMUM.phases + MINIMUM.told;

/** The most status writes that a request may see. */
export const MOST_STATUS_WRITES = MINIMUM.phases + MINIMUM.told;

/** What each remediation took, on average. */
export interface Figures {
  readonly perSecond: number;
  readonly writes: number;
  readonly writesByKind: Readonly<Record<string, number>>;
  readonly refused: number;
  readonly reads: number;
  /** Status writes on one request: on average, and on the one that saw most. */
  readonly statusWrites: number;
  readonly mostStatusWrites: number;
  readonly cpuMs: number;
  readonly serverCpuMs: number;
  /** By everybody together, per second: the orchestrator, the stand-ins, and who opened the requests. */
  readonly allWritesPerSecond: number;
}

export function figuresOf({ courses, seconds, orchestrator, standIns, opened, spent }: Played): Figures {
  const count = courses.length;
  const all = [orchestrator, standIns, opened].reduce((sum, { writes }) => sum + totalOf(writes), 0);
  return {
    perSecond: count / seconds,
    writes: totalOf(orchestrator.writes) / count,
    writesByKind: Object.fromEntries(Object.entries(orchestrator.writes).map(([kind, writes]) => [kind, writes / count])),
    refused: totalOf(orchestrator.refused) / count,
    reads: orchestrator.reads / count,
    statusWrites: (orchestrator.writes[STATUS_WRITE] ?? 0) / count,
    mostStatusWrites: Math.max(...courses.map(({ changes }) => changes), ...Object.values(orchestrator.statusWrites)),
    cpuMs: orchestrator.cpuMs / count,
    serverCpuMs: spent.server / count,
    allWritesPerSecond: all / seconds,
  };
}

/** Milliseconds from the opening of a request to each station: half of them, and all but one in a hundred. */
export function latencies(
  courses: readonly Journey[],
): readonly { readonly station: Station; readonly p50: number; readonly p99: number }[] {
  return STATIONS.map((station) => {
    const took = courses.map(({ at, from }) => (at[station] ?? Number.NaN) - from).toSorted((a, b) => a - b);
    const at = (part: number): number => took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? Number.NaN;
    return { station, p50: at(0.5), p99: at(0.99) };
  });
}
