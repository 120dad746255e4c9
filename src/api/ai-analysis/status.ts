import {
  alternativesConsidered,
  confidenceLevel,
  parameters,
  policyEvaluation,
  workflowIdentity,
  workflowSnapshot,
} from '../parts/plan.ts';
import { severity } from '../parts/signal.ts';
import { pinnedTarget } from '../parts/target.ts';
import { phaseNames } from '../phases.ts';
import {
  conditions,
  enumOf,
  flag,
  fraction,
  frozenSince,
  int32,
  int64,
  list,
  object,
  optional,
  partial,
  text,
  texts,
  time,
} from '../schema/index.ts';
import { detectedLabels } from './detected-labels.ts';
import { analysisPhases } from './phases.ts';

export const ANALYSIS_REASONS = [
  'AnalysisCompleted',
  'WorkflowResolutionFailed',
  'WorkflowNotNeeded',
  'NoWorkflowSelected',
  'RegoEvaluationError',
  'TransientError',
  'APIError',
  'InteractiveCancelled',
  'ParentCancelled',
] as const;

const ANALYSIS_SUB_REASONS = [
  'WorkflowNotFound',
  'ImageMismatch',
  'ParameterValidationFailed',
  'NoMatchingWorkflows',
  'LowConfidence',
  'LLMParsingError',
  'ValidationError',
  'TransientError',
  'PermanentError',
  'InvestigationInconclusive',
  'ProblemResolved',
  'NotActionable',
  'MaxRetriesExceeded',
  'SessionRegenerationExceeded',
  'RcaIncomplete',
  'InvestigationFailed',
  'OperatorEscalation',
  'DecisionExpired',
] as const;

const HUMAN_REVIEW_REASONS = [
  'workflow_not_found',
  'image_mismatch',
  'parameter_validation_failed',
  'no_matching_workflows',
  'low_confidence',
  'llm_parsing_error',
  'investigation_inconclusive',
  'rca_incomplete',
  'alignment_check_failed',
  'operator_escalation',
  'decision_expired',
] as const;

const progress = {
  phase: enumOf('Phase of the work.', phaseNames(analysisPhases)),
  message: optional(text('The state in one sentence, for people.')),
  reason: optional(enumOf('Why the analysis has this result.', ANALYSIS_REASONS)),
  subReason: optional(enumOf('The reason in more detail.', ANALYSIS_SUB_REASONS)),
  startedAt: optional(time('When the work began.')),
  completedAt: optional(time('When the work completed.')),
  observedGeneration: optional(int64('Generation of the spec that was last observed.', { min: 0 })),
};

const cause = {
  rootCause: optional(text('The cause in one sentence.')),
  rootCauseAnalysis: optional(
    object('The cause in detail.', {
      summary: text('What went wrong.'),
      signalType: text('What kind of fault it is.'),
      severity: optional(severity('How bad the fault is.')),
      contributingFactors: optional(texts('What contributed to it.')),
      remediationTarget: optional(pinnedTarget('The resource that has to change, as it was when it was analysed.')),
    }),
  ),
  actionability: optional(enumOf('Whether anything can be done about it.', ['Actionable', 'NotActionable'])),
};

const choice = {
  selectedWorkflow: optional(
    object('The selected workflow.', {
      ...workflowIdentity,
      ...workflowSnapshot,
      confidence: fraction('How sure the choice is.'),
      rationale: text('Why this one.'),
      parameters: optional(parameters()),
      selectedAt: optional(time('When the choice became final.')),
    }),
  ),
  alternativeWorkflows: optional(
    list(
      'Workflows that were considered as well.',
      object('One of them.', {
        workflowId: text('Id of the workflow in the catalogue.'),
        confidence: fraction('How sure this choice would have been.'),
        rationale: text('Why it was considered.'),
        executionBundle: optional(text('Image or bundle that it would run.')),
      }),
    ),
  ),
};

