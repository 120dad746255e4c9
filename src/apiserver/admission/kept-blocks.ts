import { Lease } from '../../kube/builtin/index.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { toTime } from '../../base/index.ts';
import { ALLOW, deny, isAbout, mutate, type Admission } from './admission.ts';
import { claimedName } from './claimed-name.ts';

const { group, plural } = Lease;
const { blockClearedBy, blockClearReason, blockClearedAt } = ANNOTATIONS;

/** Whoever lifts a block that the lock of a target keeps signs it with their own name, and with the moment. */
export const keptBlocks: Admission = (write, { now }) => {
  if (!isAbout(write, group, plural)) return ALLOW;
  const { object, old, user } = write;
  const [before, after] = [old?.metadata.annotations ?? {}, object.metadata.annotations ?? {}];
  const isSame = [blockClearedBy, blockClearReason].every((annotation) => before[annotation] === after[annotation]);
  if (isSame || (after[blockClearedBy] === undefined && after[blockClearReason] === undefined)) return ALLOW;
  const claim = claimedName(user.username, after[blockClearedBy], before[blockClearedBy]);
  if (claim.kind === 'forged')
    return deny(write, `annotation ${blockClearedBy} says ${claim.name}, but ${user.username} asks: leave it out`);
  const annotations = { ...after, [blockClearedBy]: claim.name, [blockClearedAt]: toTime(now) };
  return mutate({ ...object, metadata: { ...object.metadata, annotations } });
};
