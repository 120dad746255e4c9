import type { Instant } from '../../base/index.ts';
import { getCondition, setCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { isAnythingKnown, nameOf, NOTHING_READABLE } from './assess.ts';
import { driftAtDeadline } from './drift-at-deadline.ts';
import { ALERT_DECAY, isDecaying } from './check-components.ts';
import type { AssessmentSeen } from './observe.ts';
import { end, type Components, type AssessmentVerdict } from './status.ts';

type Ending = Pick<AssessmentVerdict, 'phase' | 'reason'>;

/** The deadline passed: what is known counts, unless the target changed since it was checked. */
export function expire(seen: AssessmentSeen, now: Instant): Decision {
  const { object } = seen;
  const drift = driftAtDeadline(seen);
  if (drift) return end(object, drift, now);
  const before = object.status?.components ?? {};
  // The alert fired, and was never read as resolved.
  const components = isDecaying(seen) ? { ...before, alertAssessed: true, alertScore: 0 } : before;
  const ending = endingOf(seen, components);
  const verdict = { ...ending, message: messageOf(seen, ending, components), components };
  if (!isDecaying(seen)) return end(object, verdict, now);
  const message = 'the alert did not clear before the deadline';
  const conditions = setCondition(object.status?.conditions, { type: ALERT_DECAY, status: 'False', reason: 'DecayTimedOut', message }, now);
  return end({ ...object, status: { ...object.status, conditions } }, verdict, now);
}

/** The first that fits. */
function endingOf(seen: AssessmentSeen, components: Components): Ending {
  if (isDecaying(seen)) return { phase: 'Completed', reason: 'AlertDecayTimeout' };
  if (!isAnythingKnown(components))
    return wasUnreadable(seen) ? { phase: 'Failed', reason: 'Unrecoverable' } : { phase: 'Completed', reason: 'Expired' };
  const missing = missingIn(components);
  return { phase: 'Completed', reason: missing.length === 1 && missing[0] === 'metrics' ? 'MetricsTimedOut' : 'Partial' };
}

/** Reads were tried and failed, which is not the same as a controller that was not running. */
const wasUnreadable = ({ object }: AssessmentSeen): boolean =>
  getCondition(object.status?.conditions, 'AssessmentComplete')?.reason === NOTHING_READABLE;

type Component = 'spec' | 'health' | 'alert' | 'metrics';

function missingIn({ hashComputed, healthAssessed, alertAssessed, metricsAssessed }: Components): readonly Component[] {
  const done: Readonly<Record<Component, boolean | undefined>> = {
    spec: hashComputed,
    health: healthAssessed,
    alert: alertAssessed,
    metrics: metricsAssessed,
  };
  return (Object.keys(done) as Component[]).filter((component) => done[component] !== true);
}

const EXTENT: Readonly<Partial<Record<AssessmentVerdict['reason'], string>>> = {
  Expired: 'no component was assessed',
  Unrecoverable: 'no component was assessed',
};

function messageOf(seen: AssessmentSeen, { reason }: Ending, components: Components): string {
  const { message, conditions } = seen.object.status ?? {};
  const lastWait = getCondition(conditions, 'AssessmentComplete');
  const parts = [
    EXTENT[reason] ?? 'partly assessed',
    message,
    ...remedies(seen, components),
    lastWait?.status === 'False' ? `when the time ran out it was ${lastWait.message}` : undefined,
  ];
  return parts.filter(Boolean).join('; ');
}

/** What an operator can do about the missing components. */
function remedies(seen: AssessmentSeen, components: Components): readonly string[] {
  const missing = missingIn(components);
  if (isDecaying(seen)) return [`${seen.object.spec.signalName ?? 'the alert'} did not clear in time although the target is healthy`];
  const isTargetMissing = missing.length === 0 || missing.includes('spec') || missing.includes('health');
  return [
    ...(isTargetMissing
      ? [`${nameOf(seen)} could not be read in time; check its health, and that Sickbay may read it, its pods and their ConfigMaps`]
      : []),
    ...(missing.includes('alert') ? ['Alertmanager gave no answer in time; check that it is reachable at external.alertManagerUrl'] : []),
    ...(missing.includes('metrics')
      ? ['Prometheus gave no metrics in time; check that it is reachable at external.prometheusUrl and scrapes the target']
      : []),
  ];
}
