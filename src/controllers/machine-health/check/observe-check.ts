import { Cluster, Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { TemplateReference } from '../../../api/machine-health-check/normalise.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Instant } from '../../../base/index.ts';
import { isTrue } from '../../../kube/objects/conditions.ts';
import { NOT_READ, type OptionalRead } from '../../../kube/client/read.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import type { RequestKind } from '../requests/claim.ts';
import { observeCluster } from './belong-to-cluster.ts';
import { confirmUnhealthy } from '../verdict/confirm-unhealthy.ts';
import type { RemediationTemplate } from '../requests/external-request.ts';
import { isNodeUnchanged, targetFromCache, type ClusterReads } from '../targets/node-of-machine.ts';
import type { EvaluatedTarget, HealthEvaluator } from '../verdict/health-evaluator.ts';
import type { FullListTimes } from '../requests/full-list-times.ts';
import { observeRequests, targetsToRequest, type DeselectedMachine, type RecordedRemediation } from '../requests/observe-requests.ts';
import { selectsMachine, type CheckParseResult, type ParsedCheck } from '../targets/parse-check.ts';
import { TargetList, type ListedTargets } from '../targets/target-list.ts';
import { conditionOf } from '../conditions/cluster-api-conditions.ts';
import { hasOwnerKind, type ActingOwners } from '../owners/acting-owners.ts';
import { observeOwners } from '../owners/observe-owners.ts';
import { BY_NAMESPACE } from '../watches/watches.ts';
import { isPausedForSickbay, managerOf, type Definitions } from '../other-controllers/managing-controller.ts';

/** Another check that selects the same Machine. */
export interface OtherCheck {
  readonly name: string;
  /** Whether its gate allows remediation of the Machine. */
  readonly allows: boolean;
  /** Whether another controller manages it; then the Machine is left to that controller too. */
  readonly isManagedByOther?: boolean;
  /** The kind of request that it recorded in its status for the Machine. */
  readonly recordedRequest?: RequestKind;
}

/** A Machine that a check selects. */
export interface TargetObservation extends EvaluatedTarget {
  /** The other checks that select it. */
  readonly others: readonly OtherCheck[];
  /** Whether the Machine has the condition ExternallyRemediated. */
  readonly hasExternalCondition?: boolean;
  /** What the check recorded in its status about it. */
  readonly entry?: RecordedRemediation;
  /** The kind of the request that was read; absent where there can be none. */
  readonly requestKind?: RequestKind;
  /** The request was read only because all requests of the kind were listed. */
  readonly isFromFullList?: boolean;
  readonly request: OptionalRead<KubeObject>;
  /** Whether a request recorded by another check is open, or may be. */
  readonly otherRequestMayBeOpen?: boolean;
  /** Whether a request recorded by another check was read, and is open. */
  readonly isOpenForOtherCheck?: boolean;
  /** A live read of the Machine, made where a request may have to be created or withdrawn. */
  readonly liveMachine: OptionalRead<Machine>;
}

/** The template of a check, and the requests that are made from it. */
export interface TemplateObservation {
  readonly reference: TemplateReference;
  readonly requests: Resource | undefined;
  /** Read only where a request needs it, or until the check has reported that it exists. */
  readonly template: OptionalRead<RemediationTemplate>;
  /** When all requests of the kind are listed again. */
  readonly nextFullListAt?: Instant;
}

/** Everything that a decision about a check depends on. */
export interface CheckObservation {
  readonly object: MachineHealthCheck;
  readonly parsed: CheckParseResult;
  readonly pausedBy: readonly string[];
  /** The selected Machines that need attention, sorted by name. */
  readonly targets: readonly TargetObservation[];
  /** The names of all selected Machines, sorted; absent where all of them are in `targets`. Those not in `targets` are healthy. */
  readonly names?: readonly string[];
  /** Why the targets could not be read; undefined when they could. */
  readonly targetsUnknown?: string;
  /** Machines recorded in the status that the check no longer selects. */
  readonly deselected?: readonly DeselectedMachine[];
  /** UIDs of existing Machines with counted attempts that the check does not select now. */
  readonly deselectedWithAttempts?: readonly string[];
  readonly external?: TemplateObservation;
  /** For which owners a controller is known to act; none where it was not read. */
  readonly owners?: ActingOwners;
  /** The Cluster that it names and does not belong to yet. */
  readonly cluster?: Cluster;
}

export interface ObserveContext {
  readonly evaluator: HealthEvaluator;
  readonly now: Instant;
  readonly annotationRemediates: boolean;
  readonly fullLists: FullListTimes;
  /** Nodes of other clusters; not reachable when absent. */
  readonly nodes?: WorkloadNodes | undefined;
  readonly clusters?: ClusterReads;
  /** Sickbay's own when absent. */
  readonly definitions?: Definitions;
  /** Whether Sickbay's own owner of MachineSets runs. */
  readonly keepsMachineSets?: boolean;
}

/**
 * Reads in three stages: Machines, Nodes, Clusters and checks from the cache; then, for targets that the verdict concerns, their requests
 * and templates; then live Nodes of Machines for which remediation may be requested.
 */
export async function observeCheck(key: ObjectKey, reader: Reader, how: ObserveContext): Promise<CheckObservation | undefined> {
  const found = reader.get(MachineHealthCheck, key);
  if (found.kind !== 'value') return forget(key, how);
  const object = found.value;
  const parsed = how.evaluator.parse(object);
  const { definitions = 'sickbay' } = how;
  const pausedBy = pauseReasons(object, reader, definitions);
  const common = { object, parsed, pausedBy };
  if (parsed.kind === 'invalid' || pausedBy.length > 0) return { ...common, targets: [] };
  const cached = readCache(object, parsed, { reader, how });
  if (cached.kind === 'unreadable') return { ...common, targets: [], targetsUnknown: cached.reason };
  const isManaged = managerOf(object, definitions) === 'ours';
  // Requests of another controller's check are not read.
  const wanted = isManaged ? targetsToRequest(object, parsed, how) : { names: [], fullList: undefined };
  const listed = listTargets(parsed, cached.value, { reader, how, requested: wanted.names });
  if (!isManaged) return { ...common, ...listed };
  const seen = await observeRequests(listed, { reader, object, parsed, definitions, ...how, fullList: wanted.fullList });
  const targets = await confirmUnhealthy(seen, parsed, { reader, how });
  const owners = await ownersOf(targets, reader, how);
  const cluster = await observeCluster(object, reader);
  return { ...common, ...seen, targets, ...(owners && { owners }), ...(cluster && { cluster }) };
}

/** Read only where an unhealthy Machine has an owner of a kind that replaces Machines. */
async function ownersOf(targets: readonly TargetObservation[], reader: Reader, how: ObserveContext): Promise<ActingOwners | undefined> {
  const sample = targets.find(({ verdict, target }) => verdict.kind === 'unhealthy' && hasOwnerKind(target.machine));
  const { definitions = 'sickbay', keepsMachineSets = false, now } = how;
  return sample && observeOwners(sample.target.machine, reader, { definitions, keepsMachineSets, now });
}

function forget(key: ObjectKey, { evaluator, fullLists }: ObserveContext): undefined {
  evaluator.forget(key);
  fullLists.forget(key);
}

interface Cached {
  readonly machines: readonly Machine[];
  readonly others: readonly Other[];
}

/** The Machines and the other checks of the namespace, or why they cannot be read. */
function readCache(
  object: MachineHealthCheck,
  parsed: ParsedCheck,
  { reader, how }: { readonly reader: Reader; readonly how: ObserveContext },
): Exclude<Read<Cached>, { kind: 'absent' }> {
  const { evaluator, definitions = 'sickbay' } = how;
  const cluster = clusterRead(object, reader);
  if (cluster?.kind === 'unreadable') return unreadable(`whether Cluster ${object.spec.clusterName} is paused`, cluster.reason);
  const machines = reader.list(Machine, { index: BY_NAMESPACE, value: parsed.namespace });
  if (machines.kind === 'unreadable') return unreadable('Machines', machines.reason);
  const others = otherChecks(parsed, reader, { evaluator, definitions });
  if (others.kind === 'unreadable') return unreadable('other checks', others.reason);
  return { kind: 'value', value: { machines: machines.value, others: others.value } };
}

const unreadable = (what: string, reason: string) => ({ kind: 'unreadable', reason: `${what} cannot be read: ${reason}` }) as const;

interface TargetSources {
  readonly reader: Reader;
  readonly how: ObserveContext;
  readonly others: readonly Other[];
}

function listTargets(
  parsed: ParsedCheck,
  { machines, others }: Cached,
  { reader, how, requested }: Omit<TargetSources, 'others'> & { readonly requested: 'all' | readonly string[] },
): ListedTargets {
  const nodes = reader.list(Node);
  const clusters = reader.list(Cluster, { index: BY_NAMESPACE, value: parsed.namespace });
  const sharedInputs = [
    how.annotationRemediates,
    clusters.kind === 'value' ? clusters.value : clusters.reason,
    isClusterKindUnknown(reader),
    ...others.flatMap(({ check, allows }) => [check, allows]),
  ];
  // What is observed without Nodes must not be compared with what is observed with them.
  const list = nodes.kind === 'value' ? how.evaluator.targetsOf(parsed) : new TargetList();
  const objects = { machines, nodes: nodes.kind === 'value' ? nodes.value : [], sharedInputs };
  const { changed, open } = list.begin(objects);
  const outdated = open.filter(({ verdict, target }) => verdict.kind !== 'healthy' || !isNodeUnchanged(target, reader, how.nodes));
  const evaluated = [...changed, ...outdated.map(({ target }) => target.machine)].map((machine) => ({
    machine,
    observation: selectsMachine(parsed, machine) ? observeTarget(parsed, machine, { reader, how, others }) : undefined,
  }));
  list.update(objects, evaluated);
  return list.list(requested);
}

const observeTarget = (parsed: ParsedCheck, machine: Machine, { reader, how, others }: TargetSources): TargetObservation => ({
  ...how.evaluator.evaluate(parsed, targetFromCache(machine, reader, how.nodes), how),
  others: othersSelecting(machine, others),
  hasExternalCondition: conditionOf(machine.status ?? {}, 'ExternallyRemediated') !== undefined,
  request: NOT_READ,
  liveMachine: NOT_READ,
});

/** While the server has no Clusters every Machine is in the local cluster, whatever Cluster it names. */
function isClusterKindUnknown(reader: Reader): boolean {
  const read = reader.get(Cluster, { namespace: '', name: '' });
  return read.kind === 'absent' && read.isKindUnknown === true;
}

/** Why the check is paused: its own annotation, or its Cluster; empty when it is not. */
export function pauseReasons(check: MachineHealthCheck, reader: Reader, definitions: Definitions): readonly string[] {
  const own = isPausedForSickbay(check, definitions) ? [`the annotation ${ANNOTATIONS.paused} is set`] : [];
  const cluster = clusterRead(check, reader);
  const isPaused = cluster?.kind === 'value' && cluster.value.spec?.paused === true;
  return isPaused ? [...own, `Cluster ${cluster.value.metadata.name} is paused`] : own;
}

/** The Cluster that the check names; undefined where it names none. */
const clusterRead = ({ metadata, spec }: MachineHealthCheck, reader: Reader): Read<Cluster> | undefined =>
  spec.clusterName === undefined ? undefined : reader.get(Cluster, { namespace: metadata.namespace ?? '', name: spec.clusterName });

interface Other extends Pick<OtherCheck, 'allows' | 'isManagedByOther'> {
  readonly check: ParsedCheck;
}

function otherChecks(
  own: ParsedCheck,
  reader: Reader,
  { evaluator, definitions }: { readonly evaluator: HealthEvaluator; readonly definitions: Definitions },
): Exclude<Read<readonly Other[]>, { kind: 'absent' }> {
  const listed = reader.list(MachineHealthCheck, { index: BY_NAMESPACE, value: own.namespace });
  if (listed.kind === 'unreadable') return listed;
  const others = listed.value.flatMap((object) => {
    if (object.metadata.name === own.name) return [];
    const isOurs = managerOf(object, definitions) === 'ours';
    const read = isOurs ? evaluator.parse(object) : evaluator.parseSelector(object);
    // The open requests of an invalid check still count.
    const check = read.kind === 'valid' ? read : evaluator.parseSelector(object);
    if (check.kind === 'invalid') return [];
    const isInNobodysWay = read.kind === 'invalid' || doesNotRestrict(object, check);
    const allows = isInNobodysWay || allowsRemediation(object, { pausedBy: pauseReasons(object, reader, definitions), definitions });
    return [isOurs ? { check, allows } : { check, allows: false, isManagedByOther: true }];
  });
  return { kind: 'value', value: others };
}

/** A check that only observes, or is being deleted, does not restrict other checks. */
const doesNotRestrict = ({ metadata }: MachineHealthCheck, { check }: ParsedCheck): boolean =>
  check.safeguards.observeOnly || metadata.deletionTimestamp !== undefined;

/** A gate counts only if it was reported for the current spec and not before or during a pause; a check that has not reported yet allows nothing. */
function allowsRemediation(
  { metadata, status }: MachineHealthCheck,
  { pausedBy, definitions }: { readonly pausedBy: readonly string[]; readonly definitions: Definitions },
): boolean {
  const conditions = status?.conditions as Parameters<typeof isTrue>[0];
  // With Cluster API's definitions Cluster API's controller writes this condition.
  const wasPaused = definitions === 'sickbay' && isTrue(conditions, 'Paused');
  const isPresent = pausedBy.length === 0 && !wasPaused && status?.observedGeneration === metadata.generation;
  return isPresent && isTrue(conditions, 'RemediationAllowed');
}

const othersSelecting = (machine: Machine, others: readonly Other[]): TargetObservation['others'] =>
  others.filter(({ check }) => selectsMachine(check, machine)).map(({ check: { name }, ...other }) => ({ name, ...other }));
