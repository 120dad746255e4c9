import { isTerminal } from '../../../api/phases.ts';
import { activeRefusal } from '../../../api/remediation-request/refusal.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import { after, instant, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { describePlan, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import type { Settings } from '../../settings.ts';
import { knownSpecHash } from '../../target/index.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTargetOf } from '../request-target.ts';
import type { RemediationStatus } from '../status.ts';
import { failedAt, type RequestEnding } from './end-request.ts';
import { hasEnded } from './has-ended.ts';

type Recorded = Pick<RemediationStatus, 'refusal'>;

/**
 * What the end of a request records that a person rejected or cancelled: until when the same plan is not proposed again. A refused undo
 * leaves the alert of the original as it is.
 */
export function recordRefusal(by: string, { spec, status }: RemediationRequest, { approval }: Settings, now: Instant): Recorded {
  if (spec.undoOf || approval.askAgainAfterMs === 0) return {};
  // A run may have changed the target: what the refusal is about is then known once the run has stopped.
  const specHash = status?.workflowExecutionRef ? undefined : status?.remediationTarget?.specHash;
  return { refusal: { by, until: toTime(after(now, approval.askAgainAfterMs)), ...(specHash !== undefined && { specHash }) } };
}

/** Whether the target of an ended request is read to find out whether its refusal still holds. */
export const isRefused = (request: RemediationRequest, now: Instant): boolean =>
  hasEnded(request) && activeRefusal(request, now) !== undefined;

/**
 * Ends the refusal of an ended request once the spec of its target has changed. Where the hash is not recorded yet, the first complete read
 * records it.
 */
export function endRefusalOnceChanged(seen: RemediationSeen, decision: Decision, now: Instant): Decision {
  const refusal = (decision.status as RemediationStatus | undefined)?.refusal;
  if (!refusal || !isRefused(seen.object, now)) return decision;
  const wakeAt = instant(Math.min(decision.wakeAt ?? Infinity, after(now, RECHECK_INTERVAL_MS)));
  const current = currentHash(seen);
  if (current === undefined || current === refusal.specHash) return { ...decision, wakeAt };
  const { refusal: _, ...rest } = decision.status as RemediationStatus;
  if (refusal.specHash === undefined) return { ...decision, wakeAt, status: { ...rest, refusal: { ...refusal, specHash: current } } };
  const message = `${rest.message ?? ''}; since then ${describeTargetOf(seen.object)} was changed, and its signal may open a new request`;
  return { ...decision, status: { ...rest, message } };
}

/** The hash of the target as it is now; undefined while it cannot be read whole, and while a run may still change it. */
function currentHash({ refusedTarget, execution }: RemediationSeen): string | undefined {
  if (refusedTarget?.kind !== 'value') return undefined;
  if (execution.kind === 'value' && !isTerminal(executionPhases, execution.value.status?.phase)) return undefined;
  return knownSpecHash(refusedTarget.value);
}

/** The end of a request whose plan a person refused in another request; undefined where there is no such refusal. */
export function refusedEnding(plan: RemediationPlan, { object, siblings }: RemediationSeen, now: Instant): RequestEnding | undefined {
  if (siblings.kind !== 'value') return undefined;
  for (const other of siblings.value) {
    const refusal = other.metadata.uid === object.metadata.uid ? undefined : activeRefusal(other, now);
    if (!refusal || !isSamePlan(other, plan)) continue;
    const { name } = other.metadata;
    const why = `${refusal.by} refused ${describePlan(plan)} in ${name}: it is not proposed again before ${toTime(refusal.until)}, unless the target changes`;
    return failedAt('Deduplicated', why, { duplicateOf: name, ...(other.status?.refusal && { refusal: other.status.refusal }) });
  }
  return undefined;
}

function isSamePlan({ status }: RemediationRequest, { digest, target }: RemediationPlan): boolean {
  const { specHash = target.specHash } = status?.refusal ?? {};
  return status?.planDigest === digest && specHash === target.specHash;
}
