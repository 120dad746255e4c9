import { Node } from '../../api/builtin/index.ts';
import { PowerCycleRemediation } from '../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { SECOND, type Instant } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { Simulation } from '../../simulation/index.ts';
import type { Fleet } from './fleet.ts';
import type { Heard, Hosts } from './hosts.ts';
import { stated } from './remediators.ts';
import type { Testimony } from './observation-log.ts';

/** Room for two hosts at a time. */
export const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  budget: { running: { cluster: 2, namespace: 2, node: 1 }, perHour: { cluster: 1_000, namespace: 1_000 } },
};

/** From when a host is told until it is on again. */
const AT_IT: ReadonlySet<string | undefined> = new Set(['power-off', 'freeing', 'power-on']);

/** What must hold of the power of hosts; the answer is told of every command to switch off. */
export function watchPower(simulation: Simulation, fleet: Fleet, testimony: Testimony): (heard: Heard) => void {
  const found: string[] = [];
  /** Machine → when a request that somebody had put a finalizer on was last there. */
  const held = new Map<string, Instant>();
  const { mirror, time } = simulation;
  mirror.onChange(({ resource, before, after }) => {
    if (resource !== PowerCycleRemediation) return;
    const name = (after ?? before)?.metadata.name ?? '';
    if ([before, after].some((request) => (request?.metadata.finalizers ?? []).length > 0)) held.set(name, time.now());
  });
  const isHeld = (name: string, at: Instant): boolean => {
    const now = mirror.all(PowerCycleRemediation).find(({ metadata }) => metadata.name === name);
    return (now?.metadata.finalizers ?? []).length > 0 || at - (held.get(name) ?? 0) < reachOf(simulation);
  };
  simulation.require({
    name: 'a host is switched off only for a Machine that fails, under a request that waits for it',
    check: () => found[0],
  });
  simulation.require({
    name: 'never more hosts at a time than the budget',
    check() {
      const atIt = mirror.all(PowerCycleRemediation).filter((request) => isAtIt(request, fleet));
      return atIt.length > SETTINGS.budget.running.cluster ? atIt.map(({ metadata }) => metadata.name).join(', ') : undefined;
    },
  });
  return ({ machine, at }) => {
    if (!isHeld(machine, at)) found.push(`${machine}, although no request for it is held`);
    if (!hasFailed(machine, testimony)) found.push(`${machine}, although it did not say that it fails`);
  };
}

/** One that is on its way out takes up room until its host is on. */
const isAtIt = ({ metadata, status }: PowerCycleRemediation, fleet: Fleet): boolean =>
  AT_IT.has(status?.phase) && (metadata.deletionTimestamp === undefined || fleet.powerOf(metadata.name) !== 'On');

/** Whoever takes the finalizer off has seen the host on, at a time when nobody can be held up any more with a command to switch off. */
export function watchHostsLeft(simulation: Simulation, hosts: Hosts): void {
  let left: string | undefined;
  simulation.mirror.onChange(({ resource, before, after }) => {
    if (resource === PowerCycleRemediation && before && !after && !isMistaken(simulation) && !hosts.isOn(before.metadata.name))
      left ??= before.metadata.name;
  });
  simulation.require({ name: 'a request goes only when its host is on', check: () => left });
}

/** A request outlives its commands, however late they are; only by a clock that was set nobody knows when that is. */
const reachOf = (simulation: Simulation): number => (isMistaken(simulation) ? 180 * SECOND : SECOND);
const isMistaken = ({ injected }: Simulation): boolean => injected.some(({ fault }) => fault.kind === 'ClockJump');

const hasFailed = (name: string, { reach }: Testimony): boolean =>
  reach.some(({ seen }) =>
    seen.some(({ machine }) => machine.metadata.name === name && stated(machine, 'HealthCheckSucceeded')?.status === 'False'),
  );

/** What is half done: hosts that are off, and Nodes that are marked. */
export const halfDone = ({ mirror }: Simulation, hosts: Hosts): readonly string[] => [
  ...hosts.off.map((name) => `the host of ${name} is off`),
  ...mirror
    .all(Node)
    .filter(({ spec }) => spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service'))
    .map(({ metadata }) => `Node ${metadata.name} is marked as out of service`),
];
