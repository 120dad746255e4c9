import { SECOND } from '../../base/index.ts';
import { checkPlan } from '../machines/timeline.ts';
import type { Act, HostPlan, Plot } from './plot.ts';

const hosts = (count: number): readonly HostPlan[] => Array.from({ length: count }, (_, i) => ({ name: `h-${i}` }));

const ill = (host: string, afterMs = 10 * SECOND): Act => ({ kind: 'ill', host, ready: 'False', afterMs });

/** One set with as many hosts as it needs and one to spare. */
const group = (replicas: number, acts: readonly Act[], change: Partial<Plot> = {}): Plot => ({
  hosts: hosts(replicas + 1),
  sets: [{ name: 'a', replicas }],
  checks: [checkPlan('a-check', 'a', { gate: { atMost: '100%' } })],
  pods: [],
  acts,
  ...change,
});

const everybody = (count: number): readonly Act[] => hosts(count).map(({ name }) => ill(name));

/** Four hosts fail at the same moment, and each has a pod that does not want to go. */
export const ALL_AT_ONCE: Plot = group(4, everybody(4), { pods: ['stuck', 'stuck', 'stuck', 'stuck', 'stuck', 'stuck'] });

/** The same where the set wants one replaced after the other. */
export const ONE_BY_ONE: Plot = { ...ALL_AT_ONCE, sets: [{ name: 'a', replicas: 4, maxInFlight: 1 }] };

/** A host that fails under pods of every kind. */
export const FULL: Plot = group(1, [ill('h-0', 20 * SECOND), ill('h-1', 20 * SECOND)], {
  pods: ['plain', 'plain', 'guarded', 'guarded', 'stuck', 'stuck'],
});

/** Fails while the set replaces nobody, and recovers. */
export const NEVER_ITS_TURN: Plot = group(2, [{ kind: 'ill', host: 'h-0', ready: 'Unknown', afterMs: 10 * SECOND, forMs: 80 * SECOND }], {
  sets: [{ name: 'a', replicas: 2, maxInFlight: 0 }],
});

/** Somebody takes the Node of a Machine that fails out of the pool before its time is over. */
export const OUT_OF_POOL: Plot = group(2, [
  ill('h-0'),
  { kind: 'unlabel', host: 'h-0', afterMs: 20 * SECOND, forMs: 100 * SECOND },
  { kind: 'deleteMachine', host: 'h-0', afterMs: 60 * SECOND },
]);

/** The check is paused after it has asked: its owner replaces nobody at the time, and would then. */
export const CHECK_PAUSED: Plot = group(
  3,
  [...everybody(3), { kind: 'pause', target: { what: 'check', name: 'a-check' }, afterMs: 50 * SECOND, forMs: 90 * SECOND }],
  {
    pods: ['stuck', 'stuck', 'stuck', 'stuck'],
  },
);

/** A set of another cluster beside one of this. */
export const FAR: Plot = {
  ...group(1, []),
  sets: [
    { name: 'a', replicas: 1 },
    { name: 'far', replicas: 1, isElsewhere: true },
  ],
};
