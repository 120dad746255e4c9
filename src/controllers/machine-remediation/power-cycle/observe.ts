import { Node, Pod, Secret } from '../../../kube/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { ObjectKey } from '../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Instant } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { BmcError, type BmcAccess, type BmcClient } from '../../../redfish/index.ts';
import { askBudget } from '../../budget/index.ts';
import { evaluationStatusOf, type Definitions } from '../../machine-health/index.ts';
import type { NodeRead, WorkloadNodes } from '../../../workload-clusters/index.ts';
import type { Settings } from '../../settings.ts';
import { locateMachine, type IsLocalCluster } from '../locate-machine.ts';
import { wrongHostOf } from './attempt/wrong-host.ts';
import { isDue } from './attempt/start-attempt.ts';
import { isOutOfService, mustTerminate } from './attempt/out-of-service.ts';
import { readPowerCycleBudget } from './budget/budget-claims.ts';
import { eligibilityOf } from './eligibility.ts';
import { hasFinalizer } from './finalizer.ts';
import { bmcAccessIn, isHostFault, secretKey } from './host/bmc-secret.ts';
import type { CommandFailures } from './host/command-failures.ts';
import { hostOf, owesAnotherHost, secretChangedFault } from './host/host-identity.ts';
import { isOff, type Eligibility, type ObservedNode, type ObservedPower, type PodsOnNode, type PowerCycleSeen } from './observed.ts';
import { phaseOf } from './status.ts';

export interface ObserveContext {
  readonly now: Instant;
  readonly settings: Settings;
  readonly bmc: BmcClient;
  readonly failures: CommandFailures;
  readonly isLocalCluster: IsLocalCluster;
  /** A Node of another cluster, as the health check of its Machine reads it; taken to be readable when absent. */
  readonly nodeOf?: WorkloadNodes['get'] | undefined;
  /** Which controller's MachineHealthChecks evaluate Machines. */
  readonly definitions: Definitions;
}

