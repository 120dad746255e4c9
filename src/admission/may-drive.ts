import { DRIVING } from '../api/rights/drive-right.ts';
import { onResource } from '../apiserver/authorization/attributes.ts';
import type { AdmissionContext, AdmissionRequest } from '../apiserver/admission/admission.ts';

/** Whether the user has Sickbay's own right, to drive remediations, in the namespace of the object. */
export const mayDrive = ({ user, target }: AdmissionRequest, authorizer: AdmissionContext['authorizer']): boolean =>
  authorizer.authorize(user, onResource({ ...DRIVING, namespace: target.namespace ?? '' })).allowed;
