import { DRIVING } from '../../api/rights/drive-right.ts';
import { onResource } from '../authorization/attributes.ts';
import type { AdmissionWorld, AskedWrite } from './admission.ts';

/** Whether somebody may do Sickbay's own part in the namespace of the object. */
export const mayDrive = ({ user, target }: AskedWrite, authorizer: AdmissionWorld['authorizer']): boolean =>
  authorizer.authorize(user, onResource({ ...DRIVING, namespace: target.namespace ?? '' })).allowed;