/** Reads the Machine and its Node live, and the host's power only where this pass depends on it. */
export async function observe(key: ObjectKey, reader: Reader, context: ObserveContext): Promise<PowerCycleSeen | undefined> {
  const found = reader.get(PowerCycleRemediation, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const { settings, now } = context;
  if (isReleased(object)) return { object, settings, ...NOTHING_READ };
  const read = await reader.fetch(Machine, key);
  const node = await readNode(read, reader, context);
  const machine = await unlessHealthIsStale(eligibilityOf(object, read, node), reader, context);
  const wantsClaim = isBeforeAttempt(object) && isDue({ object }, now) && machine.kind === 'eligible';
  const budget = await readPowerCycleBudget({ object, reader, now, settings }, node, wantsClaim);
  // A request whose last host was the wrong one asks the budget only once its Secret points to another host.
  const isNext = wantsClaim && (wrongHostOf(object) !== undefined || askBudget(budget, settings, now).kind !== 'Wait');
  const host: HostRead = needsPower(object) || isNext ? await readHost(object, reader, context) : { power: NOT_READ };
  const commandFailure = context.failures.of(object.metadata.uid);
  const seen = {
    object,
    settings,
    machine,
    node,
    ...host,
    budget,
    ...(commandFailure && { commandFailure }),
    tainted: await readTainted(object, node, reader),
  };
  return { ...seen, pods: await readPods({ ...seen, pods: NOT_READ }, reader) };
}

const NOT_READ = { kind: 'not-read' } as const;
const NOTHING_READ: Omit<PowerCycleSeen, 'object' | 'settings'> = {
  machine: NOT_READ,
  node: { kind: 'absent' },
  tainted: { kind: 'absent' },
  power: NOT_READ,
  pods: NOT_READ,
  budget: { kind: 'absent' },
};

/** It is being deleted, and its finalizer was removed already. */
const isReleased = (object: PowerCycleRemediation): boolean => object.metadata.deletionTimestamp !== undefined && !hasFinalizer(object);

const isBeforeAttempt = (object: PowerCycleRemediation): boolean =>
  object.metadata.deletionTimestamp === undefined && ['pending', 'backoff'].includes(phaseOf(object));

/** While the host is being switched, and until it was seen on again. */
const needsPower = (object: PowerCycleRemediation): boolean =>
  object.status?.switchOnOwed === true ||
  (object.metadata.deletionTimestamp === undefined && ['power-off', 'freeing', 'power-on'].includes(phaseOf(object)));

/** A failed health check does not count while no check would report that the Machine is healthy again. */
async function unlessHealthIsStale(eligibility: Eligibility, reader: Reader, { definitions }: ObserveContext): Promise<Eligibility> {
  if (eligibility.kind !== 'eligible') return eligibility;
  const renewal = await evaluationStatusOf(eligibility.machine, reader, definitions);
  if (renewal.kind === 'renewed') return eligibility;
  return renewal.kind === 'held'
    ? { kind: 'ineligible', reason: renewal.reason, message: renewal.why }
    : { kind: 'unreadable', reason: renewal.why };
}

async function readNode(machine: Read<Machine>, reader: Reader, context: ObserveContext): Promise<ObservedNode> {
  if (machine.kind !== 'value') return machine;
  const name = machine.value.status?.nodeRef?.name;
  if (name === undefined) return { kind: 'absent' };
  const location = await locateMachine(machine.value, reader, context.isLocalCluster);
  if (location.kind === 'unreadable') return location;
  return location.kind === 'local' ? fetchNode(name, reader) : inOtherCluster(context.nodeOf?.(location.cluster, name));
}

const inOtherCluster = (found: NodeRead | undefined): ObservedNode => ({
  kind: 'other-cluster',
  ...(found?.kind === 'unreadable' && { unreadable: found.reason }),
});

async function fetchNode(name: string, reader: Reader): Promise<Read<Node>> {
  const node = await reader.fetch(Node, { namespace: '', name });
  return node.kind === 'unreadable' ? { kind: 'unreadable', reason: `Node ${name} cannot be read: ${node.reason}` } : node;
}

/** The Machine may have been deleted or have another Node by now, so that the tainted Node is read by its own name. */
function readTainted({ status }: PowerCycleRemediation, node: ObservedNode, reader: Reader): Promise<Read<Node>> | ObservedNode {
  const name = status?.taintedNode;
  if (name === undefined) return { kind: 'absent' };
  return node.kind === 'value' && node.value.metadata.name === name ? node : fetchNode(name, reader);
}

type HostRead = Pick<PowerCycleSeen, 'power' | 'host'>;

async function readHost(object: PowerCycleRemediation, reader: Reader, { bmc, settings }: ObserveContext): Promise<HostRead> {
  const key = secretKey(object);
  const access = bmcAccessIn(await reader.fetch(Secret, key), key, settings);
  if (isHostFault(access)) return { power: { kind: 'fault', ...access } };
  const host = hostOf(access);
  const { host: recorded } = object.status ?? {};
  if (recorded && owesAnotherHost(object.status, host)) return { power: { kind: 'fault', ...secretChangedFault(recorded, host) }, host };
  return { power: await readPower(access, bmc), host };
}

async function readPower(access: BmcAccess, bmc: BmcClient): Promise<ObservedPower> {
  try {
    return { kind: 'state', state: await bmc.powerOf(access) };
  } catch (error) {
    if (!(error instanceof BmcError)) throw error;
    return { kind: 'fault', fault: error.fault, message: error.message };
  }
}

async function readPods(seen: PowerCycleSeen, reader: Reader): Promise<PodsOnNode> {
  const { node, object } = seen;
  if (phaseOf(object) !== 'freeing' || node.kind !== 'value' || !isOutOfService(node.value) || !isOff(seen)) return NOT_READ;
  const pods = await reader.fetchList(Pod, { fieldSelector: `spec.nodeName=${node.value.metadata.name}` });
  if (pods.kind === 'unreadable') return { kind: 'unreadable', reason: pods.reason };
  return { kind: 'count', left: pods.value.filter(mustTerminate).length };
}
