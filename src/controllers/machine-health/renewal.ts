import { Cluster } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { Listed, Read } from '../../kube/read.ts';
import type { Reader } from '../../runtime/controller.ts';
import { claimOf } from './claim.ts';
import { clusterNameOf } from './cluster-seen.ts';
import { isAbout, readScope } from './read-check.ts';
import { pausesUs, type Definitions } from './whose-check.ts';

/** Whether anybody says anew how a Machine is. While nobody does, it may long be well again: nothing is begun on what it said before. */
export type Renewal =
  | { readonly kind: 'renewed' }
  | { readonly kind: 'paused'; readonly why: string }
  /** Nobody can tell. */
  | { readonly kind: 'unreadable'; readonly why: string };

const RENEWED: Renewal = { kind: 'renewed' };

/** On the server's word, for what cannot be taken back. The check that asked for the Machine counts; where none says so, all that are about it. */
export async function renewalOf(machine: Machine, reader: Pick<Reader, 'fetch' | 'fetchList'>, definitions: Definitions): Promise<Renewal> {
  const cluster = await readCluster(machine, reader);
  if (cluster.kind === 'unreadable') return unreadable(`whether Cluster ${clusterNameOf(machine)} is paused`, cluster.reason);
  if (cluster.kind === 'value' && cluster.value.spec?.paused === true) return paused(`Cluster ${cluster.value.metadata.name}`);
  const checks = await readChecks(machine, reader);
  if (checks.kind === 'unreadable') return unreadable('whether its MachineHealthCheck is paused', checks.reason);
  const [first] = checks.value;
  const isHeld = first !== undefined && checks.value.every((check) => isPaused(check, definitions));
  return isHeld ? paused(`MachineHealthCheck ${first.metadata.name}`) : RENEWED;
}

const paused = (who: string): Renewal => ({
  kind: 'paused',
  why: `${who} is paused: nobody can tell whether the Machine is well again, and nothing is begun`,
});
const unreadable = (what: string, reason: string): Renewal => ({ kind: 'unreadable', why: `${what} cannot be read: ${reason}` });

async function readCluster(machine: Machine, reader: Pick<Reader, 'fetch'>): Promise<Read<Cluster>> {
  const name = clusterNameOf(machine);
  return name === '' ? { kind: 'absent' } : reader.fetch(Cluster, { namespace: machine.metadata.namespace ?? '', name });
}

async function readChecks(machine: Machine, reader: Pick<Reader, 'fetch' | 'fetchList'>): Promise<Listed<MachineHealthCheck>> {
  const { namespace = '' } = machine.metadata;
  const name = claimOf(machine)?.check;
  const asking = name === undefined ? undefined : await reader.fetch<MachineHealthCheck>(MachineHealthCheck, { namespace, name });
  if (asking?.kind === 'unreadable') return asking;
  if (asking?.kind === 'value') return { kind: 'value', value: [asking.value] };
  const listed = await reader.fetchList<MachineHealthCheck>(MachineHealthCheck, { namespace });
  if (listed.kind === 'unreadable') return listed;
  return { kind: 'value', value: listed.value.filter((check) => isAboutIt(check, machine)) };
}

function isAboutIt(check: MachineHealthCheck, machine: Machine): boolean {
  const scope = readScope(check);
  return scope.kind === 'valid' && isAbout(scope, machine);
}

/** Until it says itself that its pause is over, it has not looked again. That it is paused is not our word where Cluster API says it. */
const isPaused = (check: MachineHealthCheck, definitions: Definitions): boolean =>
  pausesUs(check, definitions) || (definitions === 'sickbay' && isTrue(check.status?.conditions as Parameters<typeof isTrue>[0], 'Paused'));
