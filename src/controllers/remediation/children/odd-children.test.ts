import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { ObjectMeta } from '../../../api/meta.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { whatWasDone } from '../verification/enter-verifying.ts';
import { onlyRequest } from '../observe.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  anApproval,
  anAssessment,
  anExecution,
  aNotification,
  aRequest,
  awaiting,
  executing,
  NOW,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';

/** Of an earlier request of the same name. */
const LEFT_OVER: Partial<ObjectMeta> = {
  uid: 'old-child',
  ownerReferences: [{ apiVersion: 'kubernaut.ai/v1alpha1', kind: 'RemediationRequest', name: 'rr', uid: 'old-rr', controller: true }],
};
const done = value(anExecution({ phase: 'Completed', completionTime: ago(0) }));
const { status: _, ...untouched } = anExecution();
const orders = { ...TARGET, name: 'orders' };

const runs: readonly DecisionCase[] = [
  {
    name: 'a run without a status when the time limit passes',
    reason: 'it cannot have acted, so no manual review is required',
    seen: { execution: value(untouched) },
    atMs: 30 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Executing', nextAllowedExecution: ago(-31 * MINUTE) },
    says: 'we-rr was still new: check Deployment shop/checkout before anything else is tried',
  },
  {
    name: 'a run without a status',
    reason: 'it is awaited',
    seen: { execution: value(untouched) },
    want: { overallPhase: 'Executing' },
  },
  {
    name: 'a run on another target than that of the signal',
    reason: 'people are sent to what was changed',
    status: { ...executing, remediationTarget: orders },
    seen: { execution: value(anExecution({ phase: 'Running' })) },
    atMs: 30 * MINUTE,
    want: { overallPhase: 'TimedOut', requiresManualReview: true },
    says: 'check Deployment shop/orders',
  },
  {
    name: 'an assessment that is left over',
    reason: 'the garbage collector is about to take it away',
    seen: { execution: done, assessment: value(anAssessment({}, LEFT_OVER)), target: value(aDeployment()) },
    atMs: 30 * MINUTE - SECOND,
    want: { overallPhase: 'Executing' },
  },
  {
    name: 'an assessment that is left over for too long',
    reason: 'something was run: only verification may say what is not known',
    seen: { execution: done, assessment: value(anAssessment({}, LEFT_OVER)), target: value(aDeployment()) },
    atMs: 30 * MINUTE,
    want: { overallPhase: 'Verifying' },
  },
  {
    name: 'an assessment that cannot be read for long',
    reason: 'not known is not absent, however late it is',
    seen: { execution: done, assessment: UNREADABLE, target: value(aDeployment()) },
    atMs: 2 * HOUR,
    want: { overallPhase: 'Executing' },
  },
];

const { approvalRequestRef: __, ...notRecorded } = awaiting;
const question = {
  analysis: value(anAnalysis({ approvalRequired: true })),
  messages: { 'nr-approval-rr': value(aNotification('nr-approval-rr')) },
};
const unanswerable = {
  overallPhase: 'Failed',
  failurePhase: 'Approval',
  message: 'the RemediationApprovalRequest was deleted before an approver decided: nothing was run',
} as const;

const questions: readonly DecisionCase[] = [
  ...[
    ['nothing', ABSENT] as const,
    ['one that is left over', value(anApproval({}, LEFT_OVER))] as const,
    ['a foreign one', value(anApproval({}, SOMEBODY_ELSES))] as const,
  ].map(([name, approval]) => ({
    name: `asked, and ${name} in place of the question`,
    reason: 'nothing is run for an approval that was never recorded',
    status: notRecorded,
    seen: { ...question, approval },
    want: unanswerable,
  })),
  {
    name: 'asked, and the analysis deleted',
    reason: 'it is unknown which plan the approval was for; its request is closed, so that no decision on it is accepted',
    status: awaiting,
    seen: { ...question, analysis: ABSENT, approval: value(anApproval()) },
    want: { overallPhase: 'Failed', message: 'the AIAnalysis that approval was requested for was deleted: nothing was run' },
    effects: ['PatchStatus RemediationApprovalRequest'],
  },
];

describe('children that are not as they should be', () => {
  test.each(runs)('$name: $reason', (row) => expectDecision({ status: executing, ...row }));
  test.each(questions)('$name: $reason', (row) => expectDecision(row));

  test('a missing decision is reported', () => {
    const spec = { ...anApproval().spec, requiredBy: ago(-HOUR) };
    const seen = { ...question, approval: value({ ...anApproval(), spec }) };
    const object = aRequest(awaiting);
    const base = onlyRequest(object, DEFAULT_SETTINGS);
    expect(decide({ ...base, ...seen }, (NOW + 15 * MINUTE) as typeof NOW).status).toMatchObject({
      overallPhase: 'TimedOut',
      message: 'AwaitingApproval did not finish within 15m0s: no approver decided; nothing was run',
    });
  });
});

describe('what a run did', () => {
  test('is said in its own words, else in ours', () => {
    const said = anExecution({ executionStatus: { status: 'Completed', message: 'scaled to 3' } });
    expect(whatWasDone(said, aRequest(executing))).toBe('scaled to 3');
    expect(whatWasDone(untouched, aRequest(executing))).toBe('rollback-deployment:1.0.0 ran on Deployment shop/checkout');
    expect(whatWasDone(undefined, aRequest())).toBe('the workflow ran on Deployment shop/checkout');
  });

  test('is assessed as a run that succeeded', () => {
    const seen = { execution: done, assessment: ABSENT, target: value(aDeployment()), analysis: ABSENT };
    const [effect] = decide({ ...onlyRequest(aRequest(executing), DEFAULT_SETTINGS), ...seen }, NOW).effects;
    if (effect?.kind !== 'Create') throw new Error('nothing is assessed');
    expect((effect.object as unknown as EffectivenessAssessment).spec.remediationRequestPhase).toBe('Verifying');
  });
});
