import { Pod } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject, LabelSelector, ObjectKey } from '../../api/meta.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { parseTime, after, instant, type Instant } from '../../base/index.ts';
import { formatLabelSelector, labelRequirements } from '../../kube/selectors/index.ts';
import { alignedWindow, type FiringAlert, type Monitoring, type Prometheus } from '../../monitoring/index.ts';
import { NOT_READ, type NotRead } from '../../kube/client/read.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import type { RemediationHistory } from '../../store/index.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { readTarget, type SeenTarget } from '../target/index.ts';
import { readHistoryKeys, type HistoryKeys } from './read-history-keys.ts';
import { alertLabels } from './scorers/alert.ts';
import { metricsOf, type Metric } from './scorers/metric-queries.ts';
import type { Measured } from './scorers/metrics.ts';
import { faultSpan, isAsync, timingOf, type Timing } from './timing.ts';

/** The answer to a query; `off` where no server is configured, or where there is nothing to query for this target. */
export type QueryResult<T> = Listed<T> | NotRead | { readonly kind: 'off' };

/** Everything that a decision about an assessment rests on. `not-read` is what was not due. */
export interface AssessmentSeen {
  readonly object: EffectivenessAssessment;
  readonly settings: Settings;
  /** From the API server. */
  readonly target: Read<SeenTarget> | NotRead;
  /** Undefined when the target is of a kind that has no pods of its own. */
  readonly pods: Listed<Pod> | NotRead | undefined;
  /** The firing alerts of the signal. */
  readonly alerts: QueryResult<FiringAlert>;
  readonly metrics: QueryResult<Measured>;
  /** The execution, from the API server; read only for a request that failed, since only a failed run can have failed before it started. */
  readonly execution: Read<WorkflowExecution> | NotRead;
  /** The history keys that are not recorded yet and could be read now. */
  readonly historyKeys?: HistoryKeys;
}

/** What an observation reads with. */
export interface ObserveDeps {
  readonly now: Instant;
  readonly settings: Settings;
  readonly monitoring: Monitoring;
  /** Queried for the hash from before the run, if the spec does not give it; without a store that stays unknown. */
  readonly history?: RemediationHistory | undefined;
}

const NOTHING_READ = { target: NOT_READ, pods: NOT_READ, alerts: NOT_READ, metrics: NOT_READ, execution: NOT_READ } as const;

/** The kinds whose pods are found by their selector. */
const WITH_SELECTOR: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];

/** While components may be checked: reads the target and its pods, and queries the monitoring servers. At the deadline: only the target. */
export async function observe(key: ObjectKey, reader: Reader, deps: ObserveDeps): Promise<AssessmentSeen | undefined> {
  const { now, settings } = deps;
  const found = reader.get(EffectivenessAssessment, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const timing = timingOf(object, settings);
  const seen = { ...NOTHING_READ, object, settings };
  const isAtDeadline = object.status?.phase === 'Assessing' && now >= timing.deadline;
  if (isAtDeadline || isBaselineDue(object, timing, now))
    return { ...seen, target: await readTarget(reader, object.spec.remediationTarget) };
  if (object.status?.phase !== 'Assessing') return seen;
  const [target, execution, alerts, metrics] = await Promise.all([
    readTarget(reader, object.spec.remediationTarget),
    readExecution(object, reader),
    queryAlerts(object, deps, timing),
    queryMetrics(object, deps, timing),
  ]);
  const [pods, historyKeys] = await Promise.all([readPods(object, target, reader), readHistoryKeys(object, target, reader, deps.history)]);
  return { ...seen, target, pods, execution, alerts, metrics, historyKeys };
}

/** Where GitOps or an operator applies the change, drift is measured from the state of the target when stabilization starts. */
function isBaselineDue(object: EffectivenessAssessment, { settlesFrom, checkAfter }: Timing, now: Instant): boolean {
  const { phase, components } = object.status ?? {};
  if (!isAsync(object) || now < settlesFrom || components?.baselineSpecHash !== undefined) return false;
  return phase === 'WaitingForPropagation' || (phase === 'Stabilizing' && now < checkAfter);
}

async function readPods({ spec }: EffectivenessAssessment, target: Read<KubeObject>, reader: Reader): Promise<AssessmentSeen['pods']> {
  const { kind, namespace } = spec.remediationTarget;
  if (target.kind !== 'value') return NOT_READ;
  if (kind === 'Pod') return { kind: 'value', value: [target.value as Pod] };
  if (!WITH_SELECTOR.includes(kind)) return undefined;
  const { selector } = (target.value as KubeObject & { readonly spec: { readonly selector: LabelSelector } }).spec;
  return reader.fetchList(Pod, { namespace: namespace ?? '', labelSelector: formatLabelSelector(labelRequirements(selector)) });
}

async function readExecution({ spec, metadata }: EffectivenessAssessment, reader: Reader): Promise<AssessmentSeen['execution']> {
  if (spec.remediationRequestPhase !== 'Failed') return NOT_READ;
  return reader.fetch(WorkflowExecution, { namespace: metadata.namespace ?? '', name: childNames(spec.correlationID).execution });
}

async function queryAlerts(
  { spec, status }: EffectivenessAssessment,
  deps: ObserveDeps,
  timing: Timing,
): Promise<QueryResult<FiringAlert>> {
  const labels = alertLabels(spec);
  const { alertmanager } = deps.monitoring;
  if (!alertmanager || !labels) return { kind: 'off' };
  if (deps.now < timing.alertCheckAfter || status?.components?.alertAssessed === true) return NOT_READ;
  return alertmanager.firing(labels);
}

async function queryMetrics(object: EffectivenessAssessment, deps: ObserveDeps, timing: Timing): Promise<QueryResult<Measured>> {
  const metrics = metricsOf(object.spec.remediationTarget, object.spec);
  const { prometheus } = deps.monitoring;
  if (!prometheus || metrics.length === 0) return { kind: 'off' };
  if (deps.now < timing.checkAfter || object.status?.components?.metricsAssessed === true) return NOT_READ;
  return measure(prometheus, metrics, windowOf(object, deps));
}

/**
 * From well before the assessment until now, aligned to scrapes, so that assessments of one workload at one time send the same queries. The last
 * moments before the run are always in it, however long the run took.
 */
function windowOf(object: EffectivenessAssessment, { now, settings }: Pick<ObserveDeps, 'now' | 'settings'>) {
  const { prometheusLookbackMs, scrapeIntervalMs } = settings.external;
  const created = parseTime(object.metadata.creationTimestamp) ?? instant(now);
  const beforeRun = after(faultSpan(object, scrapeIntervalMs).faultTo, -scrapeIntervalMs);
  return alignedWindow({ from: instant(Math.min(after(created, -prometheusLookbackMs), beforeRun)), to: now, stepMs: scrapeIntervalMs });
}

/** All metrics or none: a score that leaves out an unreadable metric would be a different score. */
async function measure(
  prometheus: Prometheus,
  metrics: readonly Metric[],
  window: ReturnType<typeof windowOf>,
): Promise<QueryResult<Measured>> {
  const answers = await Promise.all(metrics.map(({ query }) => prometheus.range({ query, ...window })));
  const measured: Measured[] = [];
  for (const [index, metric] of metrics.entries()) {
    const answer = answers[index];
    if (answer?.kind !== 'value') return answer ?? NOT_READ;
    measured.push({ metric, samples: answer.value });
  }
  return { kind: 'value', value: measured };
}
