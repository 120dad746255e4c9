import type { Instant } from '../../base/index.ts';
import { getCondition, setCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { isAnythingKnown, nameOf, NOTHING_READABLE } from './assess.ts';
import { overtaken } from './drift-at-deadline.ts';
import { DECAY, isDecaying } from './check-components.ts';
import type { AssessmentSeen } from './observe.ts';
import { end, type Components, type Verdict } from './status.ts';

type Ending = Pick<Verdict, 'phase' | 'reason'>;

/** Time is up: what is known stands, unless the target is no longer the one that it was found out about. */
export function expire(seen: AssessmentSeen, now: Instant): Decision {
  const { object } = seen;
  const last = overtaken(seen);
  if (last) return end(object, last, now);
  const before = object.status?.components ?? {};
  // It was seen to fire, and nobody saw it end.
  const components = isDecaying(seen) ? { ...before, alertAssessed: true, alertScore: 0 } : before;
  const ending = endingOf(seen, components);
  const verdict = { ...ending, message: messageOf(seen, ending, components), components };
  if (!isDecaying(seen)) return end(object, verdict, now);
  const message = 'it was not seen to clear';
  const conditions = setCondition(object.status?.conditions, { type: DECAY, status: 'False', reason: 'DecayTimedOut', message }, now);
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

/** It was looked at, again and again, and nobody answered: not the same as a monitor that was not there. */
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

const HOW_FAR: Readonly<Partial<Record<Verdict['reason'], string>>> = {
  Expired: 'assessed not at all',
  Unrecoverable: 'assessed not at all',
};

function messageOf(seen: AssessmentSeen, { reason }: Ending, components: Components): string {
  const { message, conditions } = seen.object.status ?? {};
  const waited = getCondition(conditions, 'AssessmentComplete');
  const parts = [
    HOW_FAR[reason] ?? 'assessed in part',
    message,
    ...remedies(seen, components),
    waited?.status === 'False' ? `last it ${waited.message.replace('waits', 'waited')}` : undefined,
  ];
  return parts.filter(Boolean).join('; ');
}

/** What a person can do about what is missing. */
function remedies(seen: AssessmentSeen, components: Components): readonly string[] {
  const missing = missingIn(components);
  if (isDecaying(seen)) return [`${seen.object.spec.signalName ?? 'the alert'} did not clear in time though the target is well`];
  const isTargetMissing = missing.length === 0 || missing.includes('spec') || missing.includes('health');
  return [
    ...(isTargetMissing
      ? [
          `${nameOf(seen)} could not be read in time; see whether it is well, and whether Sickbay may read it, its pods and their ConfigMaps`,
        ]
      : []),
    ...(missing.includes('alert') ? ['Alertmanager gave no answer in time; see whether it is up at external.alertManagerUrl'] : []),
    ...(missing.includes('metrics')
      ? ['Prometheus gave no metrics in time; see whether it is up at external.prometheusUrl and scrapes the target']
      : []),
  ];
}
