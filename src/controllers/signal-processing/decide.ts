import type { Condition } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { signalProcessingPhases, type SignalProcessingPhase } from '../../api/signal-processing/phases.ts';
import { severityOf } from '../../api/parts/severity.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { after, assertNever, toTime, type Instant } from '../../base/index.ts';
import { setCondition, type WantedCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { targetText } from '../target/index.ts';
import { isPastDeadline, RECHECK_INTERVAL_MS, readRetryAt, wakeByDeadline } from '../retry-times.ts';
import { priorityOf } from '../priority.ts';
import { categorize } from './categorize.ts';
import { environmentOf } from './classify.ts';
import { enrich } from './enrich.ts';
import { nextAttempt, type SignalProcessingSeen } from './observe.ts';

type Status = NonNullable<SignalProcessing['status']>;

/** Leads a SignalProcessing from phase to phase: read the target, classify the signal, categorize its importance. */
export function decide(seen: SignalProcessingSeen, now: Instant): Decision {
  const { spec, status } = seen.object;
  if (isTerminal(signalProcessingPhases, status?.phase)) return { effects: [] };
  return status?.phase !== undefined && isPastDeadline(spec.timesOutAt, now) ? timeOut(seen, now) : decidePhase(seen, now);
}

function decidePhase(seen: SignalProcessingSeen, now: Instant): Decision {
  const phase = seen.object.status?.phase;
  switch (phase) {
    case undefined:
      return move(seen, 'Pending', now, { status: {}, message: 'waiting to be enriched' });
    case 'Pending':
      return move(seen, 'Enriching', now, {
        status: { startTime: toTime(now) },
        message: 'reading the target, its owners and its namespace',
      });
    case 'Enriching':
      return enriching(seen, now);
    case 'Classifying':
      return classifying(seen, now);
    case 'Categorizing':
      return categorizing(seen, now);
    case 'Completed':
    case 'Failed':
      return { effects: [] };
    default:
      return assertNever(phase);
  }
}

function timeOut(seen: SignalProcessingSeen, now: Instant): Decision {
  const { spec, status } = seen.object;
  const last = status?.error === undefined ? '' : `; last problem: ${status.error}`;
  const error =
    `${targetText(spec.signal.targetResource)} was not enriched and classified by ${spec.timesOutAt}${last}. ` +
    'Check that the API server answers and that Sickbay may read the kinds named here; the next alert starts a new remediation.';
  return move(seen, 'Failed', now, { status: { error, completionTime: toTime(now) }, message: error });
}

function enriching(seen: SignalProcessingSeen, now: Instant): Decision {
  const { object, context } = seen;
  const { spec, status } = object;
  if (context.kind === 'not-read') return stay(seen, nextAttempt(status) ?? after(now, RECHECK_INTERVAL_MS));
  if (context.kind === 'unreadable') return retryLater(seen, context.reason, now);
  const kubernetesContext = enrich(spec.signal, context);
  const message = kubernetesContext.degradedMode
    ? `${targetText(spec.signal.targetResource)} does not exist or is of a kind that cannot be read; it is described by the signal alone`
    : 'the target, its owners and its namespace were read';
  const reason = kubernetesContext.degradedMode ? 'Degraded' : 'Enriched';
  const { error: _, ...rest } = status ?? {};
  return move({ ...seen, object: { ...object, status: rest } }, 'Classifying', now, {
    status: { kubernetesContext, ...(rest.consecutiveFailures && { consecutiveFailures: 0 }) },
    done: { type: 'EnrichmentComplete', reason, message },
    message: 'classifying environment, severity and priority',
  });
}

/** Stays in the phase and reports why. A failed read never means that the object does not exist. */
function retryLater(seen: SignalProcessingSeen, error: string, now: Instant): Decision {
  const { object } = seen;
  const consecutiveFailures = (object.status?.consecutiveFailures ?? 0) + 1;
  const conditions = setCondition(
    object.status?.conditions,
    { type: 'EnrichmentComplete', status: 'False', reason: 'Unreadable', message: error },
    now,
  );
  const status: Status = { ...object.status, error, consecutiveFailures, lastFailureTime: toTime(now), conditions: [...conditions] };
  return { status, effects: [], wakeAt: wakeByDeadline(readRetryAt(now, consecutiveFailures), object.spec.timesOutAt) };
}

function classifying(seen: SignalProcessingSeen, now: Instant): Decision {
  const { signal } = seen.object.spec;
  const { environment, source, hint } = environmentOf(seen.object.status?.kubernetesContext);
  const severity = severityOf(signal.severity);
  const { priority, policyName } = priorityOf(environment, severity);
  return move(seen, 'Categorizing', now, {
    status: {
      environmentClassification: { environment, source, classifiedAt: toTime(now) },
      priorityAssignment: { priority, source: 'built-in', policyName, assignedAt: toTime(now) },
      severity,
      signalMode: 'reactive',
      signalName: signal.name,
      sourceSignalName: signal.name,
    },
    done: {
      type: 'ClassificationComplete',
      reason: 'Classified',
      message: [`${environment}, ${severity}, ${priority}`, hint].filter(Boolean).join('; '),
    },
    message: 'categorizing the business impact',
  });
}

function categorizing(seen: SignalProcessingSeen, now: Instant): Decision {
  const { kubernetesContext, environmentClassification, priorityAssignment, severity } = seen.object.status ?? {};
  const environment = environmentClassification?.environment ?? 'Unknown';
  return move(seen, 'Completed', now, {
    status: { businessClassification: categorize(kubernetesContext, environment), completionTime: toTime(now) },
    done: { type: 'CategorizationComplete', reason: 'Categorized', message: `${environment}: by the labels of the namespace` },
    message: `${environment}, ${severity ?? 'unknown'}, ${priorityAssignment?.priority ?? 'P3'}`,
  });
}

const stay = ({ object }: SignalProcessingSeen, at: Instant): Decision => ({
  status: object.status,
  effects: [],
  wakeAt: wakeByDeadline(at, object.spec.timesOutAt),
});

interface Step {
  readonly status: Partial<Status>;
  /** The condition that becomes true. */
  readonly done?: Pick<Condition, 'type' | 'reason' | 'message'>;
  readonly message: string;
}

/** Enters a phase. */
function move({ object }: SignalProcessingSeen, phase: SignalProcessingPhase, now: Instant, step: Step): Decision {
  const hasEnded = isTerminal(signalProcessingPhases, phase);
  const end = { status: phase === 'Completed' ? 'True' : 'False', reason: phase, message: step.message } as const;
  const wanted: readonly WantedCondition[] = [
    ...(step.done ? [{ ...step.done, status: 'True' as const }] : []),
    ...(hasEnded ? [{ type: 'ProcessingComplete', ...end }] : []),
    { type: 'Ready', ...end },
  ];
  const before: readonly Condition[] = object.status?.conditions ?? [];
  const conditions = wanted.reduce((set, condition) => setCondition(set, condition, now), before);
  const status: Status = {
    ...object.status,
    ...step.status,
    phase,
    observedGeneration: object.metadata.generation ?? 0,
    conditions: [...conditions],
  };
  return { status, effects: [], ...(!hasEnded && { wakeAt: wakeByDeadline(after(now, RECHECK_INTERVAL_MS), object.spec.timesOutAt) }) };
}
