import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { isObject, MINUTE, parseTime, sameJson, toTime, type Instant, type JsonObject } from '../../base/index.ts';
import { ALLOW, deny, isAbout, mutate, type Admission, type AdmissionWorld, type AskedWrite, type Outcome } from './admission.ts';
import { mayDrive } from './may-drive.ts';

const { group, plural } = RemediationApprovalRequest;

/** What makes up a decision; all of it is written at once and never again. */
const DECISION = ['decision', 'decidedBy', 'decidedAt', 'decidedVia', 'decisionMessage', 'workflowOverride'] as const;
/** What says who decided and when. */
const STAMPS = ['decidedBy', 'decidedAt', 'decidedVia'] as const;
/** How far a moment that somebody names may be from ours. */
const HONEST_MS = 5 * MINUTE;

/** Decisions carry the name of who makes them and the moment, and stand. What is left out is filled in; what is false is refused. */
export const approvals: Admission = (write, world) => {
  if (!isAbout(write, group, plural, 'status')) return ALLOW;
  const [before, after] = [statusOf(write.old), statusOf(write.object)];
  if (isDecided(before)) return keepsDecision(write, before, after);
  return isDecided(after) ? decides(write, after, world) : prepares(write, after);
};

const statusOf = (object: { readonly [field: string]: unknown } | undefined): JsonObject => (isObject(object?.status) ? object.status : {});

const isDecided = ({ decision }: JsonObject): boolean => (decision ?? '') !== '';

function keepsDecision(write: AskedWrite, before: JsonObject, after: JsonObject): Outcome {
  const changed = DECISION.filter((field) => !sameJson(before[field], after[field]));
  if (changed.length === 0) return ALLOW;
  const by = typeof before.decidedBy === 'string' ? ` by ${before.decidedBy}` : '';
  return deny(
    write,
    `it was ${String(before.decision).toLowerCase()}${by}, and a decision is final: status.${changed.join(', status.')} cannot change`,
  );
}

/** A name without a decision would be the name of whoever decides later. */
function prepares(write: AskedWrite, after: JsonObject): Outcome {
  const early = STAMPS.find((stamp) => stamp in after);
  return early === undefined ? ALLOW : deny(write, `status.${early} is set together with status.decision, by whoever decides`);
}

/** Somebody decides now. */
function decides(write: AskedWrite, after: JsonObject, world: AdmissionWorld): Outcome {
  const objection = wrongTime(write, after, world) ?? wrongName(write, after, world);
  if (objection !== undefined) return deny(write, objection);
  const { decidedVia: _via, ...rest } = after;
  return mutate({ ...write.object, status: { ...rest, ...authorOf(write, after, world), decidedAt: toTime(world.now) } });
}

/** Who decides, and who passes it on if anybody does. */
function authorOf({ user: { username } }: AskedWrite, after: JsonObject, { delegates }: AdmissionWorld) {
  const named = saidIn(after, 'decidedBy') ?? username;
  return named !== username && delegates.includes(username) ? { decidedBy: named, decidedVia: username } : { decidedBy: username };
}

/** Names that are said must be those of who asks. */
function wrongName(write: AskedWrite, after: JsonObject, world: AdmissionWorld): string | undefined {
  const author: JsonObject = authorOf(write, after, world);
  const field = (['decidedBy', 'decidedVia'] as const).find((name) => (saidIn(after, name) ?? author[name]) !== author[name]);
  return field && `status.${field} says ${String(after[field])}, but ${write.user.username} asks: leave it out`;
}

/** What is empty is as good as absent. */
function saidIn(status: JsonObject, field: string): string | undefined {
  const value = status[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Why this cannot be decided now. */
function wrongTime(write: AskedWrite, after: JsonObject, { now, authorizer }: AdmissionWorld): string | undefined {
  const claimed = parseTime(saidIn(after, 'decidedAt'));
  if (claimed !== undefined && Math.abs(claimed - now) > HONEST_MS)
    return `status.decidedAt says ${toTime(claimed)}, but it is ${toTime(now)}: leave it out`;
  const requiredBy = requiredByOf(write);
  const isLate = requiredBy !== undefined && now >= requiredBy;
  if (after.decision !== 'Expired')
    return isLate ? `its time ran out at ${toTime(requiredBy)}: nothing can be decided any more` : undefined;
  return isLate && mayDrive(write, authorizer)
    ? undefined
    : 'only Sickbay itself lets a request expire, once spec.requiredBy has passed: decide Approved or Rejected';
}

function requiredByOf({ object }: AskedWrite): Instant | undefined {
  return isObject(object.spec) && typeof object.spec.requiredBy === 'string' ? parseTime(object.spec.requiredBy) : undefined;
}
