import { ASSESSMENT_REASONS, type AssessmentReason } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { SECOND, type Instant } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import type { Check, Components, Ended } from './ended.ts';
import { GONE } from './workload-facts.ts';
import { alert, health, metrics, score } from './judge-components.ts';
import { clockError } from './timing.ts';

/** What is wrong with an end, held against the truth: the first that is found. */
export function objectionTo(ended: Ended): string | undefined {
  const { status = {} } = ended.assessment;
  for (const check of [words, fit, time, execution, drift, baseline, health, alert, metrics, score]) {
    const wrong = check(ended, status, status.components ?? {});
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const words: Check = (_, { assessmentReason, message, completedAt }) => {
  if (assessmentReason === undefined || !ASSESSMENT_REASONS.includes(assessmentReason)) return 'it ended without a reason';
  return message && completedAt ? undefined : 'it ended without a word';
};

const isKnown = ({ healthAssessed, hashComputed, alertScore, metricsScore }: Components): boolean =>
  healthAssessed === true || hashComputed === true || alertScore !== undefined || metricsScore !== undefined;

const isKnownButMetrics = ({ hashComputed, healthAssessed, alertAssessed }: Components): boolean =>
  [hashComputed, healthAssessed, alertAssessed].every((isDone) => isDone === true);

/** What each reason says about what is known; true where it fits. */
const FITS: Readonly<Record<AssessmentReason, (components: Components, ended: Ended) => boolean>> = {
  Full: (components) => isKnownButMetrics(components) && components.metricsAssessed === true,
  MetricsTimedOut: (components) => isKnownButMetrics(components) && components.metricsAssessed !== true,
  AlertDecayTimeout: ({ alertAssessed, alertScore, alertDecayRetries = 0 }) =>
    alertAssessed === true && alertScore === 0 && alertDecayRetries > 0,
  Partial: (components) => isKnown(components),
  Expired: (components) => !isKnown(components),
  SpecDrift: ({ hashComputed }) => hashComputed === true,
  NoExecution: (components, { order }) => order.ran === 'never' && !isKnown(components),
  Unrecoverable: (components, ended) => isHopeless(ended) || !isKnown(components),
};

/** The target cannot be read at all, or did not exist. */
const isHopeless = ({ simulation, facts, order, lookedFrom }: Ended): boolean =>
  order.isPlaceless === true || facts.state.during(lookedFrom, simulation.time.now()).includes(GONE);

const fit: Check = (ended, { phase, assessmentReason = 'Full' }, components) => {
  if (!FITS[assessmentReason](components, ended)) return `${assessmentReason} does not fit what is known: ${JSON.stringify(components)}`;
  const isFailure = assessmentReason === 'Unrecoverable';
  return (phase === 'Failed') === isFailure ? undefined : `${assessmentReason} is not an end as ${phase ?? ''}`;
};

const AT_THE_DEADLINE: ReadonlySet<string> = new Set(['MetricsTimedOut', 'AlertDecayTimeout', 'Partial', 'Expired']);

/** An assessment does not wait for metrics that can never be compared. */
const isVain = ({ workload }: Ended, reason: string, components: Components): boolean =>
  reason === 'Partial' && isKnownButMetrics(components) && !workload.metrics.isOld;

const time: Check = (ended, { phase, assessmentReason = 'Full' }, components) => {
  const { simulation, due } = ended;
  const isLast = AT_THE_DEADLINE.has(assessmentReason) && !isVain(ended, assessmentReason, components);
  const isEarly = phase === 'Completed' && isBefore(simulation, isLast ? due.deadline : due.check);
  return isEarly ? `it ended as ${assessmentReason} before its time` : undefined;
};

/** Whose clock was set may rightly find that it is time. */
const isBefore = (simulation: Simulation, moment: Instant): boolean =>
  clockError(simulation) === 0 && simulation.time.now() + SECOND < moment;

/** Where nothing fails, it is known that nothing ran. */
const execution: Check = ({ simulation, order }, { phase, assessmentReason = '' }) => {
  const isMissed = order.ran === 'never' && phase === 'Completed' && assessmentReason !== 'NoExecution';
  if (!isMissed || simulation.injected.length > 0 || AT_THE_DEADLINE.has(assessmentReason)) return undefined;
  return `it ended as ${assessmentReason} though nothing ever ran`;
};

/** The state from which drift is measured. */
const referenceOf = ({ order, assessment }: Ended, { baselineSpecHash, postRemediationSpecHash }: Components): string | undefined =>
  (order.propagateMs > 0 ? baselineSpecHash : assessment.spec.appliedSpecHash) ?? postRemediationSpecHash;

/** From these nothing is concluded about the target. */
const WITHOUT_FINDINGS: ReadonlySet<string> = new Set(['NoExecution', 'Expired', 'Unrecoverable']);

/** Where anything is concluded, the target was as the remediation left it when it was last looked at; and only where it was not is it drift. */
const drift: Check = (ended, { assessmentReason = '' }, components) => {
  const { simulation, facts, lookedFrom } = ended;
  const now = simulation.time.now();
  const reference = referenceOf(ended, components);
  if (reference === undefined || WITHOUT_FINDINGS.has(assessmentReason)) return undefined;
  if (assessmentReason === 'SpecDrift') {
    const isSo = facts.state.during(0, now).some((state) => state !== reference && state !== GONE);
    return isSo ? undefined : 'it ended as SpecDrift though nobody changed anything';
  }
  const isSame = facts.state.during(lookedFrom, now).includes(reference);
  return isSame ? undefined : `it ended as ${assessmentReason} though somebody else had changed the target`;
};

const baseline: Check = ({ simulation, facts, due }, _, { baselineSpecHash }) => {
  if (baselineSpecHash === undefined) return undefined;
  const states = facts.state.during(due.settles - SECOND - clockError(simulation), simulation.time.now());
  return states.includes(baselineSpecHash) ? undefined : 'its baseline is a state that was none since the change had arrived';
};
