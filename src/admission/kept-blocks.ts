import { Lease } from '../kube/builtin/index.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { toTime } from '../base/index.ts';
import { ALLOW, deny, isWriteTo, mutate, type AdmissionRule } from '../apiserver/admission/admission.ts';
import { claimedName } from './claimed-name.ts';

const CLEARABLE = [Lease, RemediationRequest];
const { blockClearedBy, blockClearReason, blockClearedAt } = ANNOTATIONS;

/**
 * The clearance of a block that is recorded on the lock of a target, and of a suppression on its request, carries the name of the user who
 * writes it and the time.
 */
export const keptBlockRule: AdmissionRule = (write, { now }) => {
  if (!CLEARABLE.some(({ group, plural }) => isWriteTo(write, group, plural))) return ALLOW;
  const { object, old, user } = write;
  const [before, after] = [old?.metadata.annotations ?? {}, object.metadata.annotations ?? {}];
  const isSame = [blockClearedBy, blockClearReason].every((annotation) => before[annotation] === after[annotation]);
  if (isSame || (after[blockClearedBy] === undefined && after[blockClearReason] === undefined)) return ALLOW;
  const claim = claimedName(user.username, after[blockClearedBy], before[blockClearedBy]);
  if (claim.kind === 'forged')
    return deny(write, `annotation ${blockClearedBy} is ${claim.name}, but ${user.username} sends this request: leave it out`);
  const annotations = { ...after, [blockClearedBy]: claim.name, [blockClearedAt]: toTime(now) };
  return mutate({ ...object, metadata: { ...object.metadata, annotations } });
};
