import { DRIVEN } from '../api/policies/statuses.ts';
import { sameJson } from '../base/index.ts';
import { ALLOW, deny, isWriteTo, type AdmissionRule } from '../apiserver/admission/admission.ts';
import { mayDrive } from './may-drive.ts';

/** Only Sickbay may write a status that it acts on. */
export const statusRule: AdmissionRule = (write, { authorizer }) => {
  if (!DRIVEN.some(({ group, plural }) => isWriteTo(write, group, plural, 'status'))) return ALLOW;
  if (sameJson(write.old?.status, write.object.status) || mayDrive(write, authorizer)) return ALLOW;
  return deny(write, 'only Sickbay may write the status, because it acts on it');
};
