import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, SECOND } from '../../base/index.ts';
import { decideApproval, decidedText, explainRequest } from '../../actions/index.ts';
import type { Stage } from './act.ts';
import { inShort, questionText } from './question.ts';

/** Time for the spectator to read. */
const READING_MS = 2 * SECOND;

/** Shows the approval request as an approver sees it, and approves it over the API as that person. */
export async function answer(
  { person, clock, steady, settings, print, narrate, approvalReason, signal }: Stage,
  { metadata, status }: RemediationRequest,
): Promise<void> {
  const { namespace } = settings;
  const question = await person.get(RemediationApprovalRequest, { namespace, name: status?.approvalRequestRef?.name ?? '' });
  const explanation = await explainRequest({ client: person, clock, settings, name: metadata.name });
  print('');
  for (const line of questionText(question, explanation)) print(line);
  print('');
  for (const line of inShort(explanation)) print(line);
  print('');
  await steady.waitUntil(after(steady.now(), READING_MS), signal);
  const decided = await decideApproval(person, clock, {
    namespace,
    name: metadata.name,
    decision: 'Approved',
    reason: approvalReason,
  });
  narrate(decidedText(decided, 'text'));
}
