import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import {
  ALLOW,
  deny,
  isWriteTo,
  mutate,
  type AdmissionRule,
  type AdmissionRequest,
  type AdmissionOutcome,
} from '../apiserver/admission/admission.ts';
import { claimedName } from './claimed-name.ts';
import { annotated, withdrawn, type Annotations } from './withdrawn-signature.ts';

const { group, plural } = RemediationRequest;
const { cancel, cancelBy, requestedBy } = ANNOTATIONS;
const CANCELLATION = { asked: cancel, by: cancelBy, names: 'who cancelled' };

/** A request carries the name of the user who created it, for good: that user may not be the one to approve it. */
export const requesterRule: AdmissionRule = (write) => {
  if (!isWriteTo(write, group, plural)) return ALLOW;
  const { object, old, user } = write;
  const annotations = object.metadata.annotations ?? {};
  const before = old?.metadata.annotations?.[requestedBy];
  if (old) return annotations[requestedBy] === before ? ALLOW : deny(write, `annotation ${requestedBy} cannot change`);
  const claim = claimedName(user.username, annotations[requestedBy], undefined);
  if (claim.kind === 'forged')
    return deny(write, `annotation ${requestedBy} is ${claim.name}, but ${user.username} sends this request: leave it out`);
  return mutate({ ...object, metadata: { ...object.metadata, annotations: { ...annotations, [requestedBy]: claim.name } } });
};

/** A cancellation carries the name of the user who writes it. */
export const cancellationRule: AdmissionRule = (write) => {
  if (!isWriteTo(write, group, plural)) return ALLOW;
  const before = write.old?.metadata.annotations ?? {};
  const after = write.object.metadata.annotations ?? {};
  if (after[cancel] === before[cancel] && after[cancelBy] === before[cancelBy]) return ALLOW;
  return after[cancel] === undefined ? withdrawn(write, CANCELLATION, before[cancelBy]) : signed(write, before, after);
};

function signed(write: AdmissionRequest, before: Annotations, after: Annotations): AdmissionOutcome {
  if (after[cancel] === before[cancel])
    return deny(write, `annotation ${cancelBy} cannot change: the request was cancelled by ${before[cancelBy]}`);
  const claim = claimedName(write.user.username, after[cancelBy], before[cancelBy]);
  if (claim.kind === 'forged')
    return deny(write, `annotation ${cancelBy} is ${claim.name}, but ${write.user.username} sends this request: leave it out`);
  return mutate(annotated(write.object, { ...after, [cancelBy]: claim.name }));
}
