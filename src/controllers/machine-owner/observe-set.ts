import { Cluster, Node } from '../../api/builtin/index.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyOf, type ObjectKey } from '../../api/meta.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import type { Instant } from '../../base/index.ts';
import { matchesLabels } from '../../kube/selectors/index.ts';
import type { Read, Reader } from '../../runtime/controller.ts';
import { clusterOf } from '../machine-health/cluster-seen.ts';
import type { ClusterSeen } from '../machine-health/target.ts';
import type { Settings } from '../settings.ts';
import { readOwnerBudget, type BudgetSeen } from './budget.ts';
import { isLeaving, isToBeReplaced, isWellAgain } from './machine-state.ts';
import { readSet, type ReadSet, type SetRead } from './read-set.ts';

/** How Machines are found by the UID of the set that manages them. */
export const BY_OWNER = 'owner';

/** A Machine that is to be replaced, as the server has it now. */
export interface PatientSeen {
  readonly machine: Machine;
  readonly cluster: ClusterSeen;
  /** Undefined where it names none. */
  readonly node: Read<Node> | undefined;
}

/** All that a decision about a set rests on. */
export interface SetSeen {
  readonly object: MachineSet;
  readonly read: SetRead;
  readonly pausedBy: readonly string[];
  /** Its Machines; those that are to be replaced only if the server agrees. */
  readonly machines: readonly Machine[];
  readonly patients: readonly PatientSeen[];
  /** Why its Machines are not known; undefined when they are. */
  readonly blind?: string;
  /** Read only where it matters. */
  readonly budget?: BudgetSeen;
  readonly settings: Settings;
}

interface How {
  readonly settings: Settings;
  readonly now: Instant;
}

export async function observeSet(key: ObjectKey, reader: Reader, { settings, now }: How): Promise<SetSeen | undefined> {
  const found = reader.get(MachineSet, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const read = readSet(object);
  const seen = { object, read, pausedBy: whoPaused(object, reader), machines: [], patients: [], settings };
  if (read.kind === 'invalid' || seen.pausedBy.length > 0 || object.metadata.deletionTimestamp !== undefined) return seen;
  const listed = reader.list(Machine, { index: BY_OWNER, value: object.metadata.uid });
  if (listed.kind === 'unreadable') return { ...seen, blind: `its Machines cannot be read: ${listed.reason}` };
  const own = listed.value.filter((machine) => isOf(read, machine));
  const patients = await readPatients(own, reader);
  if (patients.kind === 'unreadable') return { ...seen, blind: patients.reason };
  const gone = new Set(patients.gone);
  const known = { ...seen, machines: own.filter(({ metadata }) => !gone.has(metadata.uid)), patients: patients.value };
  if (patients.value.length === 0 && !own.some(isWellAgain)) return known;
  const asking = patients.value.map(({ machine }) => machine);
  return { ...known, budget: await readOwnerBudget(reader, asking, { settings, now }) };
}

/** Whoever changed the labels of a Machine took it out of the set. */
const isOf = ({ selects }: ReadSet, { metadata }: Machine): boolean => matchesLabels(selects, metadata.labels);

/** Whoever paused the set or its cluster, in words. */
function whoPaused({ metadata, spec }: MachineSet, reader: Reader): readonly string[] {
  const own = ANNOTATIONS.paused in (metadata.annotations ?? {}) ? [`the annotation ${ANNOTATIONS.paused} is set`] : [];
  if (spec.clusterName === undefined) return own;
  const cluster = reader.get(Cluster, { namespace: metadata.namespace ?? '', name: spec.clusterName });
  return cluster.kind === 'value' && cluster.value.spec?.paused === true ? [...own, `Cluster ${spec.clusterName} is paused`] : own;
}

type Patients =
  | { readonly kind: 'value'; readonly value: readonly PatientSeen[]; readonly gone: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A deletion cannot be taken back: what the cache says of a Machine is asked of the server again. */
async function readPatients(machines: readonly Machine[], reader: Reader): Promise<Patients> {
  const cached = machines.filter((machine) => !isLeaving(machine) && isToBeReplaced(machine));
  const read = await Promise.all(
    cached.map(async (machine) => ({ uid: machine.metadata.uid, found: await reader.fetch(Machine, keyOf(machine)) })),
  );
  const unread = read.flatMap(({ found }) => (found.kind === 'unreadable' ? [found] : []))[0];
  if (unread) return { kind: 'unreadable', reason: `its Machines cannot be read: ${unread.reason}` };
  const now = read.flatMap(({ uid, found }) => (found.kind === 'value' && found.value.metadata.uid === uid ? [found.value] : []));
  const still = now.filter((machine) => !isLeaving(machine) && isToBeReplaced(machine));
  const gone = read.flatMap(({ uid }) => (now.some(({ metadata }) => metadata.uid === uid) ? [] : [uid]));
  return { kind: 'value', value: await Promise.all(still.map((machine) => withNode(machine, reader))), gone };
}

async function withNode(machine: Machine, reader: Reader): Promise<PatientSeen> {
  const cluster = clusterOf(machine, reader.list(Cluster));
  const name = machine.status?.nodeRef?.name ?? '';
  return { machine, cluster, node: name === '' ? undefined : await reader.fetch(Node, { namespace: '', name }) };
}
