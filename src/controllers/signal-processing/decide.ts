import type { Condition } from '../../api/meta.ts';
import type { SignalProcessingPhase } from '../../api/signal-processing/phases.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { after, assertNever, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/conditions.ts';
import type { Decision } from '../../runtime/controller.ts';
import { targetText } from '../target/index.ts';
import { isTooLate, LOOK_AGAIN_MS, readAgainAt, wakeBy } from '../patience.ts';
import { categorize } from './categorize.ts';
import { environmentOf, priorityOf, severityOf } from './classify.ts';
import { enrich } from './enrich.ts';
import { nextAttempt, type SignalProcessingSeen } from './observe.ts';

type Status = NonNullable<SignalProcessing['status']>;

/** The life of a SignalProcessing: look around, name what was found, say what it means. */
export function decide(seen: SignalProcessingSeen, now: Instant): Decision {
  const phase = seen.object.status?.phase;
  switch (phase) {
    case undefined:
      return move(seen, 'Pending', now, { status: {}, message: 'waits to be enriched' });
    case 'Pending':
      return (
        ended(seen, now) ??
        move(seen, 'Enriching', now, { status: { startTime: toTime(now) }, message: 'reads the target and its surroundings' })
      );
    case 'Enriching':
      return ended(seen, now) ?? enriching(seen, now);
    case 'Classifying':
      return ended(seen, now) ?? classifying(seen, now);
    case 'Categorizing':
      return ended(seen, now) ?? categorizing(seen, now);
    case 'Completed':
    case 'Failed':
      return { effects: [] };
    default:
      return assertNever(phase);
  }
}

/** The end, once the time is over. */
function ended(seen: SignalProcessingSeen, now: Instant): Decision | undefined {
  const { spec, status } = seen.object;
  if (!isTooLate(spec.timesOutAt, now)) return undefined;
  const last = status?.error === undefined ? '' : `; last problem: ${status.error}`;
  const error =
    `${targetText(spec.signal.targetResource)} was not enriched and classified by ${spec.timesOutAt}${last}. ` +
    'Check that the API server answers and that Sickbay may read the kinds named here; the next alert starts anew.';
  const conditions = setCondition(status?.conditions, falseCondition('ProcessingComplete', 'TimedOut', error), now);
  return move(seen, 'Failed', now, { status: { error, completionTime: toTime(now), conditions: [...conditions] }, message: error });
}

function enriching(seen: SignalProcessingSeen, now: Instant): Decision {
  const { object, surroundings } = seen;
  const { spec, status } = object;
  if (!surroundings) return stay(seen, nextAttempt(status) ?? after(now, LOOK_AGAIN_MS));
  if (surroundings.kind === 'unreadable') return tryAgain(seen, surroundings.reason, now);
  const kubernetesContext = enrich(spec.signal, surroundings);
  const message = kubernetesContext.degradedMode
    ? `${targetText(spec.signal.targetResource)} does not exist or cannot be looked up; only the signal speaks for it`
    : 'target, owners and namespace are known';
  const reason = kubernetesContext.degradedMode ? 'Degraded' : 'Enriched';
  const { error: _, ...rest } = status ?? {};
  return move({ ...seen, object: { ...object, status: rest } }, 'Classifying', now, {
    status: { kubernetesContext, ...(rest.consecutiveFailures && { consecutiveFailures: 0 }) },
    done: { type: 'EnrichmentComplete', reason, message },
    message: 'names environment, severity and priority',
  });
}

/** Stays, and says why. Not being able to read something never means that it is not there. */
function tryAgain(seen: SignalProcessingSeen, error: string, now: Instant): Decision {
  const { object } = seen;
  const consecutiveFailures = (object.status?.consecutiveFailures ?? 0) + 1;
  const conditions = setCondition(object.status?.conditions, falseCondition('EnrichmentComplete', 'Unreadable', error), now);
  const status: Status = { ...object.status, error, consecutiveFailures, lastFailureTime: toTime(now), conditions: [...conditions] };
  return { status, effects: [], wakeAt: wakeBy(readAgainAt(now, consecutiveFailures), object.spec.timesOutAt) };
}

function classifying(seen: SignalProcessingSeen, now: Instant): Decision {
  const { signal } = seen.object.spec;
  const { environment, source } = environmentOf(seen.object.status?.kubernetesContext);
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
    done: { type: 'ClassificationComplete', reason: 'Classified', message: `${environment}, ${severity}, ${priority}` },
    message: 'looks up what the target means to the business',
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
  wakeAt: wakeBy(at, object.spec.timesOutAt),
});

interface Step {
  readonly status: Partial<Status>;
  /** What is true from now on. */
  readonly done?: Pick<Condition, 'type' | 'reason' | 'message'>;
  readonly message: string;
}

/** One step along the table. */
function move({ object }: SignalProcessingSeen, phase: SignalProcessingPhase, now: Instant, step: Step): Decision {
  const before = step.status.conditions ?? object.status?.conditions;
  const withDone = step.done ? setCondition(before, { ...step.done, status: 'True' }, now) : before;
  const isOver = phase === 'Completed' || phase === 'Failed';
  const withEnd =
    phase === 'Completed'
      ? setCondition(withDone, { type: 'ProcessingComplete', status: 'True', reason: phase, message: step.message }, now)
      : withDone;
  const ready = { type: 'Ready', status: phase === 'Completed' ? 'True' : 'False', reason: phase, message: step.message } as const;
  const status: Status = {
    ...object.status,
    ...step.status,
    phase,
    observedGeneration: object.metadata.generation ?? 0,
    conditions: [...setCondition(withEnd, ready, now)],
  };
  return { status, effects: [], ...(!isOver && { wakeAt: wakeBy(after(now, LOOK_AGAIN_MS), object.spec.timesOutAt) }) };
}

const falseCondition = (type: string, reason: string, message: string) => ({ type, status: 'False' as const, reason, message });
