import type { LastingCondition, NormalisedHealthCheck } from '../../../api/machine-health-check/normalise.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, formatDuration, instant, parseTime, type Instant } from '../../../base/index.ts';
import type { TargetCluster, HealthTarget } from '../targets/target.ts';

/** Why a Machine fails its check, as its condition spells it. */
export type UnhealthyReason = 'HasRemediateAnnotation' | 'NodeDeleted' | 'NodeStartupTimeout' | 'UnhealthyNode' | 'UnhealthyMachine';

/** Something that is wrong, and counts once it has lasted past a moment. */
export interface HealthTimer {
  readonly fault: UnhealthyReason;
  /** Undefined where it is not known since when it is wrong: then it cannot be said to have lasted, nor that all is well. */
  readonly expiresAt: Instant | undefined;
  readonly message: string;
}

/**
 * What a check makes of a Machine whatever the time is: it follows from the objects alone, so that it is worked out once per change of
 * them and only held against the clock after that.
 */
export type RuleResult =
  | { readonly kind: 'failing'; readonly fault: UnhealthyReason; readonly message: string }
  /** Fails when the first timer has run out; well when there is none. */
  | { readonly kind: 'timed'; readonly timers: readonly HealthTimer[] }
  | UnknownHealth;

/** Neither well nor ill: it counts as not healthy, and nothing is done about it. */
export interface UnknownHealth {
  readonly kind: 'unjudged';
  readonly why: string;
  /** Whether it stays so until it has a Node: nobody limits how long that may take. */
  readonly isUnlimited?: true;
}

/** Ordered: the first that has something to say decides. */
const GUARDS: readonly ((target: HealthTarget) => RuleResult | undefined)[] = [clusterNotReady, nodeUnreadable];

export function applyHealthRules(
  target: HealthTarget,
  check: NormalisedHealthCheck,
  may: { readonly annotationRemediates: boolean },
): RuleResult {
  const { machine } = target;
  const paused = clusterPaused(target);
  if (paused) return paused;
  if (may.annotationRemediates && ANNOTATIONS.remediateMachine in (machine.metadata.annotations ?? {}))
    return {
      kind: 'failing',
      fault: 'HasRemediateAnnotation',
      message: `remediation was requested with the annotation ${ANNOTATIONS.remediateMachine}`,
    };
  for (const guard of GUARDS) {
    const said = guard(target);
    if (said !== undefined) return said;
  }
  return timedRules(target, check);
}

/**
 * A check that names no cluster is about Machines of any, and those of one that is paused are left alone, whatever else is said of them. They count
 * as not healthy: nobody looks.
 */
function clusterPaused({ cluster }: HealthTarget): RuleResult | undefined {
  if (cluster.kind === 'unreadable') return { kind: 'unjudged', why: cluster.why };
  return cluster.kind === 'other' && cluster.isPaused ? { kind: 'unjudged', why: `Cluster ${cluster.name} is paused` } : undefined;
}

function clusterNotReady(target: HealthTarget): RuleResult | undefined {
  const why = whyClusterNotReady(target);
  return why === undefined ? undefined : { kind: 'unjudged', why };
}

/**
 * Why nobody judges a Machine for the sake of its cluster; undefined where somebody does. Before the cluster is up a Machine cannot have a Node:
 * only one of the control plane is judged then.
 */
export function whyClusterNotReady({ cluster, machine }: Pick<HealthTarget, 'cluster' | 'machine'>): string | undefined {
  if (cluster.kind === 'local') return undefined;
  if (cluster.kind === 'unreadable') return cluster.why;
  const isControlPlane = LABELS.controlPlane in (machine.metadata.labels ?? {});
  if (cluster.infrastructureSince === undefined) return `the infrastructure of ${cluster.name} is not ready yet`;
  return cluster.controlPlaneSince === undefined && !isControlPlane ? `the control plane of ${cluster.name} is not up yet` : undefined;
}

function nodeUnreadable({ node }: HealthTarget): RuleResult | undefined {
  return node.kind === 'unreadable' ? { kind: 'unjudged', why: node.why } : undefined;
}

/** What may become a fault by lasting; faults of the Machine itself come first. */
function timedRules(target: HealthTarget, check: NormalisedHealthCheck): RuleResult {
  const ofMachine = conditionTimers(target.machine.status?.conditions ?? [], check.machineConditions, {
    fault: 'UnhealthyMachine',
    on: 'the Machine',
  });
  const ofNode = nodeTimers(target, check);
  if (ofNode === undefined) return ofMachine.length > 0 ? { kind: 'timed', timers: ofMachine } : NO_NODE_AND_NO_LIMIT;
  return { kind: 'timed', timers: [...ofMachine, ...ofNode] };
}

const NO_NODE_AND_NO_LIMIT: RuleResult = {
  kind: 'unjudged',
  why: 'it has no Node yet, and the check sets no startup timeout',
  isUnlimited: true,
};

/** A Node that is gone need not have been for any time. */
const IMMEDIATELY = instant(0);

/** Undefined where there is no Node and nothing says how long that may take. */
function nodeTimers(target: HealthTarget, check: NormalisedHealthCheck): readonly HealthTimer[] | undefined {
  const { node } = target;
  if (node.kind === 'there') {
    const on = `Node ${node.node.metadata.name}`;
    return conditionTimers(node.node.status?.conditions ?? [], check.nodeConditions, { fault: 'UnhealthyNode', on });
  }
  if (node.kind === 'missing') return [{ fault: 'NodeDeleted', expiresAt: IMMEDIATELY, message: `Node ${node.name} is gone` }];
  const limit = check.nodeStartupTimeoutMs;
  if (limit === undefined) return undefined;
  const message = `no Node showed up within ${formatDuration(limit)}`;
  return [{ fault: 'NodeStartupTimeout', expiresAt: later(startedAt(target), limit), message }];
}

/** A Node cannot be expected before the Machine, its instance and its cluster are there: the latest of them counts. */
function startedAt({ machine, cluster }: HealthTarget): Instant | undefined {
  const ready = machine.status?.conditions?.find(({ type, status }) => type === 'InfrastructureReady' && status === 'True');
  const moments = [parseTime(machine.metadata.creationTimestamp), parseTime(ready?.lastTransitionTime), ...since(cluster)];
  return moments.reduce((latest, moment) => (latest === undefined || (moment !== undefined && moment > latest) ? moment : latest));
}

const later = (moment: Instant | undefined, ms: number): Instant | undefined => (moment === undefined ? undefined : after(moment, ms));

const since = (cluster: TargetCluster): readonly (Instant | undefined)[] =>
  cluster.kind === 'other' ? [cluster.controlPlaneSince, cluster.infrastructureSince] : [];

interface ConditionLike {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}

/** One timer per entry that matches. */
function conditionTimers(
  stated: readonly ConditionLike[],
  entries: readonly LastingCondition[],
  about: { readonly fault: UnhealthyReason; readonly on: string },
): readonly HealthTimer[] {
  return entries.flatMap(({ type, status, timeoutMs }) => {
    const found = stated.find((condition) => condition.type === type && condition.status === status);
    if (found === undefined) return [];
    const reason = found.reason ? ` (${found.reason})` : '';
    const message = `${type} of ${about.on} is ${status}${reason} for more than ${formatDuration(timeoutMs)}`;
    return [{ fault: about.fault, expiresAt: later(parseTime(found.lastTransitionTime), timeoutMs), message }];
  });
}
