import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import { isObject, sameJson, toTime, type JsonObject } from '../base/index.ts';
import { ALLOW, deny, isWriteTo, mutate, type AdmissionRule } from '../apiserver/admission/admission.ts';
import { claimedName } from './claimed-name.ts';
import { mayDrive } from './may-drive.ts';

const { group, plural } = WorkflowExecution;

/** A block clearance carries the name of the user who writes it and the time. Only Sickbay may write the rest of the status. */
export const blockClearanceRule: AdmissionRule = (write, { now, authorizer }) => {
  if (!isWriteTo(write, group, plural, 'status')) return ALLOW;
  const { object, old, user } = write;
  if (!sameJson(otherFieldsIn(old), otherFieldsIn(object)) && !mayDrive(write, authorizer))
    return deny(write, 'users other than Sickbay may only write status.blockClearance');
  const [before, after] = [clearanceOf(old), clearanceOf(object)];
  if (!after || sameJson(before, after)) return ALLOW;
  const claim = claimedName(user.username, after.clearedBy, before?.clearedBy);
  if (claim.kind === 'forged')
    return deny(write, `status.blockClearance.clearedBy is ${claim.name}, but ${user.username} sends this request: leave the field out`);
  const blockClearance = { ...after, clearedBy: claim.name, clearedAt: toTime(now) };
  return mutate({ ...object, status: { ...(object.status as object), blockClearance } });
};

function otherFieldsIn(object: { readonly [field: string]: unknown } | undefined): JsonObject {
  const { blockClearance: _, ...others } = isObject(object?.status) ? object.status : {};
  return others;
}

function clearanceOf(object: { readonly [field: string]: unknown } | undefined) {
  const status = object?.status;
  return isObject(status) && isObject(status.blockClearance) ? status.blockClearance : undefined;
}
