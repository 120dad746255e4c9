import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { ALLOW, deny, isAbout, mutate, type Admission } from './admission.ts';
import { claimedName } from './claimed-name.ts';

const { group, plural } = RemediationRequest;
const { requestedBy } = ANNOTATIONS;

/** Whoever asks for a remediation signs with their own name, for good: they may not be the one to approve it. */
export const requesters: Admission = (write) => {
  if (!isAbout(write, group, plural)) return ALLOW;
  const { object, old, user } = write;
  const annotations = object.metadata.annotations ?? {};
  const before = old?.metadata.annotations?.[requestedBy];
  if (old) return annotations[requestedBy] === before ? ALLOW : deny(write, `annotation ${requestedBy} cannot change`);
  const claim = claimedName(user.username, annotations[requestedBy], undefined);
  if (claim.kind === 'forged') return deny(write, `annotation ${requestedBy} says ${claim.name}, but ${user.username} asks: leave it out`);
  return mutate({ ...object, metadata: { ...object.metadata, annotations: { ...annotations, [requestedBy]: claim.name } } });
};
