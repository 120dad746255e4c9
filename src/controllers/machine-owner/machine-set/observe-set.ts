import { Cluster, Node } from '../../../api/builtin/index.ts';
import { MachineSet } from '../../../api/machine-set/machine-set.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, type ObjectKey } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Instant } from '../../../base/index.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';
import { matchesLabels } from '../../../kube/selectors/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { clusterOfMachine } from '../../machine-health/targets/cluster-of-machine.ts';
import { evaluationStatusOf } from '../../machine-health/verdict/evaluation-status.ts';
import type { TargetCluster } from '../../machine-health/targets/target.ts';
import type { Settings } from '../../settings.ts';
import { readOwnerBudget, type BudgetSeen } from '../replacement-budget.ts';
import { isLeaving, isToBeReplaced, isWellAgain } from '../machine-state.ts';
import { readSet, type ReadSet, type SetRead } from './parse-set.ts';

/** How Machines are found by the UID of the set that manages them. */
export const BY_OWNER = 'owner';

/** A Machine that is to be replaced, as the server has it now. */
export interface PatientSeen {
  readonly machine: Machine;
  readonly cluster: TargetCluster;
  /** Undefined where it names none. */
  readonly node: Read<Node> | undefined;
  /** Why nobody would say that it is well again; undefined where somebody would. */
  readonly unrenewed?: string;
}

/** All that a decision about a set rests on. */
export interface SetSeen {
  readonly object: MachineSet;
  readonly read: SetRead;
  readonly pausedBy: readonly string[];
  /** Its Machines: those that are to be replaced as the server has them, and all of them where one is missing. */
  readonly machines: readonly Machine[];
  readonly patients: readonly PatientSeen[];
  /** What the Machines of its namespace are called, on the server's word; undefined where none of its own is missing. */
  readonly names?: ReadonlySet<string>;
  /** Why its Machines, or whether it is paused, are not known; undefined when they are. */
  readonly blind?: string;
  /** Read only where it matters. */
  readonly budget?: BudgetSeen;
  readonly settings: Settings;
}

interface How {
  readonly settings: Settings;
  readonly now: Instant;
}

