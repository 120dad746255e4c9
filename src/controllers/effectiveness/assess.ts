import { instant, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { targetText } from '../target/index.ts';
import { checkComponents, type Findings } from './check-components.ts';
import type { AssessmentSeen } from './observe.ts';
import { hasDrifted } from './scorers/spec-hash.ts';
import { end, stay, type AssessmentStatus, type Components, type AssessmentVerdict } from './status.ts';
import { isAsync, type Timing } from './timing.ts';

/** Condition reason while nothing that was checked could be read: there is nothing to conclude from. */
export const NOTHING_READABLE = 'NothingReadable';

/** One pass over the components that are not assessed yet. Ends the assessment once all are, or the target no longer exists or has drifted. */
export function assess(seen: AssessmentSeen, now: Instant, timing: Timing): Decision {
  if (hasNeverRun(seen)) return end(seen.object, neverRan(seen), now);
  if (seen.target.kind === 'absent') return end(seen.object, targetGone(seen), now);
  const found = checkComponents(seen, now, timing);
  const object = { ...seen.object, status: progress(seen, found, now) };
  const reason = verdictOn(seen, found);
  if (reason === undefined) return stay(object, wakeUp(found, timing), found.components);
  return end(object, { phase: 'Completed', reason, message: verdictMessage(seen, found, reason), components: found.components }, now);
}

/** Whether the workflow failed before anything ran; if the API server does not say so, it ran. */
const hasNeverRun = ({ execution }: AssessmentSeen): boolean =>
  execution.kind === 'value' && execution.value.status?.failureDetails?.wasExecutionFailure === false;

/** Reports in status what is known so far and what the assessment waits for. */
function progress({ object }: AssessmentSeen, found: Findings, now: Instant): AssessmentStatus {
  const status = object.status ?? {};
  const message = [status.message, ...found.notes].filter(Boolean).join('; ');
  let conditions = status.conditions;
  for (const change of [found.decay, found.answer]) if (change) conditions = setCondition(conditions, change, now);
  if (found.waits.length > 0) {
    const reason = isAnythingKnown(found.components) ? 'InProgress' : NOTHING_READABLE;
    const waits = `waiting for ${found.waits.map(({ what }) => what).join('; ')}`;
    conditions = setCondition(conditions, { type: 'AssessmentComplete', status: 'False', reason, message: waits }, now);
  }
  return { ...status, ...(message !== '' && { message }), ...(conditions && { conditions }) };
}

/** When the first missing component can be checked again, never later than the deadline. */
const wakeUp = ({ waits }: Findings, { deadline }: Timing): Instant => instant(Math.min(deadline, ...waits.map(({ until }) => until)));

/** Whether any component has a result; that a monitoring server is not configured is not a result. */
export const isAnythingKnown = ({ healthAssessed, hashComputed, alertScore, metricsScore }: Components): boolean =>
  healthAssessed === true || hashComputed === true || alertScore !== undefined || metricsScore !== undefined;

type Reason = 'SpecDrift' | 'Full' | 'Partial';

/** Nothing is concluded from a pass that could not read the whole target, since the target may have changed. */
function verdictOn({ object }: AssessmentSeen, { components, isWhole, unmeasured }: Findings): Reason | undefined {
  const { currentSpecHash: current, baselineSpecHash: baseline } = components;
  if (isWhole !== true || current === undefined) return undefined;
  const first = object.status?.components?.postRemediationSpecHash;
  const hashes = { current, applied: object.spec.appliedSpecHash, baseline, first };
  if (hasDrifted(hashes, { isAsync: isAsync(object) })) return 'SpecDrift';
  if (isFull(components)) return 'Full';
  // Everything that can be known is known: waiting longer would add nothing.
  return unmeasured !== undefined && isFull({ ...components, metricsAssessed: true }) ? 'Partial' : undefined;
}

const isFull = ({ hashComputed, healthAssessed, alertAssessed, metricsAssessed }: Components): boolean =>
  [hashComputed, healthAssessed, alertAssessed, metricsAssessed].every((isDone) => isDone === true);

function verdictMessage(seen: AssessmentSeen, found: Findings, reason: Reason): string {
  const known = [seen.object.status?.message, ...found.notes].filter(Boolean);
  if (reason === 'Full') return known.join('; ');
  if (reason === 'Partial')
    return [...known, `${found.unmeasured}, so there is nothing to compare. Next: check that Prometheus scrapes the target`].join('; ');
  return [driftText(seen), ...(known.length === 0 ? ['its pods could not be read'] : known)].join('; ');
}

/** The message when the target changed after the remediation. */
export const driftText = (seen: Pick<AssessmentSeen, 'object'>): string =>
  `${nameOf(seen)} was changed after the workflow ran, so its state says nothing about the remediation`;

/** The message when the target no longer exists. */
export const goneText = (seen: Pick<AssessmentSeen, 'object'>): string =>
  `${nameOf(seen)} no longer exists: the remediation cannot be assessed`;

const targetGone = (seen: AssessmentSeen): AssessmentVerdict => ({
  phase: 'Failed',
  reason: 'Unrecoverable',
  message: goneText(seen),
  components: { ...seen.object.status?.components, healthAssessed: true, healthScore: 0 },
});

const neverRan = (seen: AssessmentSeen): AssessmentVerdict => ({
  phase: 'Completed',
  reason: 'NoExecution',
  message: `the workflow failed before anything ran on ${nameOf(seen)}: there is nothing to assess`,
  components: {},
});

export const nameOf = ({ object }: Pick<AssessmentSeen, 'object'>): string => targetText(object.spec.remediationTarget);
