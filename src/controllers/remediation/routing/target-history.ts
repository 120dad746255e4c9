import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, instant, parseTime, type Instant } from '../../../base/index.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';
import { mayHaveActed, isOf } from './execution-state.ts';

/** Whether a remediation of a target helped, as far as that is known. */
export type RemediationEffect = 'effective' | 'ineffective' | 'unknown';

/** What is recorded about the remediations of a target. */
export interface TargetHistory {
  readonly requests: readonly RemediationRequest[];
  readonly executions: readonly WorkflowExecution[];
  readonly assessments: readonly EffectivenessAssessment[];
  /** Hash of the target as it is now; without it no remediation can be found reverted. */
  readonly specHash: string | undefined;
}

/** The effect of each remediation of the target that ended within the window, the newest first. */
export function effectsInWindow(record: TargetHistory, now: Instant, windowMs: number): readonly RemediationEffect[] {
  return record.requests
    .filter((request) => after(remediatedAt(request), windowMs) > now && wasExecuted(request, record.executions))
    .toSorted((a, b) => remediatedAt(b) - remediatedAt(a) || (a.metadata.name < b.metadata.name ? 1 : -1))
    .map((request) => effectOf(assessmentOf(request, record.assessments), request, record.specHash));
}

/** Ineffective: the alert still fires, or the spec was reverted to what it was before. An alert that was not read is unknown. */
function effectOf(
  assessment: EffectivenessAssessment | undefined,
  request: RemediationRequest,
  specHash: string | undefined,
): RemediationEffect {
  const { alertAssessed, alertScore } = assessment?.status?.components ?? {};
  if (alertScore === 0 || isReverted(assessment, request, specHash)) return 'ineffective';
  return alertAssessed === true && alertScore !== undefined ? 'effective' : 'unknown';
}

/**
 * Whether the spec was reverted. A remediation that did not change the spec cannot be; one whose result was never read is taken for one
 * that did.
 */
function isReverted(
  assessment: EffectivenessAssessment | undefined,
  { status }: RemediationRequest,
  specHash: string | undefined,
): boolean {
  const before = assessment?.spec.preRemediationSpecHash ?? status?.preRemediationSpecHash;
  return specHash !== undefined && before === specHash && hashAfter(assessment) !== before;
}

const hashAfter = (assessment: EffectivenessAssessment | undefined): string | undefined =>
  assessment?.spec.appliedSpecHash ?? assessment?.status?.components?.postRemediationSpecHash;

/** Whether its execution may have changed the target. A deleted execution is taken for one that did. */
function wasExecuted(request: RemediationRequest, executions: readonly WorkflowExecution[]): boolean {
  const { verifyingStartTime, overallPhase, workflowExecutionRef } = request.status ?? {};
  if (verifyingStartTime !== undefined) return true;
  if (!isTerminal(remediationPhases, overallPhase)) return false;
  const execution = executions.find((candidate) => isOf(candidate, request));
  return execution ? mayHaveActed(execution) : workflowExecutionRef?.uid !== undefined && overallPhase !== 'Skipped';
}

/** When its execution ended, as far as the request records it. */
const remediatedAt = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.verifyingStartTime) ?? parseTime(status?.completedAt) ?? parseTime(metadata.creationTimestamp) ?? instant(0);

/** Names are reused: an assessment that another request controls does not count. */
const assessmentOf = (
  { metadata }: RemediationRequest,
  assessments: readonly EffectivenessAssessment[],
): EffectivenessAssessment | undefined =>
  assessments.find((assessment) => assessment.spec.correlationID === metadata.name && controllerOf(assessment)?.uid === metadata.uid);