export async function observeSet(key: ObjectKey, reader: Reader, how: How): Promise<SetSeen | undefined> {
  const found = reader.get(MachineSet, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const read = readSet(object);
  const pause = whoPaused(
    object,
    clusterIn(object, (name) => reader.get(Cluster, name)),
  );
  const seen = { object, read, pausedBy: pause.by, machines: [], patients: [], settings: how.settings };
  if (read.kind === 'invalid' || seen.pausedBy.length > 0 || object.metadata.deletionTimestamp !== undefined) return seen;
  if (pause.blind !== undefined) return { ...seen, blind: pause.blind };
  const known = await withMachines({ ...seen, read }, reader, how.now);
  return known.names === undefined && known.patients.length === 0 ? known : onServersWord(known, reader);
}

/** The same where something may be made or deleted: somebody may have lowered its size, or paused it, and the cache does not show it yet. */
async function onServersWord(seen: SetSeen, reader: Reader): Promise<SetSeen | undefined> {
  const { uid } = seen.object.metadata;
  const found = await reader.fetch<MachineSet>(MachineSet, keyOf(seen.object));
  if (found.kind === 'unreadable') return { ...seen, blind: `the set cannot be read: ${found.reason}` };
  if (found.kind === 'absent' || found.value.metadata.uid !== uid) return undefined;
  const object = found.value;
  const { by, blind = seen.blind } = whoPaused(object, await clusterIn(object, (name) => reader.fetch(Cluster, name)));
  return { ...seen, object, read: readSet(object), pausedBy: by, ...(blind !== undefined && { blind }) };
}

/** The same with the Machines, and what is to become of those that fail. */
async function withMachines(seen: SetSeen & { readonly read: ReadSet }, reader: Reader, now: Instant): Promise<SetSeen> {
  const { object, read, settings } = seen;
  const listed = reader.list(Machine, { index: BY_OWNER, value: object.metadata.uid });
  if (listed.kind === 'unreadable') return { ...seen, blind: `its Machines cannot be read: ${listed.reason}` };
  const own = listed.value.filter((machine) => isOf(read, machine));
  const patients = await readPatients(own, reader);
  if (patients.kind === 'unreadable') return { ...seen, blind: patients.reason };
  const machines = own.flatMap((machine) => patients.current.get(machine.metadata.uid) ?? machine);
  const counted = await recount({ set: object, read, machines }, reader);
  if (counted.kind === 'unreadable') return { ...seen, blind: `its Machines cannot be read: ${counted.reason}` };
  const known = { ...seen, ...counted.value, patients: patients.value.filter(isAmong(counted.value.machines)) };
  if (known.patients.length === 0 && !known.machines.some(isWellAgain)) return known;
  const asking = known.patients.map(({ machine }) => machine);
  return { ...known, budget: await readOwnerBudget(reader, asking, { settings, now }) };
}

/** One that changed since, and may be well again, is for the next pass: it must not be let go and given a place in the budget in the same. */
const isAmong =
  (machines: readonly Machine[]) =>
  ({ machine: { metadata } }: PatientSeen): boolean =>
    machines.some((one) => one.metadata.uid === metadata.uid && one.metadata.resourceVersion === metadata.resourceVersion);

/** Whoever changed the labels of a Machine took it out of the set. */
const isOf = ({ selects }: ReadSet, { metadata }: Machine): boolean => matchesLabels(selects, metadata.labels);

/** The Cluster that stands for the set's own, if any. */
const clusterIn = <T>({ metadata, spec }: MachineSet, read: (key: ObjectKey) => T): T | { readonly kind: 'absent' } =>
  spec.clusterName === undefined ? { kind: 'absent' } : read({ namespace: metadata.namespace ?? '', name: spec.clusterName });

/** Whoever paused the set or its cluster, in words, and why nobody can tell. */
function whoPaused({ metadata, spec }: MachineSet, cluster: Read<Cluster>): { readonly by: readonly string[]; readonly blind?: string } {
  const by = ANNOTATIONS.paused in (metadata.annotations ?? {}) ? [`the annotation ${ANNOTATIONS.paused} is set`] : [];
  if (cluster.kind === 'unreadable') return { by, blind: `Cluster ${spec.clusterName ?? ''} cannot be read: ${cluster.reason}` };
  return cluster.kind === 'value' && cluster.value.spec?.paused === true
    ? { by: [...by, `Cluster ${spec.clusterName ?? ''} is paused`] }
    : { by };
}

interface Count {
  readonly set: MachineSet;
  readonly read: ReadSet;
  readonly machines: readonly Machine[];
}

type Counted =
  | { readonly kind: 'value'; readonly value: Pick<SetSeen, 'machines' | 'names'> }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** One too many would stay for ever: where one seems to be missing, as to whoever has just begun to lead, the server counts them. */
async function recount({ set, read, machines }: Count, reader: Reader): Promise<Counted> {
  if (machines.filter((machine) => !isLeaving(machine)).length >= read.replicas) return { kind: 'value', value: { machines } };
  const { uid, namespace = '' } = set.metadata;
  const listed = await reader.fetchList(Machine, { namespace });
  if (listed.kind === 'unreadable') return listed;
  const own = listed.value.filter((machine) => controllerOf(machine)?.uid === uid && isOf(read, machine));
  return { kind: 'value', value: { machines: own, names: new Set(listed.value.map(({ metadata }) => metadata.name)) } };
}

type Patients =
  | {
      readonly kind: 'value';
      readonly value: readonly PatientSeen[];
      /** Those that were asked after, by UID, as the server has them; none for one that is gone. */
      readonly current: ReadonlyMap<string, readonly Machine[]>;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A deletion cannot be taken back: what the cache says of a Machine is asked of the server again. */
async function readPatients(machines: readonly Machine[], reader: Reader): Promise<Patients> {
  const cached = machines.filter((machine) => !isLeaving(machine) && isToBeReplaced(machine));
  const read = await Promise.all(
    cached.map(async (machine) => ({ uid: machine.metadata.uid, found: await reader.fetch(Machine, keyOf(machine)) })),
  );
  const unread = read.flatMap(({ found }) => (found.kind === 'unreadable' ? [found] : []))[0];
  if (unread) return { kind: 'unreadable', reason: `its Machines cannot be read: ${unread.reason}` };
  const current = new Map(
    read.map(({ uid, found }) => [uid, found.kind === 'value' && found.value.metadata.uid === uid ? [found.value] : []]),
  );
  const still = [...current.values()].flat().filter((machine) => !isLeaving(machine) && isToBeReplaced(machine));
  return { kind: 'value', value: await Promise.all(still.map((machine) => withNode(machine, reader))), current };
}

async function withNode(machine: Machine, reader: Reader): Promise<PatientSeen> {
  const cluster = clusterOfMachine(machine, reader.list(Cluster));
  const name = machine.status?.nodeRef?.name ?? '';
  const node = name === '' ? undefined : await reader.fetch(Node, { namespace: '', name });
  // Sets are kept only where the definitions are ours.
  const renewal = await evaluationStatusOf(machine, reader, 'sickbay');
  return { machine, cluster, node, ...(renewal.kind !== 'renewed' && { unrenewed: renewal.why }) };
}
