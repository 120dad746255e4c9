import { changedOrRemoved, changedSpec, type Violation } from '../violation.ts';

const noOverride = { '/status/workflowOverride': undefined };

export const remediationApprovalRequestViolations: readonly Violation[] = [
  changedSpec({ '/spec/recommendedWorkflow/version': '9.9.9' }),
  ...changedOrRemoved('decision is immutable once it is set', {
    field: 'status.decision',
    pointer: '/status/decision',
    value: 'Rejected',
  }).map((violation) => ({
    ...violation,
    from: noOverride,
  })),
  ...changedOrRemoved('decidedBy is immutable once it is set', {
    field: 'status.decidedBy',
    pointer: '/status/decidedBy',
    value: 'mallory@example.com',
  }),
  { rule: 'workflowOverride needs the decision Approved', field: 'status.workflowOverride', to: { '/status/decision': 'Rejected' } },
  { rule: 'workflowOverride needs the decision Approved', field: 'status.workflowOverride', to: { '/status/decision': undefined } },
];
