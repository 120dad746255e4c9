import { AIAnalysis } from '../ai-analysis/ai-analysis.ts';
import { ConfigMap, Event, Lease } from '../builtin/index.ts';
import { EffectivenessAssessment } from '../effectiveness-assessment/effectiveness-assessment.ts';
import { kinds } from '../kinds.ts';
import { NotificationRequest } from '../notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../resource.ts';
import { SignalProcessing } from '../signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../workflow-execution/workflow-execution.ts';
import { DRIVING } from './drive-right.ts';
import { ACCOUNT, allow, roleIn, type Grant, type Places } from './grant.ts';

const CHILDREN: readonly Resource[] = [
  SignalProcessing,
  AIAnalysis,
  RemediationApprovalRequest,
  WorkflowExecution,
  EffectivenessAssessment,
  NotificationRequest,
];
const STAGES: readonly Resource[] = [RemediationRequest, ...CHILDREN];

/** Kinds that are only asked for at the start, whether the cluster serves them. */
const PROBED = kinds.filter((kind) => ![...STAGES, RemediationWorkflow].includes(kind));

/** What it may do in its own namespace. */
export const systemRights = (places: Places): readonly Grant[] =>
  roleIn(
    places.namespace,
    ACCOUNT,
    [
      ...allow(['get', 'list', 'watch', 'create'], STAGES),
      ...allow(['patch'], STAGES, { subresource: 'status' }),
      // By this the policies know who writes down alerts, plans and results.
      ...allow([DRIVING.verb], [RemediationRequest]),
      // What has been kept long enough, and an execution of another plan than the one that counts.
      ...allow(['delete'], [RemediationRequest, WorkflowExecution]),
      // Its finalizers.
      ...allow(['patch'], [WorkflowExecution]),
      // Children keep their request from being deleted before them, which some servers let only those ask for who may do this.
      ...allow(['update'], [RemediationRequest], { subresource: 'finalizers' }),
      ...allow(['list', 'watch'], [RemediationWorkflow]),
      ...allow(['list'], PROBED),
      // The budget's ledger.
      ...allow(['get', 'list', 'watch', 'create', 'patch'], [ConfigMap]),
      // Who leads.
      ...allow(['get', 'create', 'update'], [Lease]),
      ...allow(['get', 'create', 'patch'], [Event]),
    ],
    places,
  );
