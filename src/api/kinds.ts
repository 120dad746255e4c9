import { ActionType } from './action-type/action-type.ts';
import { AIAnalysis } from './ai-analysis/ai-analysis.ts';
import type { KindDefinition } from './define-kind.ts';
import { EffectivenessAssessment } from './effectiveness-assessment/effectiveness-assessment.ts';
import { MachineHealthCheck } from './machine-health-check/machine-health-check.ts';
import { MachineSet } from './machine-set/machine-set.ts';
import { Machine } from './machine/machine.ts';
import { NotificationRequest } from './notification-request/notification-request.ts';
import { PipelineRemediationTemplate } from './pipeline-remediation/pipeline-remediation-template.ts';
import { PipelineRemediation } from './pipeline-remediation/pipeline-remediation.ts';
import { PowerCycleRemediationTemplate } from './power-cycle-remediation/power-cycle-remediation-template.ts';
import { PowerCycleRemediation } from './power-cycle-remediation/power-cycle-remediation.ts';
import { RemediationApprovalRequest } from './remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from './remediation-request/remediation-request.ts';
import { RemediationWorkflow } from './remediation-workflow/remediation-workflow.ts';
import { SignalProcessing } from './signal-processing/signal-processing.ts';
import { WorkflowExecution } from './workflow-execution/workflow-execution.ts';

/** Every kind that we define: the pipeline in the order of its work, the catalogue, machines, remediators. */
export const kinds: readonly KindDefinition[] = [
  RemediationRequest,
  SignalProcessing,
  AIAnalysis,
  RemediationApprovalRequest,
  WorkflowExecution,
  EffectivenessAssessment,
  NotificationRequest,
  RemediationWorkflow,
  ActionType,
  MachineHealthCheck,
  Machine,
  MachineSet,
  PowerCycleRemediation,
  PowerCycleRemediationTemplate,
  PipelineRemediation,
  PipelineRemediationTemplate,
];
