import { describe, expect, test } from 'vitest';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { approvalNotesOf } from './approval-events.ts';
import { anApproval, at } from '../testing/builders.ts';

type Status = NonNullable<RemediationApprovalRequest['status']>;

const told = (status: Status): readonly string[] =>
  approvalNotesOf(anApproval(undefined), anApproval(status)).map(({ type, reason, message }) => `${type} ${reason} ${message}`);

describe('what people are told of a decision', () => {
  test.for<{ status: Status; want: readonly string[] }>([
    {
      status: { decision: 'Approved', decidedBy: 'alex', decisionMessage: 'go ahead' },
      want: ['Normal ApprovalGranted alex approved rar-rr-checkout: go ahead'],
    },
    {
      status: { decision: 'Rejected', decidedBy: 'alex' },
      want: ['Warning ApprovalRejected alex rejected rar-rr-checkout; nothing is run'],
    },
    {
      status: { decision: 'Expired', decidedBy: 'system', expired: true },
      want: [
        'Warning ApprovalExpired rar-rr-checkout expired without a decision; nothing is run. If the alert still fires, a new remediation requests approval again',
      ],
    },
    {
      status: {
        decision: 'Approved',
        decidedBy: 'alex',
        workflowOverride: { workflowName: 'restart', parameters: { A: 's3cret' }, rationale: 'safer' },
      },
      want: [
        'Normal ApprovalGranted alex approved rar-rr-checkout',
        'Normal OperatorOverride alex chose workflow restart and parameters A instead of the proposal: safer',
      ],
    },
    { status: { decision: '' }, want: [] },
    { status: {}, want: [] },
  ])('$want', ({ status, want }) => {
    expect(told(status)).toEqual(want);
  });

  test('it is told once', () => {
    const decided = anApproval({ decision: 'Approved', decidedAt: at('10:05') });
    expect(approvalNotesOf(decided, { ...decided, metadata: { ...decided.metadata, resourceVersion: '9' } })).toEqual([]);
    expect(approvalNotesOf(undefined, decided)).toHaveLength(1);
  });
});
