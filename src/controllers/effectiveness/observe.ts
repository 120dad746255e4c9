import { Pod } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject, LabelSelector, ObjectKey } from '../../api/meta.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { parseTime, after, instant, type Instant } from '../../base/index.ts';
import { formatLabelSelector, labelRequirements } from '../../kube/selectors/index.ts';
import { alignedWindow, type FiringAlert, type Monitoring, type Prometheus } from '../../monitoring/index.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import type { RemediationHistory } from '../../store/index.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { readTarget, type SeenTarget } from '../target/index.ts';
import { readForTheRecord, type ForTheRecord } from './read-history-keys.ts';
import { alertLabels } from './scorers/alert.ts';
import { metricsOf, type Metric } from './scorers/metric-queries.ts';
import type { Measured } from './scorers/metrics.ts';
import { isAsync, timingOf, type Timing } from './timing.ts';

/** What somebody else was asked; `off` where there is nobody to ask, or nothing to ask for. */
export type Asked<T> = Listed<T> | { readonly kind: 'off' };

/** All that a decision about an assessment rests on. */
export interface AssessmentSeen {
  readonly object: EffectivenessAssessment;
  readonly settings: Settings;
  /** From the server; `unreadable` also where it was not looked at, because it is too early or too late. */
  readonly target: Read<SeenTarget>;
  /** Undefined when the target is of a kind that has no pods of its own. */
  readonly pods: Listed<Pod> | undefined;
  /** Those of the signal that fire; `unreadable` also where it is not time yet. */
  readonly alerts: Asked<FiringAlert>;
  readonly metrics: Asked<Measured>;
  /** The workflow ended before anything ran, as the server says. */
  readonly neverRan: boolean;
  /** What is not on record yet, and could be read now. */
  readonly forTheRecord?: ForTheRecord;
}

/** What a look has at hand. */
export interface Around {
  readonly now: Instant;
  readonly settings: Settings;
  readonly monitoring: Monitoring;
  /** Asked for what the order does not say; without it that stays unknown. */
  readonly history?: RemediationHistory | undefined;
}

const NOT_LOOKED_AT = { kind: 'unreadable', reason: 'not looked at' } as const;
const NOTHING = { target: NOT_LOOKED_AT, pods: NOT_LOOKED_AT, alerts: NOT_LOOKED_AT, metrics: NOT_LOOKED_AT, neverRan: false } as const;

/** The kinds whose pods are found by their selector. */
const WITH_SELECTOR: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];

/** Reads the target and its pods from the server, and asks the others, while it may be judged; when time is up, only the target once more. */
export async function observe(key: ObjectKey, reader: Reader, around: Around): Promise<AssessmentSeen | undefined> {
  const { now, settings } = around;
  const found = reader.get(EffectivenessAssessment, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const timing = timingOf(object, settings);
  const seen = { ...NOTHING, object, settings };
  const isLast = object.status?.phase === 'Assessing' && now >= timing.deadline;
  if (isLast || isBaselineDue(object, timing, now)) return { ...seen, target: await readTarget(reader, object.spec.remediationTarget) };
  if (object.status?.phase !== 'Assessing') return seen;
  const [target, neverRan, alerts, metrics] = await Promise.all([
    readTarget(reader, object.spec.remediationTarget),
    hasNeverRun(object, reader),
    askAlerts(object, around, timing),
    askMetrics(object, around, timing),
  ]);
  const [pods, forTheRecord] = await Promise.all([
    readPods(object, target, reader),
    readForTheRecord(object, target, reader, around.history),
  ]);
  return { ...seen, target, pods, neverRan, alerts, metrics, forTheRecord };
}

/** Where others apply changes, drift is measured from what they had made of the target when it began to settle. */
function isBaselineDue(object: EffectivenessAssessment, { settlesFrom, checkAfter }: Timing, now: Instant): boolean {
  const { phase, components } = object.status ?? {};
  if (!isAsync(object) || now < settlesFrom || components?.baselineSpecHash !== undefined) return false;
  return phase === 'WaitingForPropagation' || (phase === 'Stabilizing' && now < checkAfter);
}

async function readPods({ spec }: EffectivenessAssessment, target: Read<KubeObject>, reader: Reader): Promise<Listed<Pod> | undefined> {
  const { kind, namespace } = spec.remediationTarget;
  if (target.kind !== 'value') return NOT_LOOKED_AT;
  if (kind === 'Pod') return { kind: 'value', value: [target.value as Pod] };
  if (!WITH_SELECTOR.includes(kind)) return undefined;
  const { selector } = (target.value as KubeObject & { readonly spec: { readonly selector: LabelSelector } }).spec;
  return reader.fetchList(Pod, { namespace: namespace ?? '', labelSelector: formatLabelSelector(labelRequirements(selector)) });
}

/** Only a run that failed can have failed before it began; where the server does not say so, it ran. */
async function hasNeverRun({ spec, metadata }: EffectivenessAssessment, reader: Reader): Promise<boolean> {
  if (spec.remediationRequestPhase !== 'Failed') return false;
  const key = { namespace: metadata.namespace ?? '', name: childNames(spec.correlationID).execution };
  const execution = await reader.fetch<WorkflowExecution>(WorkflowExecution, key);
  return execution.kind === 'value' && execution.value.status?.failureDetails?.wasExecutionFailure === false;
}

async function askAlerts({ spec, status }: EffectivenessAssessment, around: Around, timing: Timing): Promise<Asked<FiringAlert>> {
  const labels = alertLabels(spec);
  const { alertmanager } = around.monitoring;
  if (!alertmanager || !labels) return { kind: 'off' };
  if (around.now < timing.alertCheckAfter || status?.components?.alertAssessed === true) return NOT_LOOKED_AT;
  return alertmanager.firing(labels);
}

async function askMetrics(object: EffectivenessAssessment, around: Around, timing: Timing): Promise<Asked<Measured>> {
  const metrics = metricsOf(object.spec.remediationTarget);
  const { prometheus } = around.monitoring;
  if (!prometheus || metrics.length === 0) return { kind: 'off' };
  if (around.now < timing.checkAfter || object.status?.components?.metricsAssessed === true) return NOT_LOOKED_AT;
  return measure(prometheus, metrics, windowOf(object, around));
}

/** From well before the assessment until now, on the grid of the scrapes: assessments of one workload at one time ask the same. */
export function windowOf({ metadata }: EffectivenessAssessment, { now, settings }: Pick<Around, 'now' | 'settings'>) {
  const { prometheusLookbackMs, scrapeIntervalMs } = settings.external;
  const created = parseTime(metadata.creationTimestamp) ?? instant(now);
  return alignedWindow({ from: after(created, -prometheusLookbackMs), to: now, stepMs: scrapeIntervalMs });
}

/** All of them or none: a score without one that could not be read would be another score. */
async function measure(prometheus: Prometheus, metrics: readonly Metric[], window: ReturnType<typeof windowOf>): Promise<Listed<Measured>> {
  const answers = await Promise.all(metrics.map(({ query }) => prometheus.range({ query, ...window })));
  const measured: Measured[] = [];
  for (const [index, metric] of metrics.entries()) {
    const answer = answers[index];
    if (answer?.kind !== 'value') return answer ?? NOT_LOOKED_AT;
    measured.push({ metric, samples: answer.value });
  }
  return { kind: 'value', value: measured };
}
