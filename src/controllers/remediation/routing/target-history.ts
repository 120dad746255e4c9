import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, instant, parseTime, type Instant } from '../../../base/index.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';
import { hasRun, isOf } from './execution-state.ts';

/** Whether a remediation of a target helped it, as far as anybody knows. */
export type Effect = 'effective' | 'ineffective' | 'unknown';

/** What is on record of a target's remediations. */
export interface TargetRecord {
  readonly requests: readonly RemediationRequest[];
  readonly executions: readonly WorkflowExecution[];
  readonly assessments: readonly EffectivenessAssessment[];
  /** Hash of the target as it is now; without it no remediation is found to have been taken back. */
  readonly specHash: string | undefined;
}

/** What became of each remediation of the target that was over inside the window, the newest first. */
export function effectsInWindow(record: TargetRecord, now: Instant, windowMs: number): readonly Effect[] {
  return record.requests
    .filter((request) => after(remediatedAt(request), windowMs) > now && wasCarriedOut(request, record.executions))
    .toSorted((a, b) => remediatedAt(b) - remediatedAt(a) || (a.metadata.name < b.metadata.name ? 1 : -1))
    .map((request) => effectOf(assessmentOf(request, record.assessments), request, record.specHash));
}

/** How many of the newest were ineffective in a row; what nobody knows neither counts nor ends the row. */
export function ineffectiveInRow(effects: readonly Effect[]): number {
  const known = effects.filter((effect) => effect !== 'unknown');
  const effective = known.indexOf('effective');
  return effective === -1 ? known.length : effective;
}

/** Ineffective: the alert still fires, or somebody has put the spec back to what it was before. An alert that nobody read says nothing. */
function effectOf(assessment: EffectivenessAssessment | undefined, request: RemediationRequest, specHash: string | undefined): Effect {
  const { alertAssessed, alertScore } = assessment?.status?.components ?? {};
  if (alertScore === 0 || isTakenBack(assessment, request, specHash)) return 'ineffective';
  return alertAssessed === true && alertScore !== undefined ? 'effective' : 'unknown';
}

/** A remediation that left the spec alone cannot be taken back; one of which the result was never seen is taken for one that changed it. */
function isTakenBack(
  assessment: EffectivenessAssessment | undefined,
  { status }: RemediationRequest,
  specHash: string | undefined,
): boolean {
  const before = assessment?.spec.preRemediationSpecHash ?? status?.preRemediationSpecHash;
  return specHash !== undefined && before === specHash && hashAfter(assessment) !== before;
}

const hashAfter = (assessment: EffectivenessAssessment | undefined): string | undefined =>
  assessment?.spec.appliedSpecHash ?? assessment?.status?.components?.postRemediationSpecHash;

/** Its execution got as far as the target. One that is gone is given no benefit of the doubt. */
function wasCarriedOut(request: RemediationRequest, executions: readonly WorkflowExecution[]): boolean {
  const { verifyingStartTime, overallPhase, workflowExecutionRef } = request.status ?? {};
  if (verifyingStartTime !== undefined) return true;
  if (!isTerminal(remediationPhases, overallPhase)) return false;
  const execution = executions.find((candidate) => isOf(candidate, request));
  return execution ? hasRun(execution) : workflowExecutionRef?.uid !== undefined && overallPhase !== 'Skipped';
}

/** When its execution was over, as far as the request tells. */
const remediatedAt = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.verifyingStartTime) ?? parseTime(status?.completedAt) ?? parseTime(metadata.creationTimestamp) ?? instant(0);

/** Names come back: an assessment that another request controls is not its. */
const assessmentOf = (
  { metadata }: RemediationRequest,
  assessments: readonly EffectivenessAssessment[],
): EffectivenessAssessment | undefined =>
  assessments.find((assessment) => assessment.spec.correlationID === metadata.name && controllerOf(assessment)?.uid === metadata.uid);
