import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { after, formatDuration, MINUTE, parseTime, toTime, type Instant } from '../../../base/index.ts';
import { setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { assessmentDraft } from '../verification/draft-assessment.ts';
import { blockRequest } from '../routing/block-request.ts';
import { childOf } from '../children/read-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { openUndoRequest, type UndoOpening } from '../undo/open-undo-request.ts';
import { closingEffects } from '../end/end-request.ts';
import { deletableAt } from '../end/retention.ts';
import { cooldownFrom, failureMarkOf, reachesThreshold } from '../routing/index.ts';
import { referenceTo, stayInPhase, type RemediationStatus } from '../status.ts';
import { notify } from '../notifications/notify.ts';

const NAME_TAKEN = 'NameTaken';

/** Sends the notifications about the end, has a failed run assessed, and deletes the request once its retention time has passed. */
export function decideEndedRequest(seen: RemediationSeen, now: Instant): Decision {
  if (isFailureThatBlocks(seen)) return startCooldown(seen, now);
  const { isDone, status: told, effects } = finish(seen, now);
  const opening = openUndoRequest(seen, now);
  const status = withUndo(told, opening);
  if (isDone && opening.isDone) {
    const kept = retention(seen, now);
    return { status, ...kept, effects: [...opening.effects, ...kept.effects] };
  }
  const deadline = opening.until === undefined ? {} : { deadline: opening.until };
  return stayInPhase(seen.object, { now, ...deadline }, { status, effects: [...effects, ...opening.effects] });
}

function withUndo(status: RemediationStatus, { undo }: UndoOpening): RemediationStatus {
  const { undo: _, ...rest } = status;
  return undo ? { ...rest, undo } : rest;
}

/** What remains to be done once a request has ended. */
interface Finish {
  readonly isDone: boolean;
  readonly status: RemediationStatus;
  readonly effects: readonly Effect[];
}

/** Sends the notifications and has a failed run assessed; that all of it is done is recorded in status in one write. */
export function finish(seen: RemediationSeen, now: Instant): Finish {
  const status = seen.object.status ?? {};
  const told = notify(seen);
  const assessed = assessFailedRun(seen, now);
  const closing = closingEffects(seen, now);
  const effects = [...closing, ...told.effects, ...assessed.effects];
  if (told.taken !== undefined) return { isDone: false, status: { ...status, conditions: nameTaken(seen, told.taken, now) }, effects };
  if (!told.isDone || !assessed.isDone || closing.length > 0) return { isDone: false, status, effects };
  return { isDone: true, status: { ...told.status, ...assessed.status, ...withoutTaken(told.status) }, effects };
}

/** The failure that reaches the threshold is Blocked at once, and returns to Failed when the cooldown ends. */
function isFailureThatBlocks({ object, settings }: RemediationSeen): boolean {
  const { overallPhase, consecutiveFailureCount = 0, blockReason } = object.status ?? {};
  if (overallPhase !== 'Failed' || blockReason === 'ConsecutiveFailures') return false;
  return reachesThreshold(consecutiveFailureCount, settings.routing) && failureMarkOf(object) === 'failure';
}

function startCooldown({ object, settings }: RemediationSeen, now: Instant): Decision {
  const { status, spec } = object;
  const cooldownMs = settings.routing.consecutiveFailureCooldownMs;
  const until = cooldownFrom(parseTime(status?.completedAt) ?? now, settings.routing);
  const count = status?.consecutiveFailureCount ?? 0;
  return blockRequest(
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

/** A run that failed is assessed too. That neither delays the end of the request nor changes its result. */
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

/**
 * Keeps the request until its retention time has passed and its audit trail is complete, and deletes it then; its children are garbage
 * collected.
 */
function retention(seen: RemediationSeen, now: Instant): Pick<Decision, 'effects' | 'wakeAt'> {
  const { object } = seen;
  const at = deletableAt(seen);
  if (at === undefined) return { effects: [] };
  if (now < at) return { effects: [], wakeAt: at };
  return { effects: seen.isAudited ? [remove(RemediationRequest, object)] : [], wakeAt: after(now, MINUTE) };
}

/** The object with the notification's name is gone: the condition that reported it is cleared. */
const withoutTaken = ({ conditions }: RemediationStatus): Partial<RemediationStatus> =>
  conditions ? { conditions: conditions.filter(({ reason }) => reason !== NAME_TAKEN) } : {};

const nameTaken = ({ object }: RemediationSeen, text: string, now: Instant) =>
  setCondition(
    object.status?.conditions,
    {
      type: 'NotificationDelivered',
      status: 'False',
      reason: NAME_TAKEN,
      message: `no notification was sent: ${text} does not belong to this request; delete it if nothing else needs it`,
    },
    now,
  );
