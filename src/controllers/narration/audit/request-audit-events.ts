import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { JsonObject } from '../../../base/index.ts';
import { isOwnedBy } from '../../../kube/objects/owner-references.ts';
import type { AuditEvent, AuditType } from '../../../store/audit-log.ts';
import { targetText } from '../../target/target-text.ts';
import { decisionEventOf } from './approval-audit-events.ts';
import { compact, short } from './audit-event-data.ts';
import { phaseEntries, type PhaseEntry } from './phase-entries.ts';

/** What happened, before it is known to which request. */
interface Happening {
  readonly type: AuditType;
  /** Distinguishes it from others of its type; empty for what happens once per object. */
  readonly mark: string;
  /** Nothing is recorded of what has no time yet. */
  readonly at: string | undefined;
  readonly data: JsonObject;
}

type Status = NonNullable<RemediationRequest['status']>;

/**
 * Every event that the state of a request and the decisions about it imply. Ids follow from the state alone: a state that is processed twice
 * is recorded once, and a later state makes up for a missed one. What the state no longer shows is not implied: the first entry into a phase
 * that was entered again, and a block that was lifted.
 */
export const auditEventsOf = (
  request: RemediationRequest,
  approvals: readonly RemediationApprovalRequest[] = [],
): readonly AuditEvent[] => [...requestEventsOf(request), ...approvals.flatMap((approval) => approvalEventsOf(request, approval))];

/** The events of the request itself, in the order in which they happened. */
export function requestEventsOf(request: RemediationRequest): readonly AuditEvent[] {
  const { metadata, status = {} } = request;
  const entries = phaseEntries(status);
  const happenings = [created(request), started(status), ...entries.flatMap((entry) => entered(status, entry)), ...asides(status)];
  return happenings
    .filter((happening) => happening !== undefined)
    .filter((happening): happening is Happening & { readonly at: string } => happening.at !== undefined)
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .map(({ type, mark, at, data }) => ({
      id: [metadata.uid, type, ...(mark === '' ? [] : [mark])].join('/'),
      type,
      correlationId: metadata.name,
      subject: { kind: request.kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid },
      at,
      data: compact(data),
    }));
}

/** The decision about a request; none where the approval is not this request's, or there is no decision yet. */
export const approvalEventsOf = (request: RemediationRequest, approval: RemediationApprovalRequest): readonly AuditEvent[] =>
  isOwnedBy(approval, request.metadata.uid) ? decisionEventOf(request, approval) : [];

function created({ metadata, spec }: RemediationRequest): Happening {
  const data = {
    signal: spec.signalName,
    severity: spec.severity,
    fingerprint: spec.signalFingerprint,
    target: targetText(spec.targetResource),
    cluster: spec.clusterID,
    dryRun: spec.dryRun,
    undoOf: spec.undoOf?.name,
  };
  return { type: 'orchestrator.lifecycle.created', mark: '', at: metadata.creationTimestamp, data };
}

const started = ({ startTime, timeoutConfig }: Status): Happening => ({
  type: 'orchestrator.lifecycle.started',
  mark: '',
  at: startTime,
  data: { timeouts: timeoutConfig },
});

/** The events of entering a phase. The start of a request is an event of its own. */
function entered(status: Status, entry: PhaseEntry): readonly Happening[] {
  const { phase, at } = entry;
  if (phase === 'Pending') return [];
  if (entry.isEnd) return ended(status, entry);
  const transition: Happening = {
    type: 'orchestrator.phase.transitioned',
    mark: `${phase}@${at}`,
    at,
    data: { phase, ...(phase === 'Analyzing' && { attempt: status.analysisAttempt }) },
  };
  return [transition, ...also(status, entry)];
}

function also(status: Status, { phase, at }: PhaseEntry): readonly Happening[] {
  switch (phase) {
    case 'Verifying':
      return [{ type: 'orchestrator.lifecycle.verifying_started', mark: '', at, data: whatRan(status) }];
    case 'Blocked':
      return blocked(status, at);
    default:
      return [];
  }
}

/** The hash from before the run is included for assessments whose spec does not have it. */
const whatRan = ({ workflowExecutionRef, preRemediationSpecHash }: Status): JsonObject => ({
  execution: workflowExecutionRef?.name,
  preRemediationSpecHash,
});

