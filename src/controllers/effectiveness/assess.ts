import { instant, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { targetText } from '../target/index.ts';
import { look, type Found } from './check-components.ts';
import type { AssessmentSeen } from './observe.ts';
import { hasDrifted } from './scorers/spec-hash.ts';
import { end, stay, type AssessmentStatus, type Components, type Verdict } from './status.ts';
import { isAsync, type Timing } from './timing.ts';

/** Nothing that was looked at could be read: as long as this stands there is nothing to conclude from. */
export const NOTHING_READABLE = 'NothingReadable';

/** One look at what is not known yet. It is over when all is known, when the target is gone, or when somebody else has changed it. */
export function assess(seen: AssessmentSeen, now: Instant, timing: Timing): Decision {
  if (seen.neverRan) return end(seen.object, neverRan(seen), now);
  if (seen.target.kind === 'absent') return end(seen.object, targetGone(seen), now);
  const found = look(seen, now, timing);
  const object = { ...seen.object, status: progress(seen, found, now) };
  const reason = verdictOn(seen, found);
  if (reason === undefined) return stay(object, wakeUp(found, timing), found.components);
  return end(object, { phase: 'Completed', reason, message: findings(seen, found, reason), components: found.components }, now);
}

/** What is known so far and what is waited for, where people look for it. */
function progress({ object }: AssessmentSeen, found: Found, now: Instant): AssessmentStatus {
  const status = object.status ?? {};
  const message = [status.message, ...found.notes].filter(Boolean).join('; ');
  let conditions = status.conditions;
  for (const news of [found.decay, found.answer]) if (news) conditions = setCondition(conditions, news, now);
  if (found.waits.length > 0) {
    const reason = isAnythingKnown(found.components) ? 'InProgress' : NOTHING_READABLE;
    const waits = `waits for ${found.waits.map(({ what }) => what).join('; ')}`;
    conditions = setCondition(conditions, { type: 'AssessmentComplete', status: 'False', reason, message: waits }, now);
  }
  return { ...status, ...(message !== '' && { message }), ...(conditions && { conditions }) };
}

/** When the first of what is not known can be looked for again, and never later than the deadline. */
const wakeUp = ({ waits }: Found, { deadline }: Timing): Instant => instant(Math.min(deadline, ...waits.map(({ until }) => until)));

/** Whether anything was found out; that nobody is there to be asked is no finding. */
export const isAnythingKnown = ({ healthAssessed, hashComputed, alertScore, metricsScore }: Components): boolean =>
  healthAssessed === true || hashComputed === true || alertScore !== undefined || metricsScore !== undefined;

type Reason = 'SpecDrift' | 'Full' | 'Partial';

/** Nothing is concluded from a look that did not show the whole target: it may be another one by now, and it may not. */
function verdictOn({ object }: AssessmentSeen, { components, isWhole, unmeasured }: Found): Reason | undefined {
  const { currentSpecHash: current, baselineSpecHash: baseline } = components;
  if (isWhole !== true || current === undefined) return undefined;
  const first = object.status?.components?.postRemediationSpecHash;
  const hashes = { current, applied: object.spec.appliedSpecHash, baseline, first };
  if (hasDrifted(hashes, { isAsync: isAsync(object) })) return 'SpecDrift';
  if (isFull(components)) return 'Full';
  // All that can ever be known is known: nobody is kept waiting for the rest.
  return unmeasured !== undefined && isFull({ ...components, metricsAssessed: true }) ? 'Partial' : undefined;
}

const isFull = ({ hashComputed, healthAssessed, alertAssessed, metricsAssessed }: Components): boolean =>
  [hashComputed, healthAssessed, alertAssessed, metricsAssessed].every((isDone) => isDone === true);

function findings(seen: AssessmentSeen, found: Found, reason: Reason): string {
  const known = [seen.object.status?.message, ...found.notes].filter(Boolean);
  if (reason === 'Full') return known.join('; ');
  if (reason === 'Partial')
    return [...known, `${found.unmeasured}, so that there is nothing to compare: see whether it is scraped`].join('; ');
  return [driftText(seen), ...(known.length === 0 ? ['its pods could not be read'] : known)].join('; ');
}

/** What is said where somebody else has changed the target. */
export const driftText = (seen: Pick<AssessmentSeen, 'object'>): string =>
  `somebody changed ${nameOf(seen)} after the workflow ran, so that its state says nothing about the remediation`;

/** What is said where the target is gone. */
export const goneText = (seen: Pick<AssessmentSeen, 'object'>): string =>
  `${nameOf(seen)} no longer exists: nothing can be said about the remediation`;

const targetGone = (seen: AssessmentSeen): Verdict => ({
  phase: 'Failed',
  reason: 'Unrecoverable',
  message: goneText(seen),
  components: { ...seen.object.status?.components, healthAssessed: true, healthScore: 0 },
});

const neverRan = (seen: AssessmentSeen): Verdict => ({
  phase: 'Completed',
  reason: 'NoExecution',
  message: `the workflow failed before anything ran on ${nameOf(seen)}: there is nothing to assess`,
  components: {},
});

export const nameOf = ({ object }: Pick<AssessmentSeen, 'object'>): string => targetText(object.spec.remediationTarget);
