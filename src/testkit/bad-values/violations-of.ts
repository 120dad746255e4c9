import { actionTypeViolations } from '../../api/action-type/violations.ts';
import { aiAnalysisViolations } from '../../api/ai-analysis/violations.ts';
import { effectivenessAssessmentViolations } from '../../api/effectiveness-assessment/violations.ts';
import type { KindDefinition } from '../../api/index.ts';
import { machineHealthCheckViolations, V1ALPHA3_SPELLING, V1BETA1_SPELLING } from '../../api/machine-health-check/violations.ts';
import { machineSetViolations } from '../../api/machine-set/violations.ts';
import { machineViolations } from '../../api/machine/violations.ts';
import { ACCEPTED_ATTEMPT, ATTEMPT_IN_DOUBT, notificationRequestViolations } from '../../api/notification-request/violations.ts';
import { remediationApprovalRequestViolations } from '../../api/remediation-approval-request/violations.ts';
import { remediationRequestViolations } from '../../api/remediation-request/violations.ts';
import { signalProcessingViolations } from '../../api/signal-processing/violations.ts';
import type { Edits, Violation } from '../../api/violation.ts';
import { workflowExecutionViolations } from '../../api/workflow-execution/violations.ts';

interface KindViolations {
  readonly violations: readonly Violation[];
  /** Edits of the sample that show fields which cannot stand beside those of the sample. */
  readonly variants: readonly Edits[];
}

const BY_KIND: Readonly<Record<string, Partial<KindViolations>>> = {
  RemediationRequest: { violations: remediationRequestViolations },
  SignalProcessing: { violations: signalProcessingViolations },
  AIAnalysis: { violations: aiAnalysisViolations },
  RemediationApprovalRequest: { violations: remediationApprovalRequestViolations },
  WorkflowExecution: { violations: workflowExecutionViolations },
  EffectivenessAssessment: { violations: effectivenessAssessmentViolations },
  NotificationRequest: { violations: notificationRequestViolations, variants: [ACCEPTED_ATTEMPT, ATTEMPT_IN_DOUBT] },
  ActionType: { violations: actionTypeViolations },
  MachineHealthCheck: { violations: machineHealthCheckViolations, variants: [V1BETA1_SPELLING, V1ALPHA3_SPELLING] },
  Machine: { violations: machineViolations },
  MachineSet: { violations: machineSetViolations },
};

/** What breaks the CEL rules of a kind. Kinds without rules have none. */
export const violationsOf = (kind: KindDefinition): KindViolations => ({ violations: [], variants: [], ...BY_KIND[kind.kind] });
