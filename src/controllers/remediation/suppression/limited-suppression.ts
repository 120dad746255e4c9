import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { suppressesOnlyJudged, type ArrivingSignal } from '../../../api/remediation-request/suppression.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, instant, MINUTE, parseTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { knownSpecHash, type SeenTarget } from '../../target/index.ts';
import { hasEnded } from '../end/has-ended.ts';
import type { RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import { signalsOf } from '../urgency.ts';

type JudgedState = NonNullable<NonNullable<RemediationStatus['suppression']>['target']>;

/** How often the target of a suppressed signal is read. A signal that is suppressed leads to a read at once, because it is counted. */
const RECHECK_TARGET_MS = 2 * MINUTE;

/** As many as the schema allows. */
const MOST_SIGNALS = 64;

/**
 * The alerts that were judged. That nothing has to be done was proved for the alert that opened the request, and for no other that joined it
 * (ruling 116); a person who is asked reads about all of them.
 */
function judgedSignals(request: RemediationRequest): ArrivingSignal[] {
  const all = signalsOf(request).slice(0, MOST_SIGNALS);
  return request.status?.outcome === 'NoActionRequired' ? all.filter(({ name }) => name === request.spec.signalName) : all;
}

/** What the end of a request records that suppresses only the signals that were judged; nothing for any other end. */
export const recordJudged = (ended: RemediationRequest): Pick<RemediationStatus, 'suppression'> =>
  suppressesOnlyJudged(ended) && ended.status?.nextAllowedExecution !== undefined ? { suppression: { signals: judgedSignals(ended) } } : {};

/** Whether the target of an ended request is read to find out whether its signals are still suppressed. */
export function isTargetAwaited(request: RemediationRequest, now: Instant): boolean {
  const until = parseTime(request.status?.nextAllowedExecution);
  return hasEnded(request) && suppressesOnlyJudged(request) && until !== undefined && now < until;
}

/**
 * Ends the suppression of an ended request once a person lifted it, or its target is changed, scaled or replaced: what was judged is then
 * another state. The first complete read after the end records the state.
 */
export function endSuppressionOnceChanged(seen: RemediationSeen, decision: Decision, now: Instant): Decision {
  const status = decision.status as RemediationStatus | undefined;
  if (!status || !isTargetAwaited(seen.object, now)) return decision;
  const lifted = liftedBy(seen.object);
  if (lifted !== undefined) return { ...decision, status: ended(status, lifted) };
  const current = seen.judgedTarget?.kind === 'value' ? stateOf(seen.judgedTarget.value) : undefined;
  const checked = current ? compared(seen.object, status, current) : status;
  if (checked.nextAllowedExecution === undefined) return { ...decision, status: checked };
  return { ...decision, status: checked, wakeAt: instant(Math.min(decision.wakeAt ?? Infinity, after(now, RECHECK_TARGET_MS))) };
}

/** The status once the target was read: with its state recorded, as it was, or with the suppression ended. */
function compared(request: RemediationRequest, status: RemediationStatus, current: JudgedState): RemediationStatus {
  const judged = status.suppression?.target;
  if (!judged) return withState(request, status, current);
  return isSameState(judged, current) ? status : ended(status, `${describeTarget(request.spec.targetResource)} was changed`);
}

/** The person who lifted the suppression, and why; undefined where no person did. */
function liftedBy({ metadata }: RemediationRequest): string | undefined {
  const { [ANNOTATIONS.blockClearedBy]: by, [ANNOTATIONS.blockClearReason]: why } = metadata.annotations ?? {};
  if (by === undefined) return undefined;
  return `${by} lifted its suppression${why === undefined ? '' : ` (${why})`}`;
}

const isSameState = (judged: JudgedState, current: JudgedState): boolean =>
  judged.uid === current.uid && judged.specHash === current.specHash;

const withState = (request: RemediationRequest, status: RemediationStatus, target: JudgedState): RemediationStatus => ({
  ...status,
  suppression: { signals: [...(status.suppression?.signals ?? judgedSignals(request))], target },
});

/** The status with the suppression ended. The outcome stays, and what was judged, by which waiting requests see that it has ended. */
function ended(status: RemediationStatus, why: string): RemediationStatus {
  const { nextAllowedExecution: _, ...rest } = status;
  return { ...rest, message: `${rest.message ?? ''}; since then ${why}, and its signal may open a new request` };
}

/** The state of a target; undefined while it cannot be read whole. */
function stateOf(target: SeenTarget): JudgedState | undefined {
  const { uid, generation } = target.metadata;
  const specHash = knownSpecHash(target);
  if (specHash === undefined) return undefined;
  return { uid, ...(generation !== undefined && { generation }), specHash };
}
