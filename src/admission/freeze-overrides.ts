import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { OVERRIDING } from '../api/rights/override-right.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import {
  ALLOW,
  deny,
  isWriteTo,
  mutate,
  type AdmissionOutcome,
  type AdmissionRequest,
  type AdmissionRule,
} from '../apiserver/admission/admission.ts';
import { onResource } from '../apiserver/authorization/attributes.ts';
import { claimedName } from './claimed-name.ts';
import { annotated, withdrawn, type Annotations } from './withdrawn-signature.ts';

const { group, plural } = RemediationRequest;
const { overrideFreeze: reason, overrideFreezeBy: by } = ANNOTATIONS;
const OVERRIDE = { asked: reason, by, names: 'who overrides a freeze' };

/** An override of change freezes takes a right of its own, and carries the name of the user who writes it. */
export const overrideRule: AdmissionRule = (write, { authorizer }) => {
  if (!isWriteTo(write, group, plural)) return ALLOW;
  const before = write.old?.metadata.annotations ?? {};
  const after = write.object.metadata.annotations ?? {};
  if (after[reason] === before[reason] && after[by] === before[by]) return ALLOW;
  if (after[reason] === undefined) return withdrawn(write, OVERRIDE, before[by]);
  const { user, target } = write;
  const isAllowed = authorizer.authorize(user, onResource({ ...OVERRIDING, namespace: target.namespace ?? '' })).allowed;
  return isAllowed
    ? signed(write, before, after)
    : deny(write, `${user.username} may not override change freezes: that takes the right to ${OVERRIDING.verb} ${plural}.${group}`);
};

function signed(write: AdmissionRequest, before: Annotations, after: Annotations): AdmissionOutcome {
  const { username } = write.user;
  const claim = claimedName(username, after[by], before[by]);
  if (claim.kind === 'forged') return deny(write, `annotation ${by} is ${claim.name}, but ${username} sends this request: leave it out`);
  return mutate(annotated(write.object, { ...after, [by]: claim.name }));
}
