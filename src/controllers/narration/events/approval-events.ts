import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { assertNever } from '../../../base/index.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { normalNote, warningNote } from '../../kubernetes-events.ts';

type Status = NonNullable<RemediationApprovalRequest['status']>;

/** The Events of a decision about a plan. */
export function approvalNotesOf(before: RemediationApprovalRequest | undefined, after: RemediationApprovalRequest): readonly EventNote[] {
  const { metadata, status = {} } = after;
  if (!status.decision || before?.status?.decision) return [];
  return decisionNotes(metadata.name, status);
}

function decisionNotes(name: string, status: Status): readonly EventNote[] {
  const { decision, decidedBy = 'an unnamed user', decisionMessage, workflowOverride } = status;
  const remark = decisionMessage ? `: ${decisionMessage}` : '';
  switch (decision) {
    case undefined:
    case '':
      return [];
    case 'Approved': {
      const granted = normalNote('ApprovalGranted', `${decidedBy} approved ${name}${remark}`);
      return workflowOverride ? [granted, overrideNote(decidedBy, workflowOverride)] : [granted];
    }
    case 'Rejected':
      return [warningNote('ApprovalRejected', `${decidedBy} rejected ${name}${remark}; nothing is run`)];
    case 'Expired':
      if (decisionMessage) return [normalNote('ApprovalExpired', `${name} was closed without a decision: ${decisionMessage}`)];
      return [
        warningNote(
          'ApprovalExpired',
          `${name} expired without a decision; nothing is run. If the alert still fires, a new remediation requests approval again`,
        ),
      ];
    default:
      return assertNever(decision);
  }
}

/** Names of parameters only: not everyone who may read Events may read their values. */
function overrideNote(by: string, { workflowName, parameters, rationale }: NonNullable<Status['workflowOverride']>): EventNote {
  const changed = [
    ...(workflowName ? [`workflow ${workflowName}`] : []),
    ...(parameters ? [`parameters ${Object.keys(parameters).toSorted().join(', ')}`] : []),
  ];
  const what = changed.join(' and ') || 'nothing';
  return normalNote('OperatorOverride', `${by} chose ${what} instead of the proposal${rationale ? `: ${rationale}` : ''}`);
}
