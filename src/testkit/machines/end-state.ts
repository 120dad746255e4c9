import { Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyText } from '../../api/meta.ts';
import { resourceName } from '../../api/resource.ts';
import type { Simulation } from '../../simulation/index.ts';
import { inNamespace, nodeKey } from './fleet.ts';
import { entriesOf } from './invariants.ts';
import { REMEDIES } from './kinds.ts';
import { census, covers, healthOf, type Health, type Seen } from './oracle.ts';
import { stated } from './remediators.ts';
import { openRequests } from './observation-log.ts';

const seenIn = ({ mirror }: Simulation): readonly Seen[] =>
  mirror.all(Machine).map((machine) => ({ machine, node: mirror.get(Node, nodeKey(machine.status?.nodeRef?.name ?? '')) }));

/** What is not yet as required once no more events happen; empty when everything is settled. */
export function unsettled(simulation: Simulation): readonly string[] {
  const seen = seenIn(simulation);
  const checks = simulation.mirror.all(MachineHealthCheck);
  return [
    ...seen.flatMap((one) => wrongOf(simulation, one, checks)),
    ...checks.flatMap((check) => wrongCounts(check, seen)),
    ...checks.flatMap((check) => waitedFor(simulation, check, seen)),
    ...seen.flatMap(({ machine }) => recordedInVain(simulation, machine, checks)),
    ...ownerless(simulation),
  ];
}

/** A request goes with its Machine. */
const ownerless = ({ mirror }: Simulation): readonly string[] => {
  const uids = new Set(mirror.all(Machine).map(({ metadata }) => metadata.uid));
  return Object.values(REMEDIES)
    .flatMap((resource) => mirror.all(resource))
    .filter(({ metadata }) => !metadata.ownerReferences?.some(({ uid }) => uids.has(uid)))
    .map(({ kind, metadata }) => `${kind} ${metadata.name} has outlived its Machine`);
};

/** What the checks make of a Machine together. */
function healthsOf(simulation: Simulation, { machine, node }: Seen, checks: readonly MachineHealthCheck[]): readonly Health[] {
  return checks.filter((check) => covers(check, machine)).map((check) => healthOf(check, machine, node, simulation.time.now()));
}

function wrongOf(simulation: Simulation, one: Seen, checks: readonly MachineHealthCheck[]): readonly string[] {
  const { name } = one.machine.metadata;
  const healths = healthsOf(simulation, one, checks);
  if (healths.length === 0) return [];
  if (healths.some((health) => health === 'pending' || health === 'unknown')) return [`${name} is not judged yet`];
  const isWell = healths.every((health) => health === 'well');
  return [...wrongWords(one.machine, isWell ? 'True' : 'False'), ...(isWell ? leftOf(simulation, one.machine, checks) : [])];
}

/** What a Machine says of its health in both styles. */
function wrongWords(machine: Machine, wanted: string): readonly string[] {
  const old = (machine.status?.deprecated?.v1beta1?.conditions ?? []).find(({ type }) => type === 'HealthCheckSucceeded');
  const said = [stated(machine, 'HealthCheckSucceeded')?.status, old?.status];
  return said.every((word) => word === wanted) ? [] : [`${machine.metadata.name} says ${said.join(' and ')} instead of ${wanted}`];
}

/** What is left of the remediation of a Machine that is well. */
function leftOf(simulation: Simulation, machine: Machine, checks: readonly MachineHealthCheck[]): readonly string[] {
  const { name, uid } = machine.metadata;
  const left = {
    'a request is open': openRequests(simulation, machine).length > 0,
    'it is on record': checks.some((check) => entriesOf(check).some((entry) => entry.uid === uid)),
    'it says that somebody is asked to mend it': stated(machine, 'ExternallyRemediated') !== undefined,
  };
  return Object.entries(left).flatMap(([what, holds]) => (holds ? [`${name} is well, but ${what}`] : []));
}

