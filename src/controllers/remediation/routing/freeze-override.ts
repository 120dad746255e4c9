import { createHash } from 'node:crypto';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import type { RemediationSeen } from '../observe.ts';
import { judgeChangeOf } from './judge-change-of.ts';

/** Who wants the request to run in spite of change freezes, and why. */
interface FreezeOverride {
  readonly by: string;
  readonly reason: string;
}

/** The override that the annotations of a request ask for, whether or not it counts. */
export function overrideIn({ metadata }: Pick<RemediationRequest, 'metadata'>): FreezeOverride | undefined {
  const { [ANNOTATIONS.overrideFreeze]: reason, [ANNOTATIONS.overrideFreezeBy]: by } = metadata.annotations ?? {};
  return reason === undefined || by === undefined ? undefined : { by, reason };
}

export const digestOfOverride = ({ by, reason }: FreezeOverride): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify([by, reason]))
    .digest('hex')}`;

/**
 * Records what became of an override. One that was given while names were not checked is kept as a digest, so that it does not begin to count once
 * the policies are installed; one that lets the request pass a freeze is kept with its name.
 */
export function recordOverride(seen: RemediationSeen, decision: Decision, now: Instant): Decision {
  const { object, identityIsChecked } = seen;
  const override = overrideIn(object);
  if (!override || !decision.status) return decision;
  if (!identityIsChecked) return { ...decision, status: { ...decision.status, ignoredOverride: digestOfOverride(override) } };
  if (!passesFreeze(seen, decision, now)) return decision;
  const { by, reason } = override;
  return {
    ...decision,
    status: { ...decision.status, freezeOverride: { by: by.slice(0, 253), reason: reason.slice(0, 1024), at: toTime(now) } },
  };
}

/** Whether the request goes on now although a freeze forbids it. */
function passesFreeze({ object, evidence }: RemediationSeen, { status }: Decision, now: Instant): boolean {
  if (!evidence?.changes?.override || object.status?.freezeOverride !== undefined || !isStep(object.status, status)) return false;
  return judgeChangeOf(evidence, evidence.changes, now).kind !== 'open';
}

/** The steps that check 8 lets a request take: an approval is requested, a workflow is run, a block by a freeze ends. */
function isStep(before: RemediationRequest['status'], after: Decision['status']): boolean {
  const from = before?.overallPhase;
  const to = (after as RemediationRequest['status'])?.overallPhase;
  if (from === to) return false;
  return to === 'AwaitingApproval' || to === 'Executing' || (to === 'Analyzing' && before?.blockReason === 'ChangeFreeze');
}
