import type { Machine } from '../../../api/machine/machine.ts';
import { sameJson } from '../../../base/index.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { conditionOf } from '../conditions/cluster-api-conditions.ts';
import { claimOf } from './claim.ts';
import { isClaimedByOtherCheck } from './requests-of-other-checks.ts';

/**
 * Whether this check recorded a Machine in vain. Two checks may record it in the same moment; the server then accepts the claim of one, and
 * the other creates no request. What the other recorded is neither a remediation nor an attempt. Only live reads decide: an outdated view
 * may show the claim of a check that has finished.
 */
export function hasLostClaim(target: TargetObservation, check: string): boolean {
  const live = liveMachineOf(target);
  if (!target.entry || !live) return false;
  const isAbsent = isOwnRequestAbsent(target, live);
  if (!isClaimedByOtherCheck(withMachine(target, live), check)) return isAbsent && isRemediatedByOtherCheck(target, live);
  return isAbsent || (target.request.kind === 'value' && sameJson(claimOf(live)?.request, target.entry.request));
}

const isOwnRequestAbsent = ({ entry, request }: TargetObservation, live: Machine): boolean =>
  entry?.request ? request.kind === 'absent' : !isRequestedFromOwner(live);

/** Whether another check began a remediation that no claim shows: a remediator replaced the claim, or the owner was requested. */
const isRemediatedByOtherCheck = ({ entry, others, isOpenForOtherCheck }: TargetObservation, live: Machine): boolean =>
  entry?.request !== undefined &&
  (isOpenForOtherCheck === true || (others.length > 0 && claimOf(live) === undefined && isRequestedFromOwner(live)));

/** Whether a live read of the Machine may show that the claim was lost. */
export const mayHaveLostClaim = (target: TargetObservation, check: string): boolean =>
  target.entry !== undefined && isClaimedByOtherCheck(target, check);

const liveMachineOf = ({ liveMachine, target: { machine } }: TargetObservation): Machine | undefined =>
  liveMachine.kind === 'value' && liveMachine.value.metadata.uid === machine.metadata.uid ? liveMachine.value : undefined;

const withMachine = (target: TargetObservation, machine: Machine): TargetObservation => ({
  ...target,
  target: { ...target.target, machine },
});

const isRequestedFromOwner = ({ status = {} }: Machine): boolean => conditionOf(status, 'OwnerRemediated')?.status === 'False';
