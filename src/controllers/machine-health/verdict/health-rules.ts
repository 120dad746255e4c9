import type { LastingCondition, NormalisedHealthCheck } from '../../../api/machine-health-check/normalise.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, formatDuration, instant, parseTime, type Instant } from '../../../base/index.ts';
import type { TargetCluster, HealthTarget } from '../targets/target.ts';

/** Why a Machine is unhealthy: the reason of its condition. */
export type UnhealthyReason = 'HasRemediateAnnotation' | 'NodeDeleted' | 'NodeStartupTimeout' | 'UnhealthyNode' | 'UnhealthyMachine';

/** A problem that makes the Machine unhealthy once it has lasted past a moment. */
export interface HealthTimer {
  readonly fault: UnhealthyReason;
  /** When the problem began, as far as the objects tell. */
  readonly since?: Instant;
  /** Undefined where its start is unknown: then the Machine is neither unhealthy nor healthy. */
  readonly expiresAt: Instant | undefined;
  readonly message: string;
}

/** What follows from the objects alone, whatever the time: computed once per change of the objects, then compared with the clock. */
export type RuleResult =
  | { readonly kind: 'failing'; readonly fault: UnhealthyReason; readonly message: string }
  /** Unhealthy when a timer has expired; healthy without timers. */
  | { readonly kind: 'timed'; readonly timers: readonly HealthTimer[] }
  | UnknownHealth;

/** Neither healthy nor unhealthy: counts as not healthy, and no remediation is requested. */
export interface UnknownHealth {
  readonly kind: 'unjudged';
  readonly why: string;
  /** Whether it stays so until the Machine has a Node, since no startup timeout is set. */
  readonly isUnlimited?: true;
}

/** Ordered: the first rule with a result decides. */
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

/** Machines of a Cluster that is paused, gone or cannot be read are not evaluated, and count as not healthy. A check without a Cluster selects those too. */
function clusterPaused({ cluster }: HealthTarget): RuleResult | undefined {
  if (cluster.kind === 'unknown') return { kind: 'unjudged', why: cluster.why };
  return cluster.kind === 'other' && cluster.isPaused ? { kind: 'unjudged', why: `Cluster ${cluster.name} is paused` } : undefined;
}

function clusterNotReady(target: HealthTarget): RuleResult | undefined {
  const why = whyClusterNotReady(target);
  return why === undefined ? undefined : { kind: 'unjudged', why };
}

/**
 * Why the cluster prevents evaluation of a Machine; undefined where it does not. Before its cluster is up a worker Machine cannot have a
 * Node, so only control-plane Machines are evaluated then.
 */
export function whyClusterNotReady({ cluster, machine }: Pick<HealthTarget, 'cluster' | 'machine'>): string | undefined {
  if (cluster.kind === 'local') return undefined;
  if (cluster.kind === 'unknown') return cluster.why;
  const isControlPlane = LABELS.controlPlane in (machine.metadata.labels ?? {});
  if (cluster.infrastructureSince === undefined) return `the infrastructure of ${cluster.name} is not ready yet`;
  return cluster.controlPlaneSince === undefined && !isControlPlane ? `the control plane of ${cluster.name} is not up yet` : undefined;
}

function nodeUnreadable({ node }: HealthTarget): RuleResult | undefined {
  return node.kind === 'unreadable' ? { kind: 'unjudged', why: node.why } : undefined;
}

/** Problems with a timeout; those of the Machine itself come first. */
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

/** A missing Node counts without a timeout. */
const IMMEDIATELY = instant(0);

/** Undefined where there is no Node and no startup timeout. */
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

/** The startup timeout runs from the latest of: Machine created, infrastructure ready, cluster up. */
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

/** One timer per matching entry. */
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
    const since = parseTime(found.lastTransitionTime);
    return [{ fault: about.fault, ...(since !== undefined && { since }), expiresAt: later(since, timeoutMs), message }];
  });
}
