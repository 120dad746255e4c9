import { Cluster, Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { TemplateReference } from '../../../api/machine-health-check/normalise.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Instant } from '../../../base/index.ts';
import { isTrue } from '../../../kube/objects/conditions.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import type { RequestKind } from '../requests/claim.ts';
import { confirmUnhealthy } from '../verdict/confirm-unhealthy.ts';
import type { RemediationTemplate } from '../requests/external-request.ts';
import {
  isNodeUnchanged,
  targetFromCache,
  type ClusterReads,
  type HealthEvaluator,
  type EvaluatedTarget,
} from '../verdict/health-evaluator.ts';
import {
  observeRequests,
  type ListTargets,
  type DeselectedMachine,
  type RecordedRemediation,
  type LastFullLists,
} from '../requests/observe-requests.ts';
import { selectsMachine, type CheckParseResult, type ParsedCheck } from '../targets/parse-check.ts';
import { TargetList, type ListedTargets } from '../targets/target-list.ts';
import { conditionOf } from '../conditions/cluster-api-conditions.ts';
import { BY_NAMESPACE } from '../watches/watches.ts';
import { isPausedForSickbay, managerOf, type Definitions } from '../other-controllers/managing-controller.ts';

/** Another check that is about a Machine. */
export interface OtherCheck {
  readonly name: string;
  /** Whether its gate lets the Machine be remediated. */
  readonly allows: boolean;
  /** Whether we do not work on it: then the Machine is not ours either. */
  readonly isManagedByOther?: boolean;
  /** What kind of request it has on record for it. */
  readonly recordedRequest?: RequestKind;
}

/** A Machine that a check is about. */
export interface TargetObservation extends EvaluatedTarget {
  /** The other checks that are about it too. */
  readonly others: readonly OtherCheck[];
  /** Whether the Machine itself says that somebody outside was asked to mend it. */
  readonly hasExternalCondition?: boolean;
  /** What is on record about it. */
  readonly entry?: RecordedRemediation;
  /** The kind of request that was looked for; nothing where there can be none. */
  readonly requestKind?: RequestKind;
  /** Looked for only because all requests were listed. */
  readonly isFromFullList?: boolean;
  /** What was found. */
  readonly request?: Read<KubeObject>;
  /** Whether a request that another check has on record is open, or may be. */
  readonly otherRequestMayBeOpen?: boolean;
  /** The Machine as the server has it, where a request may have to be made or taken back. */
  readonly liveMachine?: Read<Machine>;
}

/** What a check in external mode hands out. */
export interface TemplateObservation {
  readonly reference: TemplateReference;
  readonly requests: Resource | undefined;
  /** Looked for only when somebody needs it, or the check has yet to say that it is there. */
  readonly template: Read<RemediationTemplate> | undefined;
  /** When all requests of the kind are looked at again. */
  readonly nextFullListAt?: Instant;
}

/** All that a decision about a check rests on. */
export interface CheckObservation {
  readonly object: MachineHealthCheck;
  readonly parsed: CheckParseResult;
  readonly pausedBy: readonly string[];
  /** Of the Machines that it is about, those of whom there is something to say, in the order of their names. */
  readonly targets: readonly TargetObservation[];
  /** The names of all of them, in order; absent where there are no others than the targets. The others are well. */
  readonly names?: readonly string[];
  /** Why the targets are not known; undefined when they are. */
  readonly targetsUnknown?: string;
  /** Those on record that it is not about any more. */
  readonly deselected?: readonly DeselectedMachine[];
  /** Those with attempts on record that are there, and that it is not about now: their UIDs. */
  readonly deselectedWithAttempts?: readonly string[];
  readonly external?: TemplateObservation;
}

export interface ObserveContext {
  readonly evaluator: HealthEvaluator;
  readonly now: Instant;
  readonly annotationRemediates: boolean;
  readonly lastFullLists: LastFullLists;
  /** Nodes of other clusters; they are not reached when absent. */
  readonly nodes?: WorkloadNodes | undefined;
  readonly clusters?: ClusterReads;
  /** Ours when absent. */
  readonly definitions?: Definitions;
}

export async function observeCheck(key: ObjectKey, reader: Reader, how: ObserveContext): Promise<CheckObservation | undefined> {
  const found = reader.get(MachineHealthCheck, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const read = how.evaluator.parse(object);
  const { definitions = 'sickbay' } = how;
  const pausedBy = pauseReasons(object, reader, definitions);
  if (read.kind === 'invalid' || pausedBy.length > 0) return { object, parsed: read, pausedBy, targets: [] };
  const cluster = clusterRead(object, reader);
  if (cluster?.kind === 'unreadable') {
    const targetsUnknown = `whether Cluster ${object.spec.clusterName} is paused cannot be read: ${cluster.reason}`;
    return { object, parsed: read, pausedBy, targets: [], targetsUnknown };
  }
  const machines = reader.list(Machine, { index: BY_NAMESPACE, value: read.namespace });
  if (machines.kind === 'unreadable')
    return { object, parsed: read, pausedBy, targets: [], targetsUnknown: `Machines cannot be read: ${machines.reason}` };
  const others = otherChecks(read, reader, { evaluator: how.evaluator, definitions });
  if (others.kind === 'unreadable')
    return { object, parsed: read, pausedBy, targets: [], targetsUnknown: `other checks cannot be read: ${others.reason}` };
  const call: ListTargets = (asked) => listTargets(read, { machines: machines.value, asked }, { reader, how, others: others.value });
  // What somebody else hands out is not looked at.
  if (managerOf(object, definitions) !== 'ours') return { object, parsed: read, pausedBy, ...call([]) };
  const seen = await observeRequests(call, { reader, object, read, definitions, lastFullLists: how.lastFullLists, now: how.now });
  return { object, parsed: read, pausedBy, ...seen, targets: await confirmUnhealthy(seen, read, { reader, how }) };
}

interface TargetSources {
  readonly reader: Reader;
  readonly how: ObserveContext;
  readonly others: readonly Other[];
}

function listTargets(
  read: ParsedCheck,
  { machines, asked }: { readonly machines: readonly Machine[]; readonly asked: Parameters<ListTargets>[0] },
  { reader, how, others }: TargetSources,
): ListedTargets {
  const nodes = reader.list(Node);
  const clusters = reader.list(Cluster, { index: BY_NAMESPACE, value: read.namespace });
  const sharedInputs = [
    how.annotationRemediates,
    clusters.kind === 'value' ? clusters.value : clusters.reason,
    ...others.flatMap(({ check, allows }) => [check, allows]),
  ];
  // What is seen without Nodes is no measure for what is seen with them.
  const roll = nodes.kind === 'value' ? how.evaluator.targetsOf(read) : new TargetList();
  return roll.call({ machines, nodes: nodes.kind === 'value' ? nodes.value : [], sharedInputs }, asked, {
    see: (machine) => (selectsMachine(read, machine) ? observeTarget(read, machine, { reader, how, others }) : undefined),
    isStill: ({ target }) => isNodeUnchanged(target, reader, how.nodes),
  });
}

const observeTarget = (read: ParsedCheck, machine: Machine, { reader, how, others }: TargetSources): TargetObservation => ({
  ...how.evaluator.evaluate(read, targetFromCache(machine, reader, how.nodes), how),
  others: othersSelecting(machine, others),
  hasExternalCondition: conditionOf(machine.status ?? {}, 'ExternallyRemediated') !== undefined,
});

/** Whoever paused the check or its cluster, in words. */
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
    // What one has asked for that cannot be carried out any more is open still.
    const check = read.kind === 'valid' ? read : evaluator.parseSelector(object);
    if (check.kind === 'invalid') return [];
    const isInNobodysWay = read.kind === 'invalid' || doesNotRestrict(object, check);
    const allows = isInNobodysWay || allowsRemediation(object, { pausedBy: pauseReasons(object, reader, definitions), definitions });
    return [isOurs ? { check, allows } : { check, allows: false, isManagedByOther: true }];
  });
  return { kind: 'value', value: others };
}

/** One that only looks on, or is on its way out. */
const doesNotRestrict = ({ metadata }: MachineHealthCheck, { check }: ParsedCheck): boolean =>
  check.safeguards.observeOnly || metadata.deletionTimestamp !== undefined;

/** What a check said about an older spec, or before or during a pause, does not count, and one that has not spoken yet lets nothing through. */
function allowsRemediation(
  { metadata, status }: MachineHealthCheck,
  { pausedBy, definitions }: { readonly pausedBy: readonly string[]; readonly definitions: Definitions },
): boolean {
  const conditions = status?.conditions as Parameters<typeof isTrue>[0];
  // Where Cluster API has defined checks, this is its own word about itself.
  const wasPaused = definitions === 'sickbay' && isTrue(conditions, 'Paused');
  const isPresent = pausedBy.length === 0 && !wasPaused && status?.observedGeneration === metadata.generation;
  return isPresent && isTrue(conditions, 'RemediationAllowed');
}

const othersSelecting = (machine: Machine, others: readonly Other[]): TargetObservation['others'] =>
  others.filter(({ check }) => selectsMachine(check, machine)).map(({ check: { name }, ...other }) => ({ name, ...other }));
