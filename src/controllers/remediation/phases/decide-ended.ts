import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { after, formatDuration, MINUTE, parseTime, toTime, type Instant } from '../../../base/index.ts';
import { setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { assessmentDraft } from '../verification/draft-assessment.ts';
import { block } from '../routing/block-request.ts';
import { childOf } from '../children/read-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { openUndo, type Opening } from '../undo/open-undo-request.ts';
import { deletableAt } from '../end/retention.ts';
import { markOf } from '../routing/index.ts';
import { referenceTo, stay, type RemediationStatus } from '../status.ts';
import { tell } from '../notifications/notify.ts';

const NAME_TAKEN = 'NameTaken';

/** Tells people about the end, has a failed run assessed, and lets go of the request when its time has come. */
export function decideEnded(seen: RemediationSeen, now: Instant): Decision {
  if (reachesThreshold(seen)) return holdBack(seen, now);
  const { isDone, status: told, effects } = finish(seen, now);
  const opening = openUndo(seen, now);
  const status = withUndo(told, opening);
  if (isDone && opening.isDone) {
    const kept = retention(seen, now);
    return { status, ...kept, effects: [...opening.effects, ...kept.effects] };
  }
  const deadline = opening.until === undefined ? {} : { deadline: opening.until };
  return stay(seen.object, { now, ...deadline }, { status, effects: [...effects, ...opening.effects] });
}

function withUndo(status: RemediationStatus, { undo }: Opening): RemediationStatus {
  const { undo: _, ...rest } = status;
  return undo ? { ...rest, undo } : rest;
}

/** What is left to do once a request has come to its end. */
interface Finish {
  readonly isDone: boolean;
  readonly status: RemediationStatus;
  readonly effects: readonly Effect[];
}

/** People are told and a failed run is assessed; that all of it is done goes on record in one write. */
export function finish(seen: RemediationSeen, now: Instant): Finish {
  const status = seen.object.status ?? {};
  const told = tell(seen);
  const assessed = assessFailedRun(seen, now);
  const effects = [...told.effects, ...assessed.effects];
  if (told.taken !== undefined) return { isDone: false, status: { ...status, conditions: nameTaken(seen, told.taken, now) }, effects };
  if (!told.isDone || !assessed.isDone) return { isDone: false, status, effects };
  return { isDone: true, status: { ...told.status, ...assessed.status, ...withoutTaken(told.status) }, effects };
}

/** The failure that reaches the threshold holds its signal back at once, and is a failure again when the cooldown is over. */
function reachesThreshold({ object, settings }: RemediationSeen): boolean {
  const { overallPhase, consecutiveFailureCount = 0, blockReason } = object.status ?? {};
  if (overallPhase !== 'Failed' || blockReason === 'ConsecutiveFailures') return false;
  return consecutiveFailureCount >= settings.routing.consecutiveFailureThreshold && markOf(object) === 'failure';
}

function holdBack({ object, settings }: RemediationSeen, now: Instant): Decision {
  const { status, spec } = object;
  const cooldownMs = settings.routing.consecutiveFailureCooldownMs;
  const until = after(parseTime(status?.completedAt) ?? now, cooldownMs);
  const count = status?.consecutiveFailureCount ?? 0;
  return block(
    object,
    {
      kind: 'block',
      check: 'ConsecutiveFailures',
      inputs: { consecutiveFailures: count },
      message: `${count} remediations of ${spec.signalName} failed in a row, the last: ${status?.failureReason ?? ''}. None is tried for ${formatDuration(cooldownMs)}, until ${toTime(until)}`,
      until,
      lookAgainAt: until,
    },
    now,
  );
}

/** A run that failed is assessed too; that never holds up its end, and nothing about the request follows from it. */
function assessFailedRun(
  seen: RemediationSeen,
  now: Instant,
): {
  readonly isDone: boolean;
  readonly effects: readonly Effect[];
  readonly status?: RemediationStatus;
} {
  const { object, assessment } = seen;
  const { failurePhase, workflowExecutionRef, effectivenessAssessmentRef } = object.status ?? {};
  const isDue = failurePhase === 'WorkflowExecution' && workflowExecutionRef?.uid !== undefined && !effectivenessAssessmentRef;
  if (!isDue) return { isDone: true, effects: [] };
  const child = childOf(assessment, { owner: object });
  if (child.kind === 'ours') return { isDone: true, effects: [], status: { effectivenessAssessmentRef: referenceTo(child.object) } };
  if (child.kind === 'foreign') return { isDone: true, effects: [] };
  const draft = child.kind === 'none' ? assessmentDraft(seen, 'Failed', now) : undefined;
  return { isDone: false, effects: draft ? [{ kind: 'Create', resource: EffectivenessAssessment, object: draft }] : [] };
}

/** Kept until its time has come and its trail is on record, and then deleted; its children go with it. */
function retention(seen: RemediationSeen, now: Instant): Pick<Decision, 'effects' | 'wakeAt'> {
  const { object } = seen;
  const at = deletableAt(seen);
  if (at === undefined) return { effects: [] };
  if (now < at) return { effects: [], wakeAt: at };
  return { effects: seen.isAudited ? [remove(RemediationRequest, object)] : [], wakeAt: after(now, MINUTE) };
}

/** Somebody made room for the message: that nobody was told is no longer so. */
const withoutTaken = ({ conditions }: RemediationStatus): Partial<RemediationStatus> =>
  conditions ? { conditions: conditions.filter(({ reason }) => reason !== NAME_TAKEN) } : {};

const nameTaken = ({ object }: RemediationSeen, text: string, now: Instant) =>
  setCondition(
    object.status?.conditions,
    {
      type: 'NotificationDelivered',
      status: 'False',
      reason: NAME_TAKEN,
      message: `nobody was told: ${text} is not of this request; delete it if nobody needs it`,
    },
    now,
  );
