import { expect, test } from 'vitest';
import { explain } from '../../controllers/remediation/explain/index.ts';
import { anApproval, aRequest, awaiting, executing } from '../../controllers/remediation/testing/builders.ts';
import { inShort, questionText } from './question.ts';

const approval = anApproval();
const explanation = explain({ request: aRequest(awaiting), approval });

test('a person sees the plan, the reason, the deadline, and how to decide', () =>
  expect(questionText(approval, explanation)).toEqual([
    'Approval requested (RemediationApprovalRequest rar-rr):',
    '  plan       run rollback-deployment:1.0.0 on Deployment shop/checkout',
    '  cause      revision 2 crashes at its start',
    '  confidence 0.90 (high)',
    `  why        ${approval.spec.whyApprovalRequired}`,
    `  until      ${approval.spec.requiredBy}`,
    '  yes        sickbay approve rr -n sickbay-system',
    '  no         sickbay reject rr -n sickbay-system --reason "..."',
  ]));

test('a decided request shows no commands', () => {
  const decided = anApproval({ decision: 'Rejected' });
  const lines = questionText(decided, explain({ request: aRequest(awaiting), approval: decided }));
  expect(lines.join('\n')).not.toContain('sickbay approve');
});

test('a short explanation states what blocks it and the state of the gates', () =>
  expect(inShort(explanation)).toEqual([
    'sickbay explain rr -n sickbay-system   (in short)',
    '  held by    Approval',
    '  next       it continues when an approver approves rar-rr, and becomes Failed if none does in time',
    '  gates      1 of 2 open, Approval closed',
  ]));

test('where nothing holds it up nothing is said to', () => {
  const unheld = explain({ request: aRequest(executing) });
  const open = unheld.gates.filter(({ state }) => state === 'open').length;
  const lines = inShort(unheld);
  expect(open).toBeGreaterThan(10);
  expect(lines.join('\n')).not.toContain('held by');
  expect(lines.at(-1)).toBe(`  gates      ${open} of ${open} open`);
});
