import { RemediationApprovalRequest } from '../remediation-approval-request/remediation-approval-request.ts';
import { celText, DRIVES, policy, WHO, type Policy } from './policy.ts';

const DECISION = ['decision', 'decidedBy', 'decidedAt', 'decidedVia', 'decisionMessage', 'workflowOverride'] as const;

/** Decisions carry the name of who makes them and the moment, and stand. Accounts in `delegates` may pass on what others decided. */
export const approvalPolicy = (delegates: readonly string[]): Policy =>
  policy({
    name: 'sickbay-approvals',
    kinds: [RemediationApprovalRequest],
    subresource: 'status',
    operations: ['UPDATE'],
    variables: {
      before: 'oldObject.?status.orValue({})',
      after: 'object.?status.orValue({})',
      wasDecided: "variables.before.?decision.orValue('') != ''",
      isDecided: "variables.after.?decision.orValue('') != ''",
      decides: '!variables.wasDecided && variables.isDecided',
      expires: "variables.after.?decision.orValue('') == 'Expired'",
      // Sickbay closes a request early, with the reason, when its remediation ends.
      closes: "variables.expires && variables.after.?decisionMessage.orValue('') != ''",
      wasClosed: "variables.before.?decision.orValue('') == 'Expired' && variables.before.?decisionMessage.orValue('') != ''",
      by: "variables.after.?decidedBy.orValue('')",
      via: "variables.after.?decidedVia.orValue('')",
      passesOn: `${WHO} in [${delegates.map(celText).join(', ')}] && variables.by != '' && variables.by != ${WHO} && variables.via == ${WHO}`,
      hasTime: 'has(variables.after.decidedAt)',
      isLate: 'variables.hasTime && timestamp(variables.after.decidedAt) >= timestamp(object.spec.requiredBy)',
      // No clock can be asked here. What is far from the question is no honest moment.
      isEarly: "variables.hasTime && timestamp(variables.after.decidedAt) < timestamp(object.metadata.creationTimestamp) - duration('5m')",
      drives: DRIVES,
    },
    rules: [
      {
        holds: `!variables.wasDecided || (${DECISION.map((field) => `variables.before.?${field} == variables.after.?${field}`).join(' && ')})`,
        otherwise: `variables.wasClosed ? 'it was closed, because ' + variables.before.decisionMessage + ': it can no longer be decided' : 'it was already decided by ' + variables.before.?decidedBy.orValue('an unknown user') + ', and a decision is final'`,
      },
      {
        holds:
          'variables.isDecided || !(has(variables.after.decidedBy) || has(variables.after.decidedAt) || has(variables.after.decidedVia))',
        otherwise: `'status.decidedBy, decidedAt and decidedVia are set together with status.decision, by the user who decides'`,
      },
      {
        holds: `!variables.decides || variables.passesOn || (variables.by == ${WHO} && variables.via == '')`,
        otherwise: `'status.decidedBy must be ' + ${WHO} + ', the user who makes the request, and status.decidedVia left out'`,
      },
      {
        holds: '!variables.decides || (variables.hasTime && !variables.isEarly)',
        otherwise: `'status.decidedAt must be the time of the decision'`,
      },
      {
        holds: '!variables.decides || variables.expires || !variables.isLate',
        otherwise: `'the approval request expired at ' + string(object.spec.requiredBy) + ': it can no longer be decided'`,
      },
      {
        holds: '!variables.decides || !variables.expires || ((variables.isLate || variables.closes) && variables.drives)',
        otherwise: `'only Sickbay itself expires an approval request, once spec.requiredBy has passed or the remediation has ended: decide Approved or Rejected'`,
      },
    ],
  });
