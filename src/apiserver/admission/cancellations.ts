import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import type { Work } from '../object.ts';
import { ALLOW, deny, isAbout, mutate, type Admission, type Outcome } from './admission.ts';
import { claimedName } from './claimed-name.ts';

const { group, plural } = RemediationRequest;
const { cancel, cancelBy } = ANNOTATIONS;

/** Whoever cancels a request signs it with their own name. */
export const cancellations: Admission = (write) => {
  if (!isAbout(write, group, plural)) return ALLOW;
  const before = write.old?.metadata.annotations ?? {};
  const after = write.object.metadata.annotations ?? {};
  if (after[cancel] === before[cancel] && after[cancelBy] === before[cancelBy]) return ALLOW;
  if (after[cancel] === undefined) {
    const isNew = after[cancelBy] !== undefined && after[cancelBy] !== before[cancelBy];
    return isNew ? deny(write, `annotation ${cancelBy} says who cancelled: it goes with ${cancel}`) : unsigned(write.object);
  }
  if (after[cancel] === before[cancel])
    return deny(write, `annotation ${cancelBy} cannot change: the request was cancelled by ${before[cancelBy]}`);
  const claim = claimedName(write.user.username, after[cancelBy], before[cancelBy]);
  if (claim.kind === 'forged')
    return deny(write, `annotation ${cancelBy} says ${claim.name}, but ${write.user.username} asks: leave it out`);
  return mutate(annotated(write.object, { ...after, [cancelBy]: claim.name }));
};

/** What is taken back takes its name with it. */
function unsigned(object: Work): Outcome {
  const { [cancelBy]: signature, ...rest } = object.metadata.annotations ?? {};
  return signature === undefined ? ALLOW : mutate(annotated(object, rest));
}

const annotated = (object: Work, annotations: Readonly<Record<string, string>>): Work => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});
