import { enumOf, fraction, list, object, optional, text, textMap, texts, time, type Shape } from '../../api/schema/index.ts';
import { named, pageOf, pageQuery, resourceRef } from './parts.ts';

const APPROVAL_STATES = ['Pending', 'Approved', 'Rejected', 'Expired', 'Closed'] as const;

/** A plan that waits for a decision, or the decision about it. */
export const approvalSchema = named(
  'Approval',
  object('A plan that needs a decision.', {
    name: text('Name of the RemediationApprovalRequest.'),
    uid: text('Its UID.'),
    version: text('Changes whenever it changes.'),
    remediation: text('The remediation that waits for it.'),
    state: enumOf('The decision. `Closed`: it is no longer needed.', APPROVAL_STATES),
    message: optional(text('The state in a sentence.')),
    createdAt: time('When the decision was requested.'),
    requiredBy: time('When it expires undecided.'),
    signal: optional(text('The alert.')),
    severity: optional(text('Its severity.')),
    target: optional({ ...resourceRef, description: 'The resource that would be changed.' }),
    workflow: text('The workflow that would run.'),
    workflowVersion: text('Version of the workflow.'),
    parameters: textMap('Its parameters.'),
    planDigest: optional(text('Digest of the plan; give it back with the decision.')),
    diff: optional(text('The change as a server-side dry run reports it, as a unified diff.')),
    rationale: text('Why this workflow.'),
    confidence: fraction('How sure the plan is.'),
    confidenceLevel: enumOf('The confidence in words.', ['low', 'medium', 'high']),
    finding: text('What was found.'),
    why: text('Why it does not run without approval.'),
    evidence: texts('What the finding rests on.'),
    actions: list('What is proposed.', object('One proposal.', { what: text('What would be done.'), why: text('Why.') })),
    alternatives: list(
      'What was considered as well.',
      object('One alternative.', { what: text('What would be done.'), why: text('What speaks for and against it.') }),
    ),
    policy: optional(
      object('The policy that requires approval.', {
        name: text('Its name.'),
        rules: texts('Rules that matched.'),
        decision: text('Its decision.'),
      }),
    ),
    decision: optional(
      object('Who decided.', {
        by: text('The user.'),
        at: optional(time('When.')),
        via: optional(text('The account that forwarded it, when it was made in a chat.')),
        comment: optional(text('Comment of the approver.')),
        override: optional(
          object('What runs instead.', {
            workflow: optional(text('Another workflow.')),
            parameters: optional(textMap('Other parameters.')),
            rationale: optional(text('Why.')),
          }),
        ),
      }),
    ),
  }),
);
export type Approval = Shape<typeof approvalSchema>;

export const approvalList = pageOf('ApprovalList', approvalSchema);

export const approvalQuery = object('Filters of the list.', {
  ...pageQuery,
  state: optional(enumOf('The decision; `all` for every state.', ['all', ...APPROVAL_STATES], { default: 'Pending' })),
  remediation: optional(text('Those of one remediation.', { max: 253 })),
});

export const decisionBody = object('The decision of a person.', {
  decision: enumOf('The decision.', ['Approved', 'Rejected']),
  reason: optional(text('Comment; it is recorded.', { max: 1024 })),
  planDigest: optional(text('Digest of the plan that was shown: where the plan has another one, nothing is decided.', { max: 128 })),
  workflow: optional(text('Another workflow to run instead.', { min: 1, max: 253 })),
  parameters: optional(textMap('Other parameters to run it with.', { max: 64, maxLength: 4096 })),
});
export type DecisionBody = Shape<typeof decisionBody>;

export const recordedDecision = named(
  'RecordedDecision',
  object('The decision as it was recorded.', {
    name: text('Name of the RemediationApprovalRequest.'),
    decision: enumOf('The decision.', ['Approved', 'Rejected']),
    by: text('The user.'),
    plan: text('Which workflow runs on which target.'),
  }),
);
export type RecordedDecision = Shape<typeof recordedDecision>;
