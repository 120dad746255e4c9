import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { isObject, MINUTE, parseTime, sameJson, toTime, type Instant, type JsonObject } from '../base/index.ts';
import {
  ALLOW,
  deny,
  isWriteTo,
  mutate,
  type AdmissionRule,
  type AdmissionContext,
  type AdmissionRequest,
  type AdmissionOutcome,
} from '../apiserver/admission/admission.ts';
import { mayDrive } from './may-drive.ts';

const { group, plural } = RemediationApprovalRequest;

/** The fields of a decision; they are written together and never change afterwards. */
const DECISION = ['decision', 'decidedBy', 'decidedAt', 'decidedVia', 'decisionMessage', 'workflowOverride'] as const;
/** The fields that name who decided, and when. */
const STAMPS = ['decidedBy', 'decidedAt', 'decidedVia'] as const;
/** How far a `decidedAt` that the user sends may be from the server's clock. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;

type DecisionContext = AdmissionContext & {
  readonly delegates: readonly string[];
};

/**
 * A decision carries the name of the user who makes it and the time, and is final. Fields that are left out are filled in; false ones are
 * refused. The accounts in `delegates` may pass on decisions of others, such as those that come through a chat.
 */
export const approvalRule =
  (delegates: readonly string[]): AdmissionRule =>
  (write, context) => {
    if (!isWriteTo(write, group, plural, 'status')) return ALLOW;
    const [before, after] = [statusOf(write.old), statusOf(write.object)];
    if (isDecided(before)) return checkFinal(write, before, after);
    return isDecided(after) ? checkDecision(write, after, { ...context, delegates }) : checkUndecided(write, after);
  };

const statusOf = (object: { readonly [field: string]: unknown } | undefined): JsonObject => (isObject(object?.status) ? object.status : {});

const isDecided = ({ decision }: JsonObject): boolean => (decision ?? '') !== '';

function checkFinal(write: AdmissionRequest, before: JsonObject, after: JsonObject): AdmissionOutcome {
  const changed = DECISION.filter((field) => !sameJson(before[field], after[field]));
  if (changed.length === 0) return ALLOW;
  const closed = before.decision === 'Expired' ? textIn(before, 'decisionMessage') : undefined;
  if (closed !== undefined) return deny(write, `it was closed, because ${closed}: it can no longer be decided`);
  const by = typeof before.decidedBy === 'string' ? ` by ${before.decidedBy}` : '';
  return deny(
    write,
    `it was ${String(before.decision).toLowerCase()}${by}, and a decision is final: status.${changed.join(', status.')} cannot change`,
  );
}

/** A name that is written before the decision would pass for the name of the user who decides later. */
function checkUndecided(write: AdmissionRequest, after: JsonObject): AdmissionOutcome {
  const early = STAMPS.find((stamp) => stamp in after);
  return early === undefined ? ALLOW : deny(write, `status.${early} is set together with status.decision, by the user who decides`);
}

/** The user decides with this write. */
function checkDecision(write: AdmissionRequest, after: JsonObject, context: DecisionContext): AdmissionOutcome {
  const objection = wrongTime(write, after, context) ?? wrongName(write, after, context);
  if (objection !== undefined) return deny(write, objection);
  const { decidedVia: _via, ...rest } = after;
  return mutate({ ...write.object, status: { ...rest, ...authorOf(write, after, context), decidedAt: toTime(context.now) } });
}

/** Who decides, and the account that passes the decision on, if one does. */
function authorOf({ user: { username } }: AdmissionRequest, after: JsonObject, { delegates }: DecisionContext) {
  const named = textIn(after, 'decidedBy') ?? username;
  return named !== username && delegates.includes(username) ? { decidedBy: named, decidedVia: username } : { decidedBy: username };
}

/** Names that the write contains must be those of the user who sends it. */
function wrongName(write: AdmissionRequest, after: JsonObject, context: DecisionContext): string | undefined {
  const author: JsonObject = authorOf(write, after, context);
  const field = (['decidedBy', 'decidedVia'] as const).find((name) => (textIn(after, name) ?? author[name]) !== author[name]);
  return field && `status.${field} is ${String(after[field])}, but ${write.user.username} sends this request: leave the field out`;
}

/** A text in the status; an empty one counts as absent. */
function textIn(status: JsonObject, field: string): string | undefined {
  const value = status[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Why the request cannot be decided now. */
function wrongTime(write: AdmissionRequest, after: JsonObject, { now, authorizer }: DecisionContext): string | undefined {
  const claimed = parseTime(textIn(after, 'decidedAt'));
  if (claimed !== undefined && Math.abs(claimed - now) > MAX_CLOCK_SKEW_MS)
    return `status.decidedAt is ${toTime(claimed)}, but the time is ${toTime(now)}: leave the field out`;
  const requiredBy = requiredByOf(write);
  const isLate = requiredBy !== undefined && now >= requiredBy;
  if (after.decision !== 'Expired') return isLate ? `the request expired at ${toTime(requiredBy)}: it can no longer be decided` : undefined;
  // With a message it is closed early: its remediation has ended.
  const isDue = isLate || textIn(after, 'decisionMessage') !== undefined;
  return isDue && mayDrive(write, authorizer)
    ? undefined
    : 'only Sickbay sets Expired, once spec.requiredBy has passed or the remediation has ended: decide Approved or Rejected';
}

function requiredByOf({ object }: AdmissionRequest): Instant | undefined {
  return isObject(object.spec) && typeof object.spec.requiredBy === 'string' ? parseTime(object.spec.requiredBy) : undefined;
}
