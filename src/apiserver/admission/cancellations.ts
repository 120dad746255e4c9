import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import type { Work } from '../object.ts';
import { ALLOW, deny, isAbout, mutate, type Admission, type AskedWrite, type Outcome } from './admission.ts';
import { claimedName } from './claimed-name.ts';

const { group, plural } = RemediationRequest;
const { cancel, cancelBy } = ANNOTATIONS;

/** Whoever cancels a request signs it with their own name. */
export const cancellations: Admission = (write) => {
  if (!isAbout(write, group, plural)) return ALLOW;
  const before = write.old?.metadata.annotations ?? {};
  const after = write.object.metadata.annotations ?? {};
  if (after[cancel] === before[cancel] && after[cancelBy] === before[cancelBy]) return ALLOW;
  return after[cancel] === undefined ? unsigned(write, before[cancelBy]) : signed(write, before, after);
};

type Annotations = Readonly<Record<string, string>>;

function signed(write: AskedWrite, before: Annotations, after: Annotations): Outcome {
  if (after[cancel] === before[cancel])
    return deny(write, `annotation ${cancelBy} cannot change: the request was cancelled by ${before[cancelBy]}`);
  const claim = claimedName(write.user.username, after[cancelBy], before[cancelBy]);
  if (claim.kind === 'forged')
    return deny(write, `annotation ${cancelBy} says ${claim.name}, but ${write.user.username} asks: leave it out`);
  return mutate(annotated(write.object, { ...after, [cancelBy]: claim.name }));
}

/** What is taken back takes its name with it; a name that comes alone is a forgery. */
function unsigned(write: AskedWrite, before: string | undefined): Outcome {
  const { [cancelBy]: signature, ...rest } = write.object.metadata.annotations ?? {};
  if (signature === undefined) return ALLOW;
  return signature === before
    ? mutate(annotated(write.object, rest))
    : deny(write, `annotation ${cancelBy} says who cancelled: it goes with ${cancel}`);
}

const annotated = (object: Work, annotations: Annotations): Work => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});
