import { Cluster, Node, Pod, Secret } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, type ObjectKey } from '../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Instant } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { BmcError, type BmcAccess, type BmcDoor } from '../../../redfish/index.ts';
import { askBudget } from '../../budget/index.ts';
import { clusterNameOf, localClusterUnknown } from '../../machine-health/targets/cluster-of-machine.ts';
import { evaluationStatusOf, type Definitions } from '../../machine-health/index.ts';
import type { NodeRead, WorkloadNodes } from '../../../workload-clusters/index.ts';
import type { Settings } from '../../settings.ts';
import { anothersHost } from './attempt/wrong-host.ts';
import { isDue } from './attempt/start-attempt.ts';
import { accessIn, isTrouble, secretKey } from './host/bmc-secret.ts';
import { readClaims } from './budget/budget-claims.ts';
import { hasFinalizer } from './finalizer.ts';
import { hostOf, isOwedToAnother, ledElsewhere } from './host/host-identity.ts';
import { isMarked, mustLeave } from './attempt/out-of-service.ts';
import { isOff, type NodeSeen, type PodsLeft, type PowerCycleSeen, type SeenPower, type Standing } from './observed.ts';
import type { PowerNotes } from './host/command-failures.ts';
import { standingOf } from './eligibility.ts';
import { phaseOf } from './status.ts';

export interface Look {
  readonly now: Instant;
  readonly settings: Settings;
  readonly door: BmcDoor;
  readonly notes: PowerNotes;
  /** Whether a Cluster stands for the one that we run in; undefined while nobody knows. */
  isHere(cluster: ObjectKey): boolean | undefined;
  /** The Node of another cluster, as those see it who say how its Machine is; taken to be seen when absent. */
  readonly nodeOf?: WorkloadNodes['get'] | undefined;
  /** Whose checks say how Machines are. */
  readonly definitions: Definitions;
}