function wrongCounts(check: MachineHealthCheck, seen: readonly Seen[]): readonly string[] {
  const { total, bad, open } = census(check, seen);
  const { expectedMachines, currentHealthy, conditions = [] } = check.status ?? {};
  const allowed = conditions.find(({ type }) => type === 'RemediationAllowed')?.status;
  const stale = entriesOf(check).filter(({ uid }) => !seen.some(({ machine }) => machine.metadata.uid === uid));
  const objections = {
    [`counts ${String(currentHealthy)} of ${String(expectedMachines)} instead of ${total - bad} of ${total}`]:
      expectedMachines !== total || currentHealthy !== total - bad,
    [`says ${String(allowed)} of its gate instead of ${String(open)}`]: allowed !== (open ? 'True' : 'False'),
    [`has ${stale[0]?.machine ?? ''} on record, which is gone`]: stale.length > 0,
  };
  return Object.entries(objections).flatMap(([objection, holds]) => (holds ? [`${check.metadata.name} ${objection}`] : []));
}

/** Of two checks that recorded a Machine, the one whose request was never created drops its record. */
function recordedInVain(simulation: Simulation, machine: Machine, checks: readonly MachineHealthCheck[]): readonly string[] {
  const open = openRequests(simulation, machine).map(({ kind }) => kind);
  const holders = checks.flatMap((check) =>
    entriesOf(check)
      .filter(({ uid }) => uid === machine.metadata.uid)
      .map(({ request }) => ({ check: check.metadata.name, kind: request?.kind })),
  );
  if (holders.length < 2 || open.length === 0) return [];
  return holders
    .filter(({ kind }) => kind !== undefined && !open.includes(kind))
    .map(({ check, kind }) => `${check} recorded a ${kind} of ${machine.metadata.name} that does not exist`);
}

/** Where all gates are open, remediation is requested for every unhealthy Machine. */
function waitedFor(simulation: Simulation, check: MachineHealthCheck, seen: readonly Seen[]): readonly string[] {
  const checks = simulation.mirror.all(MachineHealthCheck);
  return seen.flatMap(({ machine, node }) => {
    const about = checks.filter((one) => covers(one, machine));
    const isIll = covers(check, machine) && healthOf(check, machine, node, simulation.time.now()) === 'failing';
    if (!isIll || machine.metadata.deletionTimestamp !== undefined || !about.every((one) => census(one, seen).open)) return [];
    const isCheckedType = openRequests(simulation, machine).length > 0 || stated(machine, 'OwnerRemediated')?.status === 'False';
    return isCheckedType ? [] : [`${machine.metadata.name} is ill, and nobody is asked`];
  });
}

/** The final state of a Machine: its conditions, its open requests, and how many requests were made for it in all. */
function endOfMachine(simulation: Simulation, machine: Machine, isKindOpen: boolean): string {
  const { name } = machine.metadata;
  const made = Object.values(REMEDIES).map((resource) =>
    simulation.mirror.created.get(`${resourceName(resource)} ${keyText(inNamespace(name))}`),
  );
  const open = openRequests(simulation, machine);
  const total = made.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const requests = open.length === 0 ? '' : `: ${open.map(({ kind }) => (isKindOpen ? 'asked' : kind)).join(', ')} of ${total}`;
  const owner = stated(machine, 'OwnerRemediated') ? ', owner asked' : '';
  return `${name} ${stated(machine, 'HealthCheckSucceeded')?.status ?? ''}${requests}${owner}`;
}

/** The final state without the parts that differ from run to run. */
export const endOf = (simulation: Simulation, isKindOpen = false): object => ({
  left: unsettled(simulation),
  machines: simulation.mirror
    .all(Machine)
    .map((machine) => endOfMachine(simulation, machine, isKindOpen))
    .toSorted(),
  checks: simulation.mirror
    .all(MachineHealthCheck)
    .map(({ metadata, status }) => [metadata.name, status?.currentHealthy, status?.expectedMachines].join(' '))
    .toSorted(),
});