const review = {
  needsHumanReview: flag('Whether a person has to review it before anything is done.'),
  humanReviewReason: optional(enumOf('Why a person has to review it.', HUMAN_REVIEW_REASONS)),
  approvalRequired: flag('Whether the policy requires that a person approves the plan.'),
  approvalReason: optional(text('Why the policy requires that.')),
  approvalContext: optional(
    object('What the person who approves should know.', {
      reason: text('Why approval is requested.'),
      confidenceScore: fraction('How sure the plan is.'),
      confidenceLevel: confidenceLevel(),
      investigationSummary: text('What was found.'),
      whyApprovalRequired: text('Why the plan does not run without approval.'),
      recommendedActions: list(
        'What is proposed.',
        object('One proposal.', { workflowId: text('Id of the workflow in the catalogue.'), rationale: text('Why this one.') }),
      ),
      alternativesConsidered: optional(alternativesConsidered()),
      evidenceCollected: optional(texts('The evidence behind the finding.')),
      policyEvaluation: optional(policyEvaluation()),
    }),
  ),
  alignmentVerdict: optional(
    object('Whether the investigation was led astray.', {
      result: text('The verdict.'),
      circuitBreakerActivated: flag('Whether the investigation was stopped for it.'),
      flagged: int32('Steps that looked wrong.', { min: 0 }),
      total: int32('Steps that were checked.', { min: 0 }),
      summary: optional(text('The verdict in a sentence.')),
      findings: optional(
        list(
          'What looked wrong.',
          object('One step.', {
            stepIndex: int32('Which step.', { min: 0 }),
            stepKind: text('What kind of step.'),
            tool: optional(text('Tool that was used.')),
            explanation: text('What is wrong with it.'),
          }),
        ),
      ),
    }),
  ),
};

const investigation = {
  postRCAContext: optional(
    partial('What was determined about the target after the cause was known.', {
      setAt: time('When it became final.'),
      detectedLabels: detectedLabels(),
    }),
  ),
  investigationSession: optional(
    object('The conversation with the analyst.', {
      id: optional(text('Id of the session.')),
      generation: int32('How often a session was started.', { min: 0 }),
      createdAt: optional(time('When it was started.')),
      lastPolled: optional(time('When it was last polled.')),
      pollCount: optional(int32('How often it was polled.', { min: 0 })),
      consecutiveGetResultErrors: optional(int32('Answers in a row that could not be read.', { min: 0 })),
      backoffUntil: optional(time('When it may be polled again.')),
      interactive: optional(flag('Whether a person leads it.')),
    }),
  ),
  investigationId: optional(text('Id of the investigation at the analyst.')),
  investigationTime: optional(int64('Seconds that the investigation took.', { min: 0 })),
  totalAnalysisTime: optional(int64('Seconds from start to end.', { min: 0 })),
  warnings: optional(texts('Warnings of the analyst.')),
  degradedMode: optional(flag('Whether part of the evidence or the policy was missing.')),
  consecutiveFailures: optional(int32('Attempts that failed in a row.', { min: 0 })),
  validationAttemptsHistory: optional(
    list(
      'How often the answer had to be corrected.',
      object('One attempt.', {
        attempt: int32('Which attempt.', { min: 1, max: 3 }),
        workflowId: text('Workflow that was proposed.'),
        isValid: flag('Whether it passed.'),
        errors: optional(texts('What was wrong with it.')),
        timestamp: time('When it was checked.'),
      }),
    ),
  ),
};

/** What came of the analysis. */
export const aiAnalysisStatus = object(
  'Result of the analysis.',
  {
    ...progress,
    ...cause,
    ...choice,
    ...review,
    ...investigation,
    conditions: optional(conditions(['InvestigationComplete', 'AnalysisComplete', 'WorkflowResolved', 'ApprovalRequired', 'Ready'])),
  },
  { rules: [frozenSince('postRCAContext', 'setAt'), frozenSince('selectedWorkflow', 'selectedAt')] },
);
