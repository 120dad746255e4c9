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
import { confirmIll } from '../verdict/confirm-unhealthy.ts';
import type { RemediationTemplate } from '../requests/external-request.ts';
import { isStillThere, targetOf, type ClusterReads, type Judge, type Judged } from '../verdict/health-evaluator.ts';
import { observeRequests, type Call, type Released, type Remediation, type Sweeps } from '../requests/observe-requests.ts';
import { isAbout, type CheckRead, type ReadCheck } from '../targets/parse-check.ts';
import { Roll, type Called } from '../targets/target-list.ts';
import { statedOf } from '../conditions/cluster-api-conditions.ts';
import { BY_NAMESPACE } from '../watches/watches.ts';
import { pausesUs, whoseCheck, type Definitions } from '../other-controllers/managing-controller.ts';

/** Another check that is about a Machine. */
export interface OtherCheck {
  readonly name: string;
  /** Whether its gate lets the Machine be remediated. */
  readonly allows: boolean;
  /** Whether we do not work on it: then the Machine is not ours either. */
  readonly isTheirs?: boolean;
  /** What kind of request it has on record for it. */
  readonly holds?: RequestKind;
}

/** A Machine that a check is about. */
export interface TargetSeen extends Judged {
  /** The other checks that are about it too. */
  readonly others: readonly OtherCheck[];
  /** Whether the Machine itself says that somebody outside was asked to mend it. */
  readonly isClaimed?: boolean;
  /** What is on record about it. */
  readonly entry?: Remediation;
  /** The kind of request that was looked for; nothing where there can be none. */
  readonly looksFor?: RequestKind;
  /** Looked for only because all requests were listed. */
  readonly isSwept?: boolean;
  /** What was found. */
  readonly request?: Read<KubeObject>;
  /** Whether a request that another check has on record is open, or may be. */
  readonly isHeldElsewhere?: boolean;
  /** The Machine as the server has it, where a request may have to be made or taken back. */
  readonly onServer?: Read<Machine>;
}

/** What a check in external mode hands out. */
export interface TemplateSeen {
  readonly reference: TemplateReference;
  readonly requests: Resource | undefined;
  /** Looked for only when somebody needs it, or the check has yet to say that it is there. */
  readonly template: Read<RemediationTemplate> | undefined;
  /** When all requests of the kind are looked at again. */
  readonly nextSweep?: Instant;
}

/** All that a decision about a check rests on. */
export interface CheckSeen {
  readonly object: MachineHealthCheck;
  readonly read: CheckRead;
  readonly pausedBy: readonly string[];
  /** Of the Machines that it is about, those of whom there is something to say, in the order of their names. */
  readonly targets: readonly TargetSeen[];
  /** The names of all of them, in order; absent where there are no others than the targets. The others are well. */
  readonly names?: readonly string[];
  /** Why the targets are not known; undefined when they are. */
  readonly blind?: string;
  /** Those on record that it is not about any more. */
  readonly released?: readonly Released[];
  /** Those with attempts on record that are there, and that it is not about now: their UIDs. */
  readonly aside?: readonly string[];
  readonly external?: TemplateSeen;
}

export interface How {
  readonly judge: Judge;
  readonly now: Instant;
  readonly annotationRemediates: boolean;
  readonly sweeps: Sweeps;
  /** Nodes of other clusters; they are not reached when absent. */
  readonly nodes?: WorkloadNodes | undefined;
  readonly clusters?: ClusterReads;
  /** Ours when absent. */
  readonly definitions?: Definitions;
}

