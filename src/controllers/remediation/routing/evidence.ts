import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { TargetState } from '../../../api/remediation-request/suppression.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Read } from '../../../kube/client/read.ts';
import type { Scope } from '../../../scope/index.ts';
import type { ChangedThing } from '../../change-windows/index.ts';
import type { ChangeWindowSettings } from '../../change-window-settings.ts';
import type { RoutingSettings } from '../../settings.ts';
import type { Target } from '../../target/index.ts';

/** Everything that the checks judge. It is read in one pass, so that all checks judge the same moment. */
export interface RoutingEvidence {
  readonly request: RemediationRequest;
  /** Whether the resource of the signal is managed. */
  readonly scope: Scope;
  /** The other requests of the fingerprint, finished ones too. */
  readonly others: Listed<RemediationRequest>;
  /** The target of the signal as it is now, read where an earlier request suppresses only what it judged in another state. */
  readonly target?: TargetState;
  /** The planned workflow and target; absent before the analysis. */
  readonly planned?: PlannedEvidence;
  /** The execution that a request blocked by ResourceBusy waits for. */
  readonly blockingExecution?: Read<WorkflowExecution>;
  readonly routing: RoutingSettings;
  /** When the target may be changed; absent where no change window is configured. */
  readonly changes?: ChangeEvidence;
}

/** What decides whether the target may be changed now. */
export interface ChangeEvidence {
  readonly windows: ChangeWindowSettings;
  /** Of the target, over those of its namespace. */
  readonly labels: ChangedThing['labels'];
  /** The person who has the request run in spite of a freeze, where names are checked. */
  readonly override?: { readonly by: string; readonly reason: string };
  /** The person whose override does not count, because names are not checked or were not when it was given. */
  readonly ignoredOverrideBy?: string;
}

/** Which workflow is planned on which target. */
export interface PlannedWork {
  /** Empty where only the target is recorded. */
  readonly workflowId: string;
  readonly target: Target;
  /** Hash of the target as it is now, made as `preRemediationSpecHash` is; absent where it could not be made. */
  readonly specHash?: string;
}

/** What is known of the resource that is to be changed. */
export interface PlannedEvidence extends PlannedWork {
  /** Whether that resource is managed; it may differ from the one of the signal. */
  readonly scope: Scope;
  /** Executions on it, of all requests, finished ones too. */
  readonly executions: Listed<WorkflowExecution>;
  /** Other requests that had it as the resource to change, whatever their fingerprint. */
  readonly history: Listed<RemediationRequest>;
  /** The assessments of those. */
  readonly assessments: Listed<EffectivenessAssessment>;
}
