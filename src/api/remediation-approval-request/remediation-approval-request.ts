import { AGE, defineKind, readyReason } from '../define-kind.ts';
import { PIPELINE } from '../parts/group.ts';
import { alternativesConsidered, confidenceLevel, parameters, planDigest, policyEvaluation, workflowIdentity } from '../parts/plan.ts';
import { clusterID } from '../parts/signal.ts';
import { pinnedTarget } from '../parts/target.ts';
import { phaseNames } from '../phases.ts';
import type { ObjectOf } from '../resource.ts';
import {
  conditions,
  enumOf,
  flag,
  fraction,
  immutable,
  int64,
  list,
  localReference,
  object,
  objectReference,
  onceSet,
  optional,
  partial,
  text,
  texts,
  time,
} from '../schema/index.ts';
import { approvalPhases } from './phases.ts';
import { remediationApprovalRequestSample } from './sample.ts';

export const remediationApprovalRequestSpec = object(
  'The plan that needs a decision; immutable.',
  {
    remediationRequestRef: objectReference('The RemediationRequest that waits for the decision.', { nameRequired: true }),
    aiAnalysisRef: localReference('The AIAnalysis that made the plan.'),
    confidence: fraction('How sure the plan is.'),
    confidenceLevel: confidenceLevel(),
    reason: text('Why a decision is requested.', { min: 1 }),
    recommendedWorkflow: object('The workflow that would run.', { ...workflowIdentity, rationale: text('Why this one.') }),
    parameters: optional(parameters()),
    remediationTarget: optional(pinnedTarget('The resource that would be changed, as it was when it was analysed.')),
    planDigest: optional(planDigest()),
    investigationSummary: text('What was found.', { min: 1 }),
    evidenceCollected: optional(texts('The evidence behind the finding.')),
    recommendedActions: list(
      'What is proposed.',
      object('One proposal.', { action: text('What would be done.'), rationale: text('Why.') }),
      { min: 1 },
    ),
    alternativesConsidered: optional(alternativesConsidered()),
    whyApprovalRequired: text('Why the plan does not run without approval.', { min: 1 }),
    policyEvaluation: optional(policyEvaluation()),
    requiredBy: time('When the request expires undecided.'),
    clusterID: optional(clusterID()),
  },
  { rules: [immutable('spec')] },
);

export const remediationApprovalRequestStatus = partial(
  'The decision.',
  {
    decision: enumOf('The decision; empty while it is pending.', phaseNames(approvalPhases)),
    decidedBy: text('Who decided.'),
    decidedAt: time('When it was decided.'),
    decidedVia: text('Account that forwarded the decision, when it was made in a chat.'),
    decisionMessage: text('Comment of the approver.'),
    workflowOverride: partial('What should run instead of the proposal.', {
      workflowName: text('Name of another RemediationWorkflow.', { max: 253 }),
      parameters: parameters(),
      rationale: text('Why.'),
    }),
    createdAt: time('When the decision was requested.'),
    timeRemaining: text('Time left to decide, for people.'),
    expired: flag('Whether the request expired.'),
    reason: text('The state in one word.'),
    message: text('The state in a sentence.'),
    observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
    conditions: conditions(['ApprovalPending', 'ApprovalDecided', 'ApprovalExpired', 'AuditRecorded', 'Ready']),
  },
  {
    rules: [
      onceSet('decision'),
      onceSet('decidedBy'),
      {
        rule: "!has(self.workflowOverride) || (has(self.decision) && self.decision == 'Approved')",
        message: 'workflowOverride needs the decision Approved',
        fieldPath: '.workflowOverride',
      },
    ],
  },
);

/** Where a person says yes or no. */
export const RemediationApprovalRequest = defineKind({
  ...PIPELINE,
  kind: 'RemediationApprovalRequest',
  plural: 'remediationapprovalrequests',
  shortNames: ['rar', 'rars'],
  description: 'Asks a person to approve one exact plan before it runs. It is decided once, by a write to its status.',
  spec: remediationApprovalRequestSpec,
  status: remediationApprovalRequestStatus,
  phases: approvalPhases,
  selectableFields: ['spec.remediationRequestRef.name', 'spec.aiAnalysisRef.name'],
  columns: [
    { name: 'Workflow', type: 'string', path: '.spec.recommendedWorkflow.workflowId' },
    { name: 'Target NS', type: 'string', path: '.spec.remediationTarget.namespace' },
    { name: 'Target Kind', type: 'string', path: '.spec.remediationTarget.kind' },
    { name: 'Target', type: 'string', path: '.spec.remediationTarget.name' },
    { name: 'Confidence', type: 'number', path: '.spec.confidence' },
    { name: 'Decision', type: 'string', path: '.status.decision' },
    { name: 'RequiredBy', type: 'string', path: '.spec.requiredBy' },
    AGE,
    { name: 'Why', type: 'string', path: '.spec.whyApprovalRequired', priority: 1 },
    { name: 'AIAnalysis', type: 'string', path: '.spec.aiAnalysisRef.name', priority: 1 },
    { name: 'Expired', type: 'boolean', path: '.status.expired', priority: 1 },
    readyReason(),
  ],
  sample: remediationApprovalRequestSample,
});
export type RemediationApprovalRequest = ObjectOf<typeof RemediationApprovalRequest>;
