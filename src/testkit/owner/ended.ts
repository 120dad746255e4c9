import { ConfigMap, Node } from '../../api/builtin/index.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { Simulation } from '../../simulation/index.ts';
import { unsettled as unsettledChecks } from '../machines/end-state.ts';
import { stated } from '../machines/remediators.ts';
import { claimantOf, isClosed, isLeaving, isOf, stayingOf } from './judge.ts';
import { ELSEWHERE } from './person.ts';

/** What is not yet as it must be once nothing happens any more; nothing when all is settled. */
export const unsettled = (simulation: Simulation): readonly string[] => [
  ...unsettledChecks(simulation),
  ...simulation.mirror.all(MachineSet).flatMap((set) => wrongSet(simulation, set)),
  ...simulation.mirror.all(Machine).flatMap((machine) => wrongMachine(simulation, machine)),
  ...simulation.mirror.all(Node).flatMap((node) => wrongNode(simulation, node)),
  ...openClaims(simulation),
];

const objectionsOf = (name: string, objections: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.entries(objections).flatMap(([what, holds]) => (holds ? [`${name} ${what}`] : []));

const isElsewhere = ({ spec }: MachineSet): boolean => spec.clusterName === ELSEWHERE;

/** As many as it should have, and its status reports it. */
function wrongSet({ mirror }: Simulation, set: MachineSet): readonly string[] {
  const { replicas = 1 } = set.spec;
  const machines = mirror.all(Machine);
  const staying = stayingOf(set, machines).length;
  const ready = isElsewhere(set) ? 0 : staying;
  const { status } = set;
  return objectionsOf(`set ${set.metadata.name}`, {
    [`has ${staying} Machines instead of ${replicas}`]: staying !== replicas,
    'waits for Machines that leave': machines.some((machine) => isOf(set, machine) && isLeaving(machine)),
    [`says ${String(status?.readyReplicas)} of ${String(status?.replicas)}`]:
      status?.replicas !== staying || status.readyReplicas !== ready,
    'says that it is paused or at work': (status?.conditions ?? []).some(
      (condition) => (condition.type === 'Paused' || condition.type === 'Remediating') && condition.status !== 'False',
    ),
  });
}

/** It has a Node, which names it too, and no request to its owner is left. */
function wrongMachine({ mirror }: Simulation, machine: Machine): readonly string[] {
  const { uid, name } = machine.metadata;
  const set = mirror.all(MachineSet).find((one) => isOf(one, machine));
  const { nodeRef } = machine.status ?? {};
  const node = mirror.all(Node).find((one) => claimantOf(one) === uid && one.metadata.name === (nodeRef?.name ?? one.metadata.name));
  if (set && isElsewhere(set)) return objectionsOf(name, { 'has a Node from here': node !== undefined || nodeRef !== undefined });
  return objectionsOf(name, {
    'has no Node': !node || nodeRef?.uid !== node.metadata.uid,
    'still waits for its owner': stated(machine, 'OwnerRemediated') !== undefined,
  });
}

/** No controller opens a Node any more that was closed for a Machine that is gone. */
const wrongNode = (_: Simulation, node: Node): readonly string[] => objectionsOf(node.metadata.name, { 'is closed': isClosed(node) });

/**
 * Slots in the budget that were not freed. A ledger that cannot be read delays no Machine: then its claim stays until another claimant checks it,
 * and finds the Machine gone.
 */
function openClaims({ mirror, injected }: Simulation): readonly string[] {
  const wasUnreadable = injected.some(({ point, fault }) => point.includes(' read ') || fault.kind === 'Outage');
  const uids = new Set(mirror.all(Machine).map(({ metadata }) => metadata.uid));
  return mirror
    .all(ConfigMap)
    .flatMap(({ data = {} }) => Object.entries(data))
    .filter(([uid, claim]) => !claim.includes('"endedAt"') && (uids.has(uid) || !wasUnreadable))
    .map(([, claim]) => `a place in the budget is not given back: ${claim}`);
}

/** The end without what differs from run to run. */
export const endOf = (simulation: Simulation): object => ({
  left: unsettled(simulation),
  sets: simulation.mirror
    .all(MachineSet)
    .map(({ metadata, status }) => [metadata.name, status?.readyReplicas, status?.replicas].join(' '))
    .toSorted(),
});