/** Reads the Machine and its Node on the server's word, and asks the host only where its power matters. */
export async function observe(key: ObjectKey, reader: Reader, look: Look): Promise<PowerCycleSeen | undefined> {
  const found = reader.get(PowerCycleRemediation, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const { settings, now } = look;
  if (isDone(object)) return { object, settings, ...NOTHING };
  const read = await reader.fetch(Machine, key);
  const node = await readNode(read, reader, look);
  const machine = await ifRenewed(standingOf(object, read, node), reader, look);
  const begins = isBeforeAttempt(object) && isDue({ object }, now) && machine.kind === 'ill';
  const budget = await readClaims({ object, reader, now, settings }, node, begins);
  // Whose host was another's asks for room only when its Secret leads elsewhere.
  const isNext = begins && (anothersHost(object) !== undefined || askBudget(budget, settings, now).kind !== 'Wait');
  const isWanted = wantsPower(object) || isNext;
  const asked: HostAsked = isWanted ? await askHost(object, reader, look.door) : { power: UNASKED };
  const trouble = look.notes.of(object.metadata.uid);
  const seen = {
    object,
    settings,
    machine,
    node,
    ...asked,
    budget,
    ...(trouble && { trouble }),
    tainted: await readTainted(object, node, reader),
  };
  return { ...seen, pods: await readPods({ ...seen, pods: UNASKED }, reader) };
}

const UNASKED = { kind: 'unasked' } as const;
const NOTHING: Omit<PowerCycleSeen, 'object' | 'settings'> = {
  machine: { kind: 'unreadable', why: 'not looked at' },
  node: { kind: 'none' },
  tainted: { kind: 'none' },
  power: UNASKED,
  pods: UNASKED,
  budget: { kind: 'absent' },
};

/** On its way out, and nothing of it is left. */
const isDone = (object: PowerCycleRemediation): boolean => object.metadata.deletionTimestamp !== undefined && !hasFinalizer(object);

const isBeforeAttempt = (object: PowerCycleRemediation): boolean =>
  object.metadata.deletionTimestamp === undefined && ['pending', 'backoff'].includes(phaseOf(object));

/** While it is being switched, and for as long as it is owed to be on. */
const wantsPower = (object: PowerCycleRemediation): boolean =>
  object.status?.switchOnOwed === true ||
  (object.metadata.deletionTimestamp === undefined && ['power-off', 'freeing', 'power-on'].includes(phaseOf(object)));

/** What a Machine says is not acted upon while nobody would say that it is well again. */
async function ifRenewed(standing: Standing, reader: Reader, { definitions }: Look): Promise<Standing> {
  if (standing.kind !== 'ill') return standing;
  const renewal = await evaluationStatusOf(standing.machine, reader, definitions);
  if (renewal.kind === 'renewed') return standing;
  return renewal.kind === 'held' ? { ...renewal, kind: 'left' } : renewal;
}

async function readNode(machine: Read<Machine>, reader: Reader, look: Look): Promise<NodeSeen> {
  if (machine.kind === 'unreadable') return { kind: 'unreadable', why: machine.reason };
  const name = machine.kind === 'value' ? machine.value.status?.nodeRef?.name : undefined;
  return machine.kind === 'absent' || name === undefined
    ? { kind: 'none' }
    : ((await whyNotHere(machine.value, reader, look)) ?? fetchNode(name, reader));
}

/** Undefined where the Node is one of ours. One of another cluster may bear the name of one of ours. */
async function whyNotHere(machine: Machine, reader: Reader, { isHere, nodeOf }: Look): Promise<NodeSeen | undefined> {
  const cluster = await readCluster(machine, reader);
  if (cluster.kind === 'absent') return undefined;
  if (cluster.kind === 'unreadable') return { kind: 'unreadable', why: `its Cluster cannot be read: ${cluster.reason}` };
  const key = keyOf(cluster.value);
  const here = isHere(key);
  // Taken to be elsewhere, it would be cycled without a claim on a Node that somebody may be draining.
  if (here === undefined) return { kind: 'unreadable', why: localClusterUnknown(clusterNameOf(machine)) };
  return here ? undefined : elsewhere(nodeOf?.(key, machine.status?.nodeRef?.name ?? ''));
}

const elsewhere = (found: NodeRead | undefined): NodeSeen => ({
  kind: 'elsewhere',
  ...(found?.kind === 'unreadable' && { unseen: found.reason }),
});

/** The Cluster that it is of; none stands for the one that we run in. */
async function readCluster(machine: Machine, reader: Reader): Promise<Read<Cluster>> {
  const name = clusterNameOf(machine);
  return name === '' ? { kind: 'absent' } : reader.fetch(Cluster, { namespace: machine.metadata.namespace ?? '', name });
}

async function fetchNode(name: string, reader: Reader): Promise<NodeSeen> {
  const node = await reader.fetch(Node, { namespace: '', name });
  if (node.kind === 'unreadable') return { kind: 'unreadable', why: `Node ${name} cannot be read: ${node.reason}` };
  return node.kind === 'absent' ? { kind: 'none' } : { kind: 'there', node: node.value };
}

/** The Machine may be gone, or have another Node by now. */
function readTainted({ status }: PowerCycleRemediation, node: NodeSeen, reader: Reader): Promise<NodeSeen> | NodeSeen {
  const name = status?.taintedNode;
  if (name === undefined) return { kind: 'none' };
  return node.kind === 'there' && node.node.metadata.name === name ? node : fetchNode(name, reader);
}

type HostAsked = Pick<PowerCycleSeen, 'power' | 'host'>;

async function askHost(object: PowerCycleRemediation, reader: Reader, door: BmcDoor): Promise<HostAsked> {
  const key = secretKey(object);
  const access = accessIn(await reader.fetch(Secret, key), key);
  if (isTrouble(access)) return { power: { kind: 'fault', ...access } };
  const host = hostOf(access);
  const { host: owed } = object.status ?? {};
  if (owed && isOwedToAnother(object.status, host)) return { power: { kind: 'fault', ...ledElsewhere(owed, host) }, host };
  return { power: await askPower(access, door), host };
}

async function askPower(access: BmcAccess, door: BmcDoor): Promise<SeenPower> {
  try {
    return { kind: 'state', state: await door.powerOf(access) };
  } catch (error) {
    if (!(error instanceof BmcError)) throw error;
    return { kind: 'fault', fault: error.fault, message: error.message };
  }
}

async function readPods(seen: PowerCycleSeen, reader: Reader): Promise<PodsLeft> {
  const { node, object } = seen;
  if (phaseOf(object) !== 'freeing' || node.kind !== 'there' || !isMarked(node.node) || !isOff(seen)) return UNASKED;
  const pods = await reader.fetchList(Pod, { fieldSelector: `spec.nodeName=${node.node.metadata.name}` });
  if (pods.kind === 'unreadable') return { kind: 'unreadable', why: pods.reason };
  return { kind: 'count', left: pods.value.filter(mustLeave).length };
}