export async function observeCheck(key: ObjectKey, reader: Reader, how: How): Promise<CheckSeen | undefined> {
  const found = reader.get(MachineHealthCheck, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const read = how.judge.read(object);
  const { definitions = 'sickbay' } = how;
  const pausedBy = whoPaused(object, reader, definitions);
  if (read.kind === 'invalid' || pausedBy.length > 0) return { object, read, pausedBy, targets: [] };
  const cluster = clusterRead(object, reader);
  if (cluster?.kind === 'unreadable') {
    const blind = `whether Cluster ${object.spec.clusterName} is paused cannot be read: ${cluster.reason}`;
    return { object, read, pausedBy, targets: [], blind };
  }
  const machines = reader.list(Machine, { index: BY_NAMESPACE, value: read.namespace });
  if (machines.kind === 'unreadable') return { object, read, pausedBy, targets: [], blind: `Machines cannot be read: ${machines.reason}` };
  const others = otherChecks(read, reader, { judge: how.judge, definitions });
  if (others.kind === 'unreadable') return { object, read, pausedBy, targets: [], blind: `other checks cannot be read: ${others.reason}` };
  const call: Call = (asked) => callRoll(read, { machines: machines.value, asked }, { reader, how, others: others.value });
  // What somebody else hands out is not looked at.
  if (whoseCheck(object, definitions) !== 'ours') return { object, read, pausedBy, ...call([]) };
  const seen = await observeRequests(call, { reader, object, read, definitions, sweeps: how.sweeps, now: how.now });
  return { object, read, pausedBy, ...seen, targets: await confirmIll(seen, read, { reader, how }) };
}

interface With {
  readonly reader: Reader;
  readonly how: How;
  readonly others: readonly Other[];
}

function callRoll(
  read: ReadCheck,
  { machines, asked }: { readonly machines: readonly Machine[]; readonly asked: Parameters<Call>[0] },
  { reader, how, others }: With,
): Called {
  const nodes = reader.list(Node);
  const clusters = reader.list(Cluster, { index: BY_NAMESPACE, value: read.namespace });
  const restsOn = [
    how.annotationRemediates,
    clusters.kind === 'value' ? clusters.value : clusters.reason,
    ...others.flatMap(({ check, allows }) => [check, allows]),
  ];
  // What is seen without Nodes is no measure for what is seen with them.
  const roll = nodes.kind === 'value' ? how.judge.roll(read) : new Roll();
  return roll.call({ machines, nodes: nodes.kind === 'value' ? nodes.value : [], restsOn }, asked, {
    see: (machine) => (isAbout(read, machine) ? targetSeen(read, machine, { reader, how, others }) : undefined),
    isStill: ({ target }) => isStillThere(target, reader, how.nodes),
  });
}

const targetSeen = (read: ReadCheck, machine: Machine, { reader, how, others }: With): TargetSeen => ({
  ...how.judge.judge(read, targetOf(machine, reader, how.nodes), how),
  others: othersAbout(machine, others),
  isClaimed: statedOf(machine.status ?? {}, 'ExternallyRemediated') !== undefined,
});

/** Whoever paused the check or its cluster, in words. */
export function whoPaused(check: MachineHealthCheck, reader: Reader, definitions: Definitions): readonly string[] {
  const own = pausesUs(check, definitions) ? [`the annotation ${ANNOTATIONS.paused} is set`] : [];
  const cluster = clusterRead(check, reader);
  const isPaused = cluster?.kind === 'value' && cluster.value.spec?.paused === true;
  return isPaused ? [...own, `Cluster ${cluster.value.metadata.name} is paused`] : own;
}

/** The Cluster that the check names; undefined where it names none. */
const clusterRead = ({ metadata, spec }: MachineHealthCheck, reader: Reader): Read<Cluster> | undefined =>
  spec.clusterName === undefined ? undefined : reader.get(Cluster, { namespace: metadata.namespace ?? '', name: spec.clusterName });

interface Other extends Pick<OtherCheck, 'allows' | 'isTheirs'> {
  readonly check: ReadCheck;
}

function otherChecks(
  own: ReadCheck,
  reader: Reader,
  { judge, definitions }: { readonly judge: Judge; readonly definitions: Definitions },
): Exclude<Read<readonly Other[]>, { kind: 'absent' }> {
  const listed = reader.list(MachineHealthCheck, { index: BY_NAMESPACE, value: own.namespace });
  if (listed.kind === 'unreadable') return listed;
  const others = listed.value.flatMap((object) => {
    if (object.metadata.name === own.name) return [];
    const isOurs = whoseCheck(object, definitions) === 'ours';
    const read = isOurs ? judge.read(object) : judge.scope(object);
    // What one has asked for that cannot be carried out any more is open still.
    const check = read.kind === 'valid' ? read : judge.scope(object);
    if (check.kind === 'invalid') return [];
    const isInNobodysWay = read.kind === 'invalid' || isAside(object, check);
    const allows = isInNobodysWay || letsRemediate(object, { pausedBy: whoPaused(object, reader, definitions), definitions });
    return [isOurs ? { check, allows } : { check, allows: false, isTheirs: true }];
  });
  return { kind: 'value', value: others };
}

/** One that only looks on, or is on its way out. */
const isAside = ({ metadata }: MachineHealthCheck, { check }: ReadCheck): boolean =>
  check.safeguards.observeOnly || metadata.deletionTimestamp !== undefined;

/** What a check said about an older spec, or before or during a pause, does not count, and one that has not spoken yet lets nothing through. */
function letsRemediate(
  { metadata, status }: MachineHealthCheck,
  { pausedBy, definitions }: { readonly pausedBy: readonly string[]; readonly definitions: Definitions },
): boolean {
  const conditions = status?.conditions as Parameters<typeof isTrue>[0];
  // Where Cluster API has defined checks, this is its own word about itself.
  const wasPaused = definitions === 'sickbay' && isTrue(conditions, 'Paused');
  const isPresent = pausedBy.length === 0 && !wasPaused && status?.observedGeneration === metadata.generation;
  return isPresent && isTrue(conditions, 'RemediationAllowed');
}

const othersAbout = (machine: Machine, others: readonly Other[]): TargetSeen['others'] =>
  others.filter(({ check }) => isAbout(check, machine)).map(({ check: { name }, ...other }) => ({ name, ...other }));
