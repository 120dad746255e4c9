import { SECOND } from '../../base/index.ts';
import { checkPlan } from '../machines/timeline.ts';
import type { Act, HostPlan, Plot } from './plot.ts';

const hosts = (count: number): readonly HostPlan[] => Array.from({ length: count }, (_, i) => ({ name: `h-${i}` }));

const fails = (host: string, afterMs = 10 * SECOND): Act => ({ kind: 'failNode', host, ready: 'False', afterMs });

/** One set with as many hosts as it needs and one to spare. */
const group = (replicas: number, acts: readonly Act[], change: Partial<Plot> = {}): Plot => ({
  hosts: hosts(replicas + 1),
  sets: [{ name: 'a', replicas }],
  checks: [checkPlan('a-check', 'a', { gate: { atMost: '100%' } })],
  pods: [],
  acts,
  ...change,
});

const allHosts = (count: number): readonly Act[] => hosts(count).map(({ name }) => fails(name));

/** Four hosts fail at the same moment, and each has a pod that does not want to go. */
export const ALL_AT_ONCE: Plot = group(4, allHosts(4), { pods: ['stuck', 'stuck', 'stuck', 'stuck', 'stuck', 'stuck'] });

/** The same where the set wants one replaced after the other. */
export const ONE_BY_ONE: Plot = { ...ALL_AT_ONCE, sets: [{ name: 'a', replicas: 4, maxInFlight: 1 }] };

/** A host that fails under pods of every kind. */
export const FULL: Plot = group(1, [fails('h-0', 20 * SECOND), fails('h-1', 20 * SECOND)], {
  pods: ['plain', 'plain', 'guarded', 'guarded', 'stuck', 'stuck'],
});

/** Fails while the set replaces no Machine, and recovers. */
export const NEVER_ITS_TURN: Plot = group(
  2,
  [{ kind: 'failNode', host: 'h-0', ready: 'Unknown', afterMs: 10 * SECOND, forMs: 80 * SECOND }],
  {
    sets: [{ name: 'a', replicas: 2, maxInFlight: 0 }],
  },
);

/** An operator removes the Node of a failing Machine from the pool before the timeout of the check. */
export const OUT_OF_POOL: Plot = group(2, [
  fails('h-0'),
  { kind: 'unlabel', host: 'h-0', afterMs: 20 * SECOND, forMs: 100 * SECOND },
  { kind: 'deleteMachine', host: 'h-0', afterMs: 60 * SECOND },
]);

/** The check is paused after it has asked: its owner replaces no Machine at the time, and would later. */
export const CHECK_PAUSED: Plot = group(
  3,
  [...allHosts(3), { kind: 'pause', target: { what: 'check', name: 'a-check' }, afterMs: 50 * SECOND, forMs: 90 * SECOND }],
  {
    pods: ['stuck', 'stuck', 'stuck', 'stuck'],
  },
);

/** An operator pauses a Machine while its Node is drained, for longer than the drain may take. */
export const PAUSED_DURING_DRAIN: Plot = group(
  1,
  [fails('h-0'), { kind: 'pause', target: { what: 'machine', host: 'h-0', how: 'paused' }, afterMs: 50 * SECOND, forMs: 90 * SECOND }],
  { pods: ['stuck', 'stuck', 'stuck', 'stuck'] },
);

/** A set of another cluster beside one of this. */
export const FAR: Plot = {
  ...group(1, []),
  checks: [checkPlan('a-check', 'a', { gate: { below: 3 } })],
  sets: [
    { name: 'a', replicas: 1 },
    { name: 'far', replicas: 1, isElsewhere: true },
  ],
};

/** The same, and the object of the other cluster is deleted before its set gets another Machine. */
export const FAR_AND_GONE: Plot = {
  ...FAR,
  hosts: hosts(4),
  acts: [
    { kind: 'cluster', isThere: false, afterMs: 10 * SECOND },
    { kind: 'scale', set: 'far', replicas: 2, afterMs: 20 * SECOND },
  ],
};
