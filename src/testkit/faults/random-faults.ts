import { seededRandom, type Random } from '../../base/index.ts';
import type { AmbientFault, BeatPoint, FaultSource, RequestFault, RequestPoint, WatchFault } from '../../simulation/index.ts';

/** Longer than a lease lasts, so that a frozen leader wakes up deposed. */
const LONG_FREEZE_MS = 90_000;

type RequestFaultMaker = (random: Random, point: RequestPoint) => RequestFault;

const REQUEST_FAULTS: Readonly<Record<RequestFault['kind'], RequestFaultMaker>> = {
  CrashBefore: () => ({ kind: 'CrashBefore' }),
  CrashAfter: () => ({ kind: 'CrashAfter' }),
  LostReply: () => ({ kind: 'LostReply' }),
  LostRequest: () => ({ kind: 'LostRequest' }),
  // A conflict is an answer to a write with a precondition; reads are never refused with it.
  Refuse: (random, point) => ({
    kind: 'Refuse',
    code: point.verb === 'write' ? random.pick([409, 429, 500] as const) : random.pick([429, 500] as const),
  }),
  Delay: (random) => ({ kind: 'Delay', ms: 50 + random.int(20_000) }),
  Freeze: (random) => ({ kind: 'Freeze', ms: 1_000 + random.int(LONG_FREEZE_MS) }),
};

const WATCH_FAULTS: Readonly<Record<WatchFault['kind'], (random: Random) => WatchFault>> = {
  LateEvents: (random) => ({ kind: 'LateEvents', ms: 100 + random.int(30_000) }),
  HiddenEvents: (random) => ({ kind: 'HiddenEvents', ms: 1_000 + random.int(20_000) }),
  DroppedEvents: () => ({ kind: 'DroppedEvents' }),
  Disconnect: () => ({ kind: 'Disconnect' }),
};

const AMBIENT_FAULTS: Readonly<Record<AmbientFault['kind'], (random: Random, point: BeatPoint) => AmbientFault>> = {
  Crash: (random, point) => ({ kind: 'Crash', replica: random.pick(point.replicas) }),
  Outage: (random) => ({ kind: 'Outage', ms: 1_000 + random.int(30_000) }),
  ClockJump: (random, point) => ({ kind: 'ClockJump', replica: random.pick(point.replicas), ms: random.int(600_000) - 300_000 }),
  Freeze: (random, point) => ({ kind: 'Freeze', replica: random.pick(point.replicas), ms: 1_000 + random.int(LONG_FREEZE_MS) }),
};

export type FaultKind = RequestFault['kind'] | WatchFault['kind'] | AmbientFault['kind'];

/** Every kind of fault there is. */
export const FAULT_KINDS: readonly FaultKind[] = [
  ...new Set([...Object.keys(REQUEST_FAULTS), ...Object.keys(WATCH_FAULTS), ...Object.keys(AMBIENT_FAULTS)]),
] as FaultKind[];

/**
 * Faults by chance. Each seed switches some kinds off and chooses how often the others strike, so that over many seeds
 * every combination comes up, quiet ones too (a run in which everything fails all the time finds little).
 */
export function randomFaults(seed: number, kinds: readonly FaultKind[] = FAULT_KINDS): FaultSource {
  // Another stream than the simulation's own, so that leaving out a fault does not shift every latency.
  const random = seededRandom(seed ^ 0x5bd1e995);
  const enabled = new Set(kinds.filter(() => random.chance(0.5)));
  const rate = random.pick([0.01, 0.03, 0.1]);
  const pick = <Point, F>(table: Readonly<Record<string, (random: Random, point: Point) => F>>, point: Point): F | undefined => {
    const candidates = Object.keys(table).filter((kind) => enabled.has(kind as FaultKind));
    if (candidates.length === 0 || !random.chance(rate)) return undefined;
    return table[random.pick(candidates)]?.(random, point);
  };
  return {
    onRequest: (point) => pick(REQUEST_FAULTS, point),
    onEvents: (point) => pick(WATCH_FAULTS, point),
    onBeat: (point) => (point.replicas.length === 0 ? undefined : pick(AMBIENT_FAULTS, point)),
  };
}
