import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { Stage } from './act.ts';
import { openRack, RACK, report } from './rack.ts';
import { until } from './until.ts';

const { namespace, replicas } = RACK;
const machines = { resource: Machine, namespace, labelSelector: 'role=worker' };

/** Stops a host's kubelet, and prints what happens to its Machine. True when another Machine replaced it. */
export async function playMachines({ client, clock, narrate, signal, print }: Stage): Promise<boolean> {
  await openRack(client, clock.now());
  const before = await until(client, machines, allWell, signal);
  for (const machine of before) narrate(`Machine ${machine.metadata.name} runs on ${nodeOf(machine)}`);
  const [lost] = before;
  if (!lost) return false;
  await report(client, nodeOf(lost), { status: 'Unknown', reason: 'NodeStatusUnknown', now: clock.now() });
  narrate(`${nodeOf(lost)} falls silent: its Node is Ready=Unknown`);
  const failing = await until(client, machines, (all) => all.find((one) => isSame(one, lost) && says(one)?.status === 'False'), signal);
  narrate(`Machine ${failing.metadata.name} fails its health check: ${says(failing)?.message ?? ''}`);
  await until(client, machines, (all) => (all.some(isStaying(lost)) ? undefined : true), signal);
  narrate('its owner drains the Node and deletes the Machine');
  const after = await until(client, machines, allWell, signal);
  const successor = after.find(({ metadata }) => !before.some((one) => one.metadata.uid === metadata.uid));
  if (!successor) return false;
  narrate(`Machine ${successor.metadata.name} takes its place on ${nodeOf(successor)}`);
  const check = await until(client, { resource: MachineHealthCheck, namespace }, (all) => all.find(isWhole), signal);
  print('');
  print(
    `MachineHealthCheck ${check.metadata.name}: ${check.status?.currentHealthy ?? 0} of ${check.status?.expectedMachines ?? 0} healthy`,
  );
  return true;
}

const says = ({ status }: Machine) => status?.conditions?.find(({ type }) => type === 'HealthCheckSucceeded');
const nodeOf = ({ status }: Machine): string => status?.nodeRef?.name ?? '';
const isSame = (one: Machine, other: Machine): boolean => one.metadata.uid === other.metadata.uid;
const isStaying =
  (machine: Machine) =>
  (one: Machine): boolean =>
    isSame(one, machine) && one.metadata.deletionTimestamp === undefined;

/** The wanted number of Machines, each on a Node and known to be healthy. */
function allWell(all: readonly Machine[]): readonly Machine[] | undefined {
  const well = all.filter((one) => nodeOf(one) !== '' && says(one)?.status === 'True' && one.metadata.deletionTimestamp === undefined);
  return well.length === replicas && all.length === replicas ? well.toSorted((a, b) => (nodeOf(a) < nodeOf(b) ? -1 : 1)) : undefined;
}

const isWhole = ({ status }: MachineHealthCheck): boolean => status?.expectedMachines === replicas && status.currentHealthy === replicas;
