import { engine } from '../parts/plan.ts';
import { phaseNames } from '../phases.ts';
import { SKIP_REASONS } from '../parts/skip-reasons.ts';
import { conditions, enumOf, flag, int32, int64, list, object, onceSet, optional, partial, text, time } from '../schema/index.ts';
import { executionPhases } from './phases.ts';

/** Why an execution failed. The last two are read, never written. */
export const FAILURE_REASONS = [
  'OOMKilled',
  'DeadlineExceeded',
  'Forbidden',
  'ResourceExhausted',
  'ConfigurationError',
  'ImagePullBackOff',
  'TaskFailed',
  'Unknown',
  'UnsupportedEngine',
  'Deduplicated',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

const failureDetails = object('How it failed.', {
  reason: enumOf('The failure in one word.', FAILURE_REASONS),
  message: text('The failure as the engine reported it.'),
  naturalLanguageSummary: text('The failure for people, with advice.'),
  failedAt: time('When it failed.'),
  failedTaskName: text('Task that failed.'),
  failedTaskIndex: int32('Which task that was, from 0.', { min: 0 }),
  failedStepName: optional(text('Step of the task that failed.')),
  exitCode: optional(int32('Exit code of the step.')),
  executionTimeBeforeFailure: optional(text('How long it ran before it failed.')),
  wasExecutionFailure: optional(
    flag(
      'Whether the workflow may have changed the target: it had started, and did not report by exit code 3 that a precondition is not met. Then nothing runs on the target until a person clears the block.',
    ),
  ),
  requiresManualReview: optional(flag('Whether a person has to look at the target.')),
});

const skipDetails = object('Why it never ran.', {
  reason: enumOf('The reason in one word.', SKIP_REASONS),
  message: text('The reason in a sentence.'),
  skippedAt: time('When that was decided.'),
  recentRemediation: optional(
    object('The earlier execution that blocks this one.', {
      name: text('Name of that WorkflowExecution.'),
      workflowId: text('Workflow that it ran.'),
      completedAt: time('When it completed.'),
      outcome: text('The phase that it ended in.'),
      targetResource: text('The target that it worked on.'),
      cooldownRemaining: optional(text('How much of the cooldown of the target remains.')),
    }),
  ),
});

const blockClearance = object('Who lifted the block on the target after this execution, and why.', {
  clearedBy: text('Who.', { min: 1 }),
  clearReason: text('Why.', { min: 1 }),
  clearMethod: enumOf('How.', ['Annotation', 'APIEndpoint', 'StatusField']),
  clearedAt: optional(time('When.')),
});

const run = {
  executionEngine: engine(),
  serviceAccountName: text('ServiceAccount that it runs as.', { max: 253 }),
  workflowName: text('Name of the RemediationWorkflow, for columns.', { max: 253 }),
  executionRef: partial('The run itself: Job, PipelineRun or AWX job.', {
    name: text('Name of the run; awx-job-<id> for AWX.', { min: 1, max: 253 }),
    namespace: text('Namespace of the run.', { max: 63 }),
    kind: text('Kind of the run.', { max: 63 }),
    uid: text('UID of the run. Once it is recorded, no other run is ever started.', { max: 128 }),
    requestedAt: time('When the intent to start it was recorded, before the first call to an engine that cannot create suspended runs.'),
    releasedAt: time('When the run, created suspended, was released.'),
  }),
  executionStatus: object('State of the run.', {
    status: text('State in the words of the engine.'),
    reason: optional(text('The state in one word.')),
    message: optional(text('The state in a sentence.')),
    completedTasks: optional(int32('Tasks that have completed.', { min: 0 })),
    totalTasks: optional(int32('Tasks in all.', { min: 0 })),
    retryCount: optional(int32('Pods that were restarted.', { min: 0 })),
  }),
  ephemeralCredentialIDs: list('AWX credentials that were created for the run and are deleted with it.', int64('Id of one of them.'), {
    atomic: true,
  }),
};

/** How far the execution got. */
export const workflowExecutionStatus = partial(
  'Progress of the execution.',
  {
    phase: enumOf('Phase of the execution.', phaseNames(executionPhases)),
    startTime: time('When the run was released.'),
    completionTime: time('When it completed.'),
    duration: text('How long it took.'),
    queuePosition: int32('Position in the queue while the budget is used up.', { min: 1 }),
    ...run,
    failureReason: text('The failure in one word.'),
    failureDetails,
    deduplicatedBy: text('WorkflowExecution that already worked on the target.'),
    consecutiveFailures: int32('Failures before anything ran, in a row, on this target.', { min: 0 }),
    nextAllowedExecution: time('Nothing runs on this target before this time.'),
    skipDetails,
    blockClearance,
    observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
    conditions: conditions([
      'Selected',
      'ExecutionCreated',
      'ExecutionRunning',
      'ExecutionComplete',
      'AuditRecorded',
      'Ready',
      'TokenTTLInsufficient',
    ]),
  },
  { rules: [onceSet('executionRef.uid')] },
);