function blocked(status: Status, at: string): readonly Happening[] {
  const { blockReason: reason, blockMessage, blockedUntil, blockingWorkflowExecution, duplicateOf } = status;
  if (reason === undefined) return [];
  const data = { reason, message: short(blockMessage), until: blockedUntil, blockedBy: blockingWorkflowExecution ?? duplicateOf };
  return [{ type: 'orchestrator.routing.blocked', mark: `${reason}@${at}`, at, data }];
}

/** The events of a terminal phase. Success and failure are recorded once each, although a failed request may be blocked and end again. */
function ended(status: Status, { phase, at }: PhaseEntry): readonly Happening[] {
  const { outcome, cancellation, skipReason } = status;
  const data = {
    phase,
    outcome,
    message: short(status.message),
    skipReason,
    cancelledBy: cancellation?.by,
    because: short(cancellation?.reason),
  };
  const end: Happening = { type: 'orchestrator.lifecycle.transitioned', mark: `${phase}@${at}`, at, data };
  if (phase === 'Completed')
    return [
      ...verified(status, at),
      { type: 'orchestrator.lifecycle.completed', mark: '', at, data: { outcome, ...whatWasDone(status) } },
      end,
    ];
  if (phase !== 'Failed' && phase !== 'TimedOut') return [end];
  return [{ type: 'orchestrator.lifecycle.failed', mark: '', at, data: { phase, ...whatFailed(status), ...whatWasDone(status) } }, end];
}

function verified({ outcome, verifyingStartTime }: Status, at: string): readonly Happening[] {
  if (verifyingStartTime === undefined) return [];
  const type =
    outcome === 'VerificationTimedOut' ? 'orchestrator.lifecycle.verification_timed_out' : 'orchestrator.lifecycle.verification_completed';
  return [{ type, mark: '', at, data: { outcome } }];
}

const whatFailed = ({ failurePhase, failureReason, timeoutPhase, consecutiveFailureCount }: Status): JsonObject => ({
  failurePhase,
  failureReason: short(failureReason),
  timeoutPhase,
  consecutiveFailures: consecutiveFailureCount,
});

const whatWasDone = ({
  remediationTarget,
  selectedWorkflowRef,
  workflowDisplayName,
  planDigest,
  preRemediationSpecHash,
}: Status): JsonObject => ({
  target: remediationTarget && targetText(remediationTarget),
  workflow: workflowDisplayName,
  workflowId: selectedWorkflowRef?.workflowId,
  planDigest,
  preRemediationSpecHash,
});

/** What happens beside the phases. */
const asides = (status: Status): readonly (Happening | undefined)[] => [
  asked(status),
  overridden(status),
  assessed(status),
  reviewed(status),
];

function asked({ approvalRequestRef, awaitingApprovalStartTime, planDigest }: Status): Happening | undefined {
  if (approvalRequestRef?.uid === undefined) return undefined;
  const data = { approval: approvalRequestRef.name, planDigest };
  return { type: 'orchestrator.approval.requested', mark: approvalRequestRef.uid, at: awaitingApprovalStartTime, data };
}

/** It ran in spite of a change freeze. */
function overridden({ freezeOverride }: Status): Happening | undefined {
  if (!freezeOverride) return undefined;
  const { by, reason, at } = freezeOverride;
  return { type: 'orchestrator.routing.freeze_overridden', mark: '', at, data: { by, reason: short(reason) } };
}

function assessed({ effectivenessAssessmentRef, verifyingStartTime, completedAt }: Status): Happening | undefined {
  if (effectivenessAssessmentRef?.uid === undefined) return undefined;
  const data = { assessment: effectivenessAssessmentRef.name };
  return { type: 'orchestrator.ea.created', mark: effectivenessAssessmentRef.uid, at: verifyingStartTime ?? completedAt, data };
}

function reviewed(status: Status): Happening | undefined {
  const { requiresManualReview, outcome, blockedStartTime, completedAt } = status;
  if (requiresManualReview !== true && outcome !== 'ManualReviewRequired') return undefined;
  const data = { outcome, reason: short(status.message) };
  const since = status.blockReason === 'IneffectiveChain' ? blockedStartTime : undefined;
  return { type: 'orchestrator.remediation.manual_review', mark: '', at: since ?? completedAt, data };
}
