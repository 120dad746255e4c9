import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { isObject, parseTime, sameJson, toTime, type JsonObject } from '../../base/index.ts';
import { ALLOW, deny, isAbout, mutate, type Admission, type AdmissionWorld, type AskedWrite, type Outcome } from './admission.ts';

const { group, plural } = RemediationApprovalRequest;

/** What makes up a decision; all of it is written at once and never again. */
const DECISION = ['decision', 'decidedBy', 'decidedAt', 'decidedVia', 'decisionMessage', 'workflowOverride'] as const;
/** What says who decided and when: never taken from the payload. */
const STAMPS = ['decidedBy', 'decidedAt', 'decidedVia'] as const;

/** Decisions carry the name of who made them, and stand. */
export const approvals: Admission = (write, world) => {
  if (!isAbout(write, group, plural, 'status')) return ALLOW;
  const [before, after] = [statusOf(write.old), statusOf(write.object)];
  if (isDecided(before)) return keepsDecision(write, before, after);
  return isDecided(after) ? stamped(write, after, world) : unstamped(write, after);
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

/** Somebody decides now. */
function stamped(write: AskedWrite, after: JsonObject, { now, delegates }: AdmissionWorld): Outcome {
  if (after.decision === 'Expired' && !hasRunOut(write, now)) {
    return deny(write, 'its time has not run out: decide Approved or Rejected, or wait until spec.requiredBy');
  }
  const { username } = write.user;
  const named = after.decidedBy;
  const passedOn = delegates.includes(username) && typeof named === 'string' && named !== '' && named !== username;
  const { decidedVia: _via, ...rest } = after;
  const who = passedOn ? { decidedBy: named, decidedVia: username } : { decidedBy: username };
  return mutate({ ...write.object, status: { ...rest, ...who, decidedAt: toTime(now) } });
}

function hasRunOut({ object }: AskedWrite, now: AdmissionWorld['now']): boolean {
  const by = isObject(object.spec) && typeof object.spec.requiredBy === 'string' ? parseTime(object.spec.requiredBy) : undefined;
  return by !== undefined && now >= by;
}

/** A name without a decision would be the name of whoever decides later. */
function unstamped(write: AskedWrite, after: JsonObject): Outcome {
  if (!STAMPS.some((stamp) => stamp in after)) return ALLOW;
  const { decidedBy: _by, decidedAt: _at, decidedVia: _via, ...rest } = after;
  return mutate({ ...write.object, status: rest });
}
