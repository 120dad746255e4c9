import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../api/machine/machine.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Store } from '../../kube/cache/cache.ts';
import type { AuditLog, SignalJournal, TrailState } from '../../store/index.ts';
import type { Callers } from '../access/caller.ts';
import type { HealthChecks } from '../health.ts';
import type { PeopleActions } from './people-actions.ts';

/** The caches that the API reads. Machines are absent where Sickbay does not handle them. */
export interface ApiStores {
  readonly requests: Store<RemediationRequest>;
  readonly processings: Store<SignalProcessing>;
  readonly analyses: Store<AIAnalysis>;
  readonly approvals: Store<RemediationApprovalRequest>;
  readonly executions: Store<WorkflowExecution>;
  readonly assessments: Store<EffectivenessAssessment>;
  readonly notifications: Store<NotificationRequest>;
  readonly workflows: Store<RemediationWorkflow>;
  readonly machines?: Store<Machine>;
  readonly checks?: Store<MachineHealthCheck>;
}

/** What the API is made of. */
export interface ApiParts {
  readonly stores: ApiStores;
  readonly actions: PeopleActions;
  readonly callers: Callers;
  readonly health: HealthChecks;
  /** Of Sickbay's objects. */
  readonly namespace: string;
  /** Where workflows run. */
  readonly executionNamespace: string;
  readonly audit: AuditLog;
  /** What is known of its proof. */
  readonly auditState: () => TrailState;
  readonly journal: SignalJournal;
  readonly version: string;
  readonly clock: Clock;
  /** A monotonic clock, for delays. */
  readonly steady: Clock;
  readonly log: Logger;
}
