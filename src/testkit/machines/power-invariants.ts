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

/** Slots for two hosts at a time. */
export const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  powerCycle: { bmcAddresses: '*' },
  budget: { running: { cluster: 2, namespace: 2, node: 1 }, perHour: { cluster: 1_000, namespace: 1_000 } },
};

/** From the command to switch a host off until it is on again. */
const AT_IT: ReadonlySet<string | undefined> = new Set(['power-off', 'freeing', 'power-on']);

/** Invariants of the power of hosts; the returned function receives every command to switch off. */
export function watchPower(simulation: Simulation, fleet: Fleet, testimony: Testimony): (heard: Heard) => void {
  const found: string[] = [];
  /** Machine → when a request with a finalizer was last seen. */
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

/** A request that is being deleted holds its slot until its host is on. */
const isAtIt = ({ metadata, status }: PowerCycleRemediation, fleet: Fleet): boolean =>
  AT_IT.has(status?.phase) && (metadata.deletionTimestamp === undefined || fleet.powerOf(metadata.name) !== 'On');

/** A process removes the finalizer only once it has seen the host on and no frozen process can still send a command to switch off. */
export function watchHostsLeft(simulation: Simulation, hosts: Hosts): void {
  let left: string | undefined;
  simulation.mirror.onChange(({ resource, before, after }) => {
    if (resource === PowerCycleRemediation && before && !after && !isMistaken(simulation) && !hosts.isOn(before.metadata.name))
      left ??= before.metadata.name;
  });
  simulation.require({ name: 'a request goes only when its host is on', check: () => left });
}

/** A request outlives its commands, however late they are; only after a clock jump that time is unknown. */
const reachOf = (simulation: Simulation): number => (isMistaken(simulation) ? 180 * SECOND : SECOND);
const isMistaken = ({ injected }: Simulation): boolean => injected.some(({ fault }) => fault.kind === 'ClockJump');

const hasFailed = (name: string, { reach }: Testimony): boolean =>
  reach.some(({ seen }) =>
    seen.some(({ machine }) => machine.metadata.name === name && stated(machine, 'HealthCheckSucceeded')?.status === 'False'),
  );

/** Unfinished work: hosts that are off, and Nodes that are marked. */
export const halfDone = ({ mirror }: Simulation, hosts: Hosts): readonly string[] => [
  ...hosts.off.map((name) => `the host of ${name} is off`),
  ...mirror
    .all(Node)
    .filter(({ spec }) => spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service'))
    .map(({ metadata }) => `Node ${metadata.name} is marked as out of service`),
];
