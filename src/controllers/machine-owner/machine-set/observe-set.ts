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
import { readReplacementBudget, type BudgetSeen } from '../replacement-budget.ts';
import { isLeaving, isToBeReplaced, isHealthyAgain } from '../machine-state.ts';
import { readSet, type ReadSet, type SetRead } from './parse-set.ts';

/** Index of Machines by the UID of their MachineSet. */
export const BY_OWNER = 'owner';

/** A Machine that is to be replaced, from a live read. */
export interface MachineToReplace {
  readonly machine: Machine;
  readonly cluster: TargetCluster;
  /** Undefined where it names none. */
  readonly node: Read<Node> | undefined;
  /** Why no check would report that it is healthy again; undefined where one would. */
  readonly notEvaluated?: string;
}

/** All that a decision about a set rests on. */
export interface SetSeen {
  readonly object: MachineSet;
  readonly read: SetRead;
  readonly pausedBy: readonly string[];
  /** Its Machines: those that are to be replaced as the server has them, and all of them where one is missing. */
  readonly machines: readonly Machine[];
  readonly toReplace: readonly MachineToReplace[];
  /** The names of all Machines in its namespace, from a live read; undefined where none of its own is missing. */
  readonly names?: ReadonlySet<string>;
  /** Why its Machines, or whether it is paused, cannot be read; undefined when they can. */
  readonly unreadable?: string;
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
  const seen = { object, read, pausedBy: pause.by, machines: [], toReplace: [], settings: how.settings };
  if (read.kind === 'invalid' || seen.pausedBy.length > 0 || object.metadata.deletionTimestamp !== undefined) return seen;
  if (pause.unreadable !== undefined) return { ...seen, unreadable: pause.unreadable };
  const known = await withMachines({ ...seen, read }, reader, how.now);
  return known.names === undefined && known.toReplace.length === 0 ? known : recheckLive(known, reader);
}

/** Reads the set live before anything is created or deleted: an operator may have scaled it down or paused it since. */
async function recheckLive(seen: SetSeen, reader: Reader): Promise<SetSeen | undefined> {
  const { uid } = seen.object.metadata;
  const found = await reader.fetch<MachineSet>(MachineSet, keyOf(seen.object));
  if (found.kind === 'unreadable') return { ...seen, unreadable: `the set cannot be read: ${found.reason}` };
  if (found.kind === 'absent' || found.value.metadata.uid !== uid) return undefined;
  const object = found.value;
  const { by, unreadable = seen.unreadable } = whoPaused(object, await clusterIn(object, (name) => reader.fetch(Cluster, name)));
  return { ...seen, object, read: readSet(object), pausedBy: by, ...(unreadable !== undefined && { unreadable }) };
}

/** Adds the Machines, and those that are to be replaced. */
async function withMachines(seen: SetSeen & { readonly read: ReadSet }, reader: Reader, now: Instant): Promise<SetSeen> {
  const { object, read, settings } = seen;
  const listed = reader.list(Machine, { index: BY_OWNER, value: object.metadata.uid });
  if (listed.kind === 'unreadable') return { ...seen, unreadable: `its Machines cannot be read: ${listed.reason}` };
  const own = listed.value.filter((machine) => isOf(read, machine));
  const toReplace = await readMachinesToReplace(own, reader);
  if (toReplace.kind === 'unreadable') return { ...seen, unreadable: toReplace.reason };
  const machines = own.flatMap((machine) => toReplace.current.get(machine.metadata.uid) ?? machine);
  const counted = await recount({ set: object, read, machines }, reader);
  if (counted.kind === 'unreadable') return { ...seen, unreadable: `its Machines cannot be read: ${counted.reason}` };
  const known = { ...seen, ...counted.value, toReplace: toReplace.value.filter(isAmong(counted.value.machines)) };
  if (known.toReplace.length === 0 && !known.machines.some(isHealthyAgain)) return known;
  const asking = known.toReplace.map(({ machine }) => machine);
  return { ...known, budget: await readReplacementBudget(reader, asking, { settings, now }) };
}

/** A Machine that changed since may be healthy again, and is left to the next pass: one pass must not both release it and claim a slot for it. */
const isAmong =
  (machines: readonly Machine[]) =>
  ({ machine: { metadata } }: MachineToReplace): boolean =>
    machines.some((one) => one.metadata.uid === metadata.uid && one.metadata.resourceVersion === metadata.resourceVersion);

/** A Machine whose labels no longer match is not part of the set. */
const isOf = ({ selects }: ReadSet, { metadata }: Machine): boolean => matchesLabels(selects, metadata.labels);

/** The Cluster that stands for the set's own, if any. */
const clusterIn = <T>({ metadata, spec }: MachineSet, read: (key: ObjectKey) => T): T | { readonly kind: 'absent' } =>
  spec.clusterName === undefined ? { kind: 'absent' } : read({ namespace: metadata.namespace ?? '', name: spec.clusterName });

/** What pauses the set, and why that cannot be read. */
function whoPaused(
  { metadata, spec }: MachineSet,
  cluster: Read<Cluster>,
): { readonly by: readonly string[]; readonly unreadable?: string } {
  const by = ANNOTATIONS.paused in (metadata.annotations ?? {}) ? [`the annotation ${ANNOTATIONS.paused} is set`] : [];
  if (cluster.kind === 'unreadable') return { by, unreadable: `Cluster ${spec.clusterName ?? ''} cannot be read: ${cluster.reason}` };
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

/** A surplus Machine would stay forever. Where one seems to be missing, the Machines are listed live: the cache of a new leader may be behind. */
async function recount({ set, read, machines }: Count, reader: Reader): Promise<Counted> {
  if (machines.filter((machine) => !isLeaving(machine)).length >= read.replicas) return { kind: 'value', value: { machines } };
  const { uid, namespace = '' } = set.metadata;
  const listed = await reader.fetchList(Machine, { namespace });
  if (listed.kind === 'unreadable') return listed;
  const own = listed.value.filter((machine) => controllerOf(machine)?.uid === uid && isOf(read, machine));
  return { kind: 'value', value: { machines: own, names: new Set(listed.value.map(({ metadata }) => metadata.name)) } };
}

type MachinesToReplace =
  | {
      readonly kind: 'value';
      readonly value: readonly MachineToReplace[];
      /** Live reads by UID; empty for a Machine that is gone. */
      readonly current: ReadonlyMap<string, readonly Machine[]>;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A deletion cannot be undone, so that each Machine to delete is read live. */
async function readMachinesToReplace(machines: readonly Machine[], reader: Reader): Promise<MachinesToReplace> {
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

async function withNode(machine: Machine, reader: Reader): Promise<MachineToReplace> {
  const cluster = clusterOfMachine(machine, reader);
  const name = machine.status?.nodeRef?.name ?? '';
  const node = name === '' ? undefined : await reader.fetch(Node, { namespace: '', name });
  // MachineSets are reconciled only where Sickbay installed the definitions.
  const renewal = await evaluationStatusOf(machine, reader, 'sickbay');
  return { machine, cluster, node, ...(renewal.kind !== 'renewed' && { notEvaluated: renewal.why }) };
}
