import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { assertNever, clip } from '../../../base/index.ts';
import type { EventNote } from '../../../kube/objects/events.ts';

type Status = NonNullable<RemediationApprovalRequest['status']>;

const LONGEST_MESSAGE = 1_000;

/** What people are told when a decision is made. */
export function approvalNotesOf(before: RemediationApprovalRequest | undefined, after: RemediationApprovalRequest): readonly EventNote[] {
  const { metadata, status = {} } = after;
  if (!status.decision || before?.status?.decision) return [];
  return notesOf(metadata.name, status).map((note) => ({ ...note, message: clip(note.message, LONGEST_MESSAGE) }));
}

function notesOf(name: string, status: Status): readonly EventNote[] {
  const { decision, decidedBy = 'somebody', decisionMessage, workflowOverride } = status;
  const remark = decisionMessage ? `: ${decisionMessage}` : '';
  switch (decision) {
    case undefined:
    case '':
      return [];
    case 'Approved': {
      const granted: EventNote = { type: 'Normal', reason: 'ApprovalGranted', message: `${decidedBy} approved ${name}${remark}` };
      return workflowOverride ? [granted, overrideNote(decidedBy, workflowOverride)] : [granted];
    }
    case 'Rejected':
      return [{ type: 'Warning', reason: 'ApprovalRejected', message: `${decidedBy} rejected ${name}${remark}; nothing is run` }];
    case 'Expired':
      return [
        {
          type: 'Warning',
          reason: 'ApprovalExpired',
          message: `nobody decided on ${name} in time; nothing is run. If the alert still fires, a new request will ask again`,
        },
      ];
    default:
      return assertNever(decision);
  }
}

/** Names of parameters only: their values are not for every reader of Events. */
function overrideNote(by: string, { workflowName, parameters, rationale }: NonNullable<Status['workflowOverride']>): EventNote {
  const changed = [
    ...(workflowName ? [`workflow ${workflowName}`] : []),
    ...(parameters ? [`parameters ${Object.keys(parameters).toSorted().join(', ')}`] : []),
  ];
  const what = changed.join(' and ') || 'nothing';
  return {
    type: 'Normal',
    reason: 'OperatorOverride',
    message: `${by} chose ${what} instead of the proposal${rationale ? `: ${rationale}` : ''}`,
  };
}
