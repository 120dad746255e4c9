import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { isObject, sameJson, toTime, type JsonObject } from '../../base/index.ts';
import { ALLOW, deny, isAbout, mutate, type Admission } from './admission.ts';
import { claimedName } from './claimed-name.ts';
import { mayDrive } from './may-drive.ts';

const { group, plural } = WorkflowExecution;

/** Whoever lifts the block on a target signs it with their own name, and with the moment. The rest of the status is Sickbay's. */
export const blockClearances: Admission = (write, { now, authorizer }) => {
  if (!isAbout(write, group, plural, 'status')) return ALLOW;
  const { object, old, user } = write;
  if (!sameJson(othersIn(old), othersIn(object)) && !mayDrive(write, authorizer))
    return deny(write, 'of the status only blockClearance is for others than Sickbay');
  const [before, after] = [clearanceOf(old), clearanceOf(object)];
  if (!after || sameJson(before, after)) return ALLOW;
  const claim = claimedName(user.username, after.clearedBy, before?.clearedBy);
  if (claim.kind === 'forged')
    return deny(write, `status.blockClearance.clearedBy says ${claim.name}, but ${user.username} asks: leave it out`);
  const blockClearance = { ...after, clearedBy: claim.name, clearedAt: toTime(now) };
  return mutate({ ...object, status: { ...(object.status as object), blockClearance } });
};

function othersIn(object: { readonly [field: string]: unknown } | undefined): JsonObject {
  const { blockClearance: _, ...others } = isObject(object?.status) ? object.status : {};
  return others;
}

function clearanceOf(object: { readonly [field: string]: unknown } | undefined) {
  const status = object?.status;
  return isObject(status) && isObject(status.blockClearance) ? status.blockClearance : undefined;
}
