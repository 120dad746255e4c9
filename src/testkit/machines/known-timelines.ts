import { SECOND } from '../../base/index.ts';
import { checkPlan, type Act, type MachinePlan, type Plot } from './timeline.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `a-${i}`);

/** No actor can repair the unhealthy Machines, so the requests for them stay open. */
const hopeless = (count: number): readonly MachinePlan[] =>
  names(count).map((name) => ({ name, group: 'a', isOwned: false, isHopeless: true }));

const unhealthy = (machine: string, afterMs = 2 * SECOND): Act => ({ kind: 'ill', machine, ready: 'Unknown', afterMs });

/** The network fails for four Nodes of ten, for the whole timeline, and recovers. */
const cutOff: readonly Act[] = names(4).map((machine) => ({ ...unhealthy(machine, 10 * SECOND), forMs: 200 * SECOND }) as Act);
const ten: readonly MachinePlan[] = names(10).map((name) => ({ name, group: 'a', isOwned: true }));

export const OUTAGE_ASKING_OWNERS: Plot = {
  machines: ten,
  checks: [checkPlan('a-only', 'a', { gate: { below: '40%' } })],
  templates: [],
  acts: cutOff,
};

export const OUTAGE_ASKING_OUTSIDE: Plot = {
  ...OUTAGE_ASKING_OWNERS,
  checks: [checkPlan('a-only', 'a', { gate: { below: '40%' }, remedy: 'Reboot' })],
  templates: ['Reboot'],
};

const both = ({ atMost, remedies }: { atMost: readonly [number, number]; remedies: readonly ['Reboot' | 'Swap', 'Reboot' | 'Swap'] }) => [
  checkPlan('a-first', 'a', { gate: { atMost: atMost[0] }, remedy: remedies[0] }),
  checkPlan('a-second', 'a', { gate: { atMost: atMost[1] }, remedy: remedies[1] }),
];

/** Two checks that make requests of one kind. */
export const ONE_KIND: Plot = {
  machines: hopeless(4),
  checks: both({ atMost: [4, 4], remedies: ['Reboot', 'Reboot'] }),
  templates: ['Reboot'],
  acts: [unhealthy('a-0'), unhealthy('a-1', 3 * SECOND)],
};

/** Two checks, one of which allows no remediation; in either order of their names. */
export const strictGate = (isFirst: boolean): Plot => ({
  ...ONE_KIND,
  checks: both({ atMost: isFirst ? [0, 4] : [4, 0], remedies: ['Reboot', 'Swap'] }),
  templates: ['Reboot', 'Swap'],
});

/** A Machine that is deleted while it is being remediated. */
export const DELETED: Plot = {
  ...ONE_KIND,
  checks: [checkPlan('a-only', 'a', { gate: { atMost: 4 }, remedy: 'Reboot' })],
  acts: [unhealthy('a-0'), { kind: 'deleteMachine', machine: 'a-0', afterMs: 90 * SECOND }],
};

/** One check takes False as unhealthy and the other does not; in either order of their names. */
export function contradiction(isFirst: boolean): Plot {
  const plans = [
    checkPlan(isFirst ? 'a-first' : 'a-second', 'a', { gate: { atMost: 4 }, remedy: 'Reboot' }),
    checkPlan(isFirst ? 'a-second' : 'a-first', 'a', { gate: { atMost: 4 }, remedy: 'Swap', statuses: ['Unknown'] }),
  ];
  return {
    ...ONE_KIND,
    checks: plans,
    templates: ['Reboot', 'Swap'],
    acts: [{ kind: 'ill', machine: 'a-0', ready: 'False', afterMs: 2 * SECOND }],
  };
}
