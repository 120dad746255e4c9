import { parameters, planDigest, workflowIdentity } from '../parts/plan.ts';
import { SEVERITIES } from '../parts/signal.ts';
import { SKIP_REASONS } from '../parts/skip-reasons.ts';
import { pinnedTarget } from '../parts/target.ts';
import { phaseNames } from '../phases.ts';
import {
  conditions,
  digest,
  duration,
  enumOf,
  flag,
  int32,
  int64,
  list,
  object,
  objectReference,
  onceSet,
  optional,
  partial,
  text,
  texts,
  time,
} from '../schema/index.ts';
import { remediationPhases } from './phases.ts';

export const OUTCOMES = [
  'Remediated',
  'NoActionRequired',
  'ManualReviewRequired',
  'VerificationTimedOut',
  'Inconclusive',
  'DryRun',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const BLOCK_REASONS = [
  'ConsecutiveFailures',
  'DuplicateInProgress',
  'ResourceBusy',
  'RecentlyRemediated',
  'ExponentialBackoff',
  'UnmanagedResource',
  'IneffectiveChain',
  'ChangeFreeze',
] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** What is over before it begins is no limit. */
const limit = (description: string) =>
  duration(description, { rules: [{ rule: "self.matches('[1-9]')", message: 'a limit must be longer than 0' }] });

const progress = {
  overallPhase: enumOf('Phase of the remediation.', phaseNames(remediationPhases)),
  message: text('The state in one sentence, for people.'),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  startTime: time('When work on it began.'),
  completedAt: time('When it completed.'),
  processingStartTime: time('When Processing was last entered.'),
  analyzingStartTime: time('When Analyzing was last entered.'),
  awaitingApprovalStartTime: time('When AwaitingApproval was last entered.'),
  executingStartTime: time('When Executing was last entered.'),
  verifyingStartTime: time('When Verifying was entered.'),
  verificationDeadline: time('Deadline of the verification.'),
  timeoutConfig: partial('Limits of this request; the first reconcile writes the defaults here.', {
    global: limit('Active time from start to end; time in Blocked does not count.'),
    processing: limit('Time for Processing.'),
    analyzing: limit('Time for Analyzing.'),
    awaitingApproval: limit('Time for AwaitingApproval.'),
    executing: limit('Time for Executing.'),
    verifying: limit('Time for Verifying.'),
  }),
  retentionExpiryTime: time('When the finished request is deleted.'),
};

const children = {
  signalProcessingRef: objectReference('Its SignalProcessing.'),
  remediationProcessingRef: objectReference('Former name of signalProcessingRef.'),
  currentProcessingRef: objectReference('The child that is active now.'),
  aiAnalysisRef: objectReference('Its AIAnalysis; the newest one when the plan had to be made again.'),
  approvalRequestRef: objectReference('Its RemediationApprovalRequest; the newest one when the plan had to be made again.'),
  workflowExecutionRef: objectReference('Its WorkflowExecution.'),
  effectivenessAssessmentRef: objectReference('Its EffectivenessAssessment.'),
  executionRef: objectReference('The Job, PipelineRun or AWX job that ran.'),
  notificationRequestRefs: list('NotificationRequests that were created for it.', objectReference('One of them.')),
  notificationStatus: enumOf('Delivery state of its notifications.', ['Pending', 'InProgress', 'Sent', 'Failed', 'Cancelled']),
  approvalNotificationSent: flag('Whether a notification was sent that approval is needed.'),
};

const routing = {
  blockReason: enumOf('The check that blocks it.', BLOCK_REASONS),
  blockMessage: text('What the check found, and what would lift the block.'),
  blockedUntil: time('When a block by time ends; unset for blocks that an event lifts.'),
  blockedStartTime: time('When Blocked was last entered.'),
  blockedSeconds: int64('Time spent in Blocked before the current block, which the global time-out leaves out.', { min: 0 }),
  blockingWorkflowExecution: text('WorkflowExecution that is running on the target.'),
  changeWindow: object('What blocks it where blockReason is ChangeFreeze.', {
    kind: enumOf('A freeze that is in force, or a maintenance window that is not open.', ['ChangeFreeze', 'MaintenanceWindow']),
    name: text('Its name in the configuration.', { min: 1, max: 63 }),
    target: optional(
      object('What it holds back: the planned target, which may differ from that of the signal.', {
        kind: text('Kind of the target.', { min: 1, max: 100 }),
        name: text('Name of the target.', { min: 1, max: 253 }),
        namespace: optional(text('Namespace of the target; absent for what has none.', { max: 63 })),
        apiVersion: optional(text('API group and version of the kind.', { max: 253 })),
      }),
    ),
  }),
  freezeOverride: object('Who had it run in spite of a change freeze; recorded when that first let it pass.', {
    by: text('User who overrode the freeze.', { min: 1, max: 253 }),
    reason: text('Why.', { max: 1024 }),
    at: time('When it first passed a freeze.'),
  }),
  ignoredOverride: digest('Digest of an override of change freezes that was given while names were not checked. It never counts.'),
  duplicateOf: text('Active RemediationRequest of the same fingerprint.'),
  duplicateCount: int32('How many RemediationRequests waited for this one.', { min: 0 }),
  duplicateRefs: texts('Names of the RemediationRequests that waited for this one.'),
  deduplicatedByWE: text('WorkflowExecution whose result counts for this request.'),
  consecutiveFailureCount: int32('Consecutive failures of the fingerprint up to and including this one.', { min: 0 }),
  nextAllowedExecution: time('No new request of the fingerprint proceeds before this time.'),
  suppression: object(
    'Which signals nextAllowedExecution suppresses after nothing had to be done or a person was asked; absent where it suppresses all.',
    {
      signals: list(
        'The alerts that were judged. Another alert, or one of these with a higher severity, is not suppressed.',
        object('One alert.', {
          name: text('Name of the alert.', { min: 1, max: 253 }),
          severity: text('Highest severity of it, in the words of the source.', { min: 1, max: 50 }),
        }),
        { max: 64 },
      ),
      target: optional(
        object('The target as it was: once it is changed or replaced, nothing is suppressed any more.', {
          uid: text('UID of the target.', { min: 1, max: 128 }),
          generation: optional(int64('Generation of its spec.', { min: 0 })),
          specHash: digest('Hash of its spec and its ConfigMaps.'),
        }),
      ),
    },
  ),
  skipReason: enumOf('Why the execution was skipped.', SKIP_REASONS),
  skipMessage: text('Why the execution was skipped, in a sentence.'),
};

const plan = {
  severity: enumOf('Severity, where a signal that joined raised it above the severity in spec.', SEVERITIES),
  priority: enumOf('Priority, where a signal that joined raised the severity.', ['P0', 'P1', 'P2', 'P3']),
  selectedWorkflowRef: object('The workflow that was selected.', {
    ...workflowIdentity,
    executionBundleDigest: optional(text('Digest that pins the content of the bundle.', { max: 128 })),
  }),
  planDigest: planDigest(),
  analysisAttempt: int32(
    'How often the plan was made; it is made again when the target changed before execution, or after a long change freeze.',
    {
      min: 1,
    },
  ),
  analysesAfterFreeze: int32('How many of these plans were made because a change freeze had lasted long.', { min: 0 }),
  confidence: text('Confidence in the plan, as text.'),
  remediationTarget: pinnedTarget('The resource that the analysis blames and the workflow changes.'),
  targetDisplay: text('remediationTarget in one word, for columns.'),
  signalTargetDisplay: text('The target of the signal in one word, for columns.'),
  workflowDisplayName: text('The workflow in one word, for columns.'),
  preRemediationSpecHash: digest('Hash of the target and its ConfigMaps before execution.'),
};

const ending = {
  outcome: enumOf('The outcome.', OUTCOMES),
  requiresManualReview: flag('Whether a person has to review it.'),
  failurePhase: text('Where it failed: Configuration, SignalProcessing, AIAnalysis, Approval, WorkflowExecution, Blocked or Deduplicated.'),
  failureReason: text('Why it failed.'),
  timeoutPhase: enumOf('Phase that timed out.', phaseNames(remediationPhases)),
  timeoutTime: time('When it timed out.'),
  cancellation: object('Who stopped it, and why.', {
    by: text('The user who asked for it.', { min: 1, max: 253 }),
    reason: optional(text('Why.')),
    requestedAt: time('When it was asked for.'),
  }),
  refusal: object('A person rejected or cancelled it: the same plan for the same target is not proposed again for a while.', {
    by: text('The user who rejected or cancelled it.', { min: 1, max: 253 }),
    until: time('Until then its alerts open no new request, unless the spec of the target changes.'),
    specHash: optional(digest('Hash of the target and its ConfigMaps that the refusal is about.')),
  }),
  undo: object('The change of this request that another request rolls back.', {
    requestRef: objectReference('The RemediationRequest that rolls it back; without a UID it does not exist yet.', { nameRequired: true }),
    workflow: text('The workflow that rolls it back.', { min: 1, max: 253 }),
    parameters: parameters(),
    did: text('The change that is rolled back, in words.'),
    specHash: digest('Hash of the target and its ConfigMaps when it was verified; nothing is rolled back from another state.'),
  }),
  alertsCheckedAt: time('After its wait: when Alertmanager reported that none of its alerts fires, so that no other request was opened.'),
  lastModifiedAt: time('When a person last changed timeoutConfig.'),
  lastModifiedBy: text('Who last changed timeoutConfig.'),
};

const signals = {
  deduplication: partial('Signals that this request stands for; written by the gateway.', {
    firstSeenAt: time('When the first one was received.'),
    lastSeenAt: time('When the last one was received.'),
    occurrenceCount: int32('How many came.', { min: 0 }),
    alerts: list(
      'The alerts among them, each with its latest state.',
      object('One alert.', {
        name: text('Name of the alert.', { min: 1, max: 253 }),
        instance: text('Fingerprint of its labels, to tell alerts of one name apart.', { min: 1, max: 64 }),
        severity: optional(text('Its severity, in the words of the source.', { min: 1, max: 50 })),
        lastSeenAt: time('When it was last reported.'),
        resolvedAt: optional(time('When it was reported resolved; absent while it fires.')),
      }),
      { max: 256, keys: ['name', 'instance'] },
    ),
  }),
};

/** How far the remediation got. Written by the orchestrator, `deduplication` by the gateway. */
export const remediationRequestStatus = partial(
  'Progress of the remediation.',
  {
    ...progress,
    ...children,
    ...routing,
    ...plan,
    ...ending,
    ...signals,
    conditions: conditions([
      'Ready',
      'SignalProcessingReady',
      'SignalProcessingComplete',
      'AIAnalysisReady',
      'AIAnalysisComplete',
      'WorkflowExecutionReady',
      'WorkflowExecutionComplete',
      'NotificationDelivered',
      'PreRemediationHashCaptured',
      'EffectivenessAssessed',
      'Verified',
    ]),
  },
  { rules: [onceSet('preRemediationSpecHash')] },
);
