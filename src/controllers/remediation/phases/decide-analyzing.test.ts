import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest } from '../observe.ts';
import { planOf } from '../../plan/remediation-plan.ts';
import { anEvidence } from '../routing/testing/builders.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  anApproval,
  anExecution,
  APPROVED,
  aProcessing,
  aRequest,
  DIGEST,
  LEFT_OVER,
  NOW,
  pending,
  RESOLVED,
  HEALTHY,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  untouched,
  value,
  WORKFLOW,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';
import { awaitingApproval, FREE, planned } from '../testing/planned.ts';

const DAY = 24 * HOUR;
const stays = { overallPhase: 'Analyzing' } as const;
const review = {
  overallPhase: 'Completed',
  outcome: 'ManualReviewRequired',
  requiresManualReview: true,
  nextAllowedExecution: ago(-DAY),
} as const;
const broken = { overallPhase: 'Failed', failurePhase: 'AIAnalysis', requiresManualReview: true } as const;
const replanned = { nextAnalysis: ABSENT, processing: value(aProcessing({ phase: 'Completed' })) } as const;
const changed = { target: value(aDeployment({ replicas: 3 })), ...replanned } as const;

const executionOf = (workflow: typeof WORKFLOW & { readonly executionBundleDigest?: string }) => {
  const run = anExecution();
  return { ...run, spec: { ...run.spec, planDigest: planOf(anAnalysis({ selectedWorkflow: workflow }))?.digest ?? '' } };
};

/** Another client wrote the phase, without the fields that belong to it. */
const setByHand = { ...pending, overallPhase: 'Analyzing', analyzingStartTime: ago(0) } as const;

const children: readonly DecisionCase[] = [
  {
    name: '[RR-069, RR-200] no child',
    reason: 'it is created from what enrichment found',
    seen: { analysis: ABSENT, processing: value(aProcessing({ phase: 'Completed' })) },
    want: stays,
    effects: ['Create AIAnalysis ai-rr'],
  },
  {
    name: 'no child, enrichment unreadable',
    reason: 'the question would be half a question',
    seen: { analysis: ABSENT, processing: UNREADABLE },
    want: stays,
  },
  {
    name: 'no child, enrichment deleted',
    reason: 'what it found is lost, and no clock would bring it back',
    seen: { analysis: ABSENT, processing: ABSENT },
    want: { overallPhase: 'Failed', failurePhase: 'SignalProcessing' },
    says: 'its SignalProcessing was deleted before the analysis began',
  },
  {
    name: 'no child, asked before',
    reason: 'the question is the one of its attempt',
    status: { ...analyzing, analysisAttempt: 2 },
    seen: { analysis: ABSENT, processing: value(aProcessing({ phase: 'Completed' })) },
    want: stays,
    effects: ['Create AIAnalysis ai-rr-2'],
  },
  {
    name: 'no child, and nothing recorded',
    reason: 'what is ours is used',
    status: setByHand,
    seen: { analysis: ABSENT, processing: value(aProcessing({ phase: 'Completed' })) },
    want: stays,
    effects: ['Create AIAnalysis ai-rr'],
  },
  {
    name: 'no child, nothing recorded, the SignalProcessing orphaned by an earlier request',
    reason: 'it is about to go',
    status: setByHand,
    seen: { analysis: ABSENT, processing: value(aProcessing({ phase: 'Completed' }, LEFT_OVER)) },
    want: stays,
  },
  { name: 'unreadable', reason: 'not known is not absent', seen: { analysis: UNREADABLE }, atMs: HOUR, want: stays },
  {
    name: 'at work',
    reason: 'its end is awaited',
    seen: { analysis: value(anAnalysis({ phase: 'Investigating' })) },
    want: stays,
  },
  {
    name: '[RR-018, RR-186] at the limit',
    reason: 'ten minutes are over',
    seen: { analysis: value(anAnalysis({ phase: 'Investigating' })) },
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
    says: 'Analyzing did not finish within 10m0s: ai-rr was still Investigating',
  },
  {
    name: 'gave up at the limit',
    reason: 'who noticed first makes no difference',
    seen: { analysis: value(anAnalysis({ phase: 'Failed', message: 'pods were never readable', completedAt: ago(-10 * MINUTE) })) },
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
    says: 'pods were never readable',
  },
  {
    name: 'failed at the limit without a message',
    reason: 'an empty message helps no reader',
    seen: { analysis: value(anAnalysis({ phase: 'Failed', completedAt: ago(-10 * MINUTE) })) },
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
    says: 'ai-rr failed without a message',
  },
  {
    name: 'at the limit, and still without a status',
    reason: 'its controller does not run',
    seen: { analysis: value(untouched(anAnalysis())) },
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
    says: 'ai-rr was still new; check the target by hand',
  },
  {
    name: 'done at the limit',
    reason: 'a result counts, however late it comes',
    seen: planned({ analysis: value(anAnalysis({ completedAt: ago(-10 * MINUTE) })) }),
    atMs: 10 * MINUTE,
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  },
  {
    name: '[RR-180] the clock of the whole runs out first',
    reason: 'whichever passes first acts',
    status: { ...analyzing, startTime: ago(55 * MINUTE) },
    seen: { analysis: value(anAnalysis({ phase: 'Analyzing' })) },
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing', timeoutTime: ago(-5 * MINUTE) },
    says: 'did not finish within 1h0m0s',
  },
  {
    name: 'a foreign analysis',
    reason: 'a plan that we did not order is never carried out',
    seen: { analysis: value(anAnalysis({}, SOMEBODY_ELSES)), target: value(aDeployment()) },
    want: { overallPhase: 'Failed', failurePhase: 'AIAnalysis' },
    says: 'AIAnalysis ai-rr does not belong to this request',
  },
  {
    name: 'all alerts resolved, with a plan in hand',
    reason: 'nothing has to be run any more',
    status: { ...analyzing, ...RESOLVED },
    seen: planned({ target: value(aDeployment()), health: HEALTHY }),
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
  },
];

const conclusions: readonly DecisionCase[] = [
  {
    name: '[RR-015, RR-077, RR-163] not needed',
    reason: 'the target is healthy again; the same signal is suppressed for a day',
    seen: { analysis: value(anAnalysis({ reason: 'WorkflowNotNeeded', selectedWorkflow: undefined, message: '2 of 2 pods ready' })) },
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired', nextAllowedExecution: ago(-DAY) },
    says: '2 of 2 pods ready',
  },
  {
    name: '[RR-016, RR-078] review, no workflow',
    reason: 'a person takes over, with what was found',
    seen: { analysis: value(anAnalysis({ needsHumanReview: true, selectedWorkflow: undefined, message: 'no workflow fits' })) },
    want: review,
    says: 'revision 2 crashes at its start; no workflow fits',
  },
  {
    name: 'review, the message holds the cause already',
    reason: 'a text that is already in the message is not repeated',
    seen: {
      analysis: value(
        anAnalysis({ needsHumanReview: true, selectedWorkflow: undefined, message: 'revision 2 crashes at its start. Look!' }),
      ),
    },
    want: { ...review, message: 'revision 2 crashes at its start. Look!' },
  },
  {
    name: 'review, and not needed',
    reason: 'whatever asks for a person comes first',
    seen: { analysis: value(anAnalysis({ needsHumanReview: true, selectedWorkflow: undefined, reason: 'WorkflowNotNeeded' })) },
    want: review,
  },
  {
    name: '[RR-079, RR-178, RR-179] review, with a workflow',
    reason: 'what was found is shown and not run, approval or not',
    seen: { analysis: value(anAnalysis({ needsHumanReview: true, approvalRequired: true })), target: value(aDeployment()) },
    want: { ...broken, workflowDisplayName: 'rollback-deployment:1.0.0', confidence: '0.90' },
    says: 'rollback-deployment:1.0.0 (confidence 0.90) was proposed and not run',
  },
  {
    name: '[CO-054] failed, with review and no workflow',
    reason: 'the flags decide, not the phase',
    seen: { analysis: value(anAnalysis({ phase: 'Failed', needsHumanReview: true, selectedWorkflow: undefined })) },
    want: review,
  },
  {
    name: '[RR-017, RR-080] failed',
    reason: 'an error in the analysis',
    seen: { analysis: value(anAnalysis({ phase: 'Failed', selectedWorkflow: undefined, message: 'pods cannot be read' })) },
    want: { ...broken, outcome: 'ManualReviewRequired', failureReason: 'pods cannot be read' },
    says: 'pods cannot be read',
  },
  {
    name: '[RR-170] no review and no workflow',
    reason: 'both are needed for a review; this is a broken answer',
    seen: { analysis: value(anAnalysis({ selectedWorkflow: undefined })) },
    want: broken,
    says: 'names no workflow',
  },
  {
    name: 'no target',
    reason: 'nothing is run on a guess',
    seen: { analysis: value(anAnalysis({ rootCauseAnalysis: { summary: 's', signalType: 't' } })) },
    want: broken,
    says: 'names no target',
  },
];

const approvals: readonly DecisionCase[] = [
  {
    name: '[RR-012, RR-076, RR-201, CO-086] required, not requested yet',
    reason: 'the question comes first; the phase follows when it is there',
    seen: awaitingApproval(),
    want: stays,
    effects: ['Create RemediationApprovalRequest rar-rr'],
  },
  {
    name: '[RR-082] needed, a check objects',
    reason: 'no approval is requested for a plan that cannot run',
    seen: awaitingApproval({ evidence: anEvidence({ scope: { kind: 'out', message: 'label it' } }) }),
    want: { overallPhase: 'Blocked', blockReason: 'UnmanagedResource' },
  },
  {
    name: '[RR-012, RR-076] needed, asked',
    reason: 'phase, reference and plan are recorded in the same step',
    seen: awaitingApproval({ approval: value(anApproval()) }),
    want: {
      overallPhase: 'AwaitingApproval',
      awaitingApprovalStartTime: ago(0),
      approvalRequestRef: { kind: 'RemediationApprovalRequest', name: 'rar-rr', uid: 'rar-rr-uid' },
      planDigest: DIGEST,
      remediationTarget: TARGET,
    },
    says: 'rollback-deployment:1.0.0 on Deployment shop/checkout waits for approval',
  },
  {
    name: 'needed, given before it was blocked',
    reason: 'an approval stays valid for the identical plan',
    status: { ...analyzing, approvalRequestRef: { name: 'rar-rr', uid: 'rar-rr-uid' } },
    seen: awaitingApproval({ approval: value(anApproval(APPROVED)) }),
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  },
  {
    name: 'required, not requested yet, planned for the second time',
    reason: 'an earlier answer is about an earlier plan',
    status: { ...analyzing, analysisAttempt: 2 },
    seen: awaitingApproval(),
    want: stays,
    effects: ['Create RemediationApprovalRequest rar-rr-2'],
  },
  {
    name: 'needed, a check cannot be made, to the end',
    reason: 'no wait is unlimited',
    seen: awaitingApproval({ evidence: anEvidence({ scope: UNREADABLE }) }),
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
  },
  {
    name: 'needed, asked, and a check would object now',
    reason: 'the checks run again after the answer',
    seen: awaitingApproval({ approval: value(anApproval()), evidence: anEvidence({ scope: { kind: 'out', message: 'label it' } }) }),
    want: { overallPhase: 'AwaitingApproval' },
  },
  {
    name: 'needed, the question unreadable, and a check would object',
    reason: 'it is unknown whether the approval was requested',
    seen: awaitingApproval({ approval: UNREADABLE, evidence: anEvidence({ scope: { kind: 'out', message: 'label it' } }) }),
    want: stays,
  },
  {
    name: 'needed, the question unreadable',
    reason: 'not known is not absent',
    seen: awaitingApproval({ approval: UNREADABLE }),
    want: stays,
  },
  {
    name: 'needed, the approval request is foreign',
    reason: 'no approval can be requested, and nothing runs without one',
    seen: awaitingApproval({ approval: value(anApproval(APPROVED, SOMEBODY_ELSES)) }),
    want: { overallPhase: 'Failed', failurePhase: 'Approval' },
  },
  {
    name: 'not said whether it is needed',
    reason: 'missing is not approved',
    seen: awaitingApproval({ analysis: value(anAnalysis({ approvalRequired: undefined })) }),
    want: stays,
    effects: ['Create RemediationApprovalRequest rar-rr'],
  },
];

const plans: readonly DecisionCase[] = [
  {
    name: '[RR-075, RR-202] the target as it was, all checks pass',
    reason: 'the run is created first, and starts nothing before it is recorded',
    seen: planned(),
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  },
  {
    name: '[RR-014, RR-081] a check objects',
    reason: 'no run is created',
    seen: planned({ evidence: anEvidence({ scope: { kind: 'out', message: 'label it' } }) }),
    want: { overallPhase: 'Blocked', blockReason: 'UnmanagedResource' },
  },
  {
    name: 'a check cannot be made',
    reason: 'not known is not passed',
    seen: planned({ evidence: anEvidence({ scope: UNREADABLE }) }),
    want: stays,
  },
  { name: 'the run unreadable', reason: 'not known is not absent', seen: planned({ execution: UNREADABLE }), want: stays },
  {
    name: 'the run is foreign',
    reason: 'it is neither used nor touched',
    seen: planned({ execution: value(anExecution({}, SOMEBODY_ELSES)) }),
    want: { overallPhase: 'Failed', failurePhase: 'WorkflowExecution' },
    says: 'WorkflowExecution we-rr does not belong to this request',
  },
  {
    name: 'the run of another plan',
    reason: 'it was never recorded, so it is deleted',
    seen: {
      ...planned(),
      analysis: value(anAnalysis({ selectedWorkflow: { ...WORKFLOW, parameters: { REVISION: '7' } } })),
      execution: value(anExecution()),
    },
    want: stays,
    effects: ['Delete WorkflowExecution'],
  },
  {
    name: 'a check cannot be made, to the end',
    reason: 'no wait is unlimited',
    seen: planned({ evidence: anEvidence({ scope: UNREADABLE }) }),
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
  },
  {
    name: '[RR-013, RR-075] the run is there',
    reason: 'its UID, the plan, the target and the spec before are recorded in the same step, which starts it',
    seen: planned({ execution: value(anExecution()) }),
    want: {
      overallPhase: 'Executing',
      executingStartTime: ago(0),
      workflowExecutionRef: { kind: 'WorkflowExecution', name: 'we-rr', uid: 'we-rr-uid' },
      selectedWorkflowRef: { workflowId: 'rollback-1', version: '1.0.0', executionBundle: 'sickbay/workflows:0.1.0' },
      planDigest: DIGEST,
      remediationTarget: TARGET,
      targetDisplay: 'Deployment/checkout',
      workflowDisplayName: 'rollback-deployment:1.0.0',
      confidence: '0.90',
      preRemediationSpecHash: TARGET.specHash,
      message: 'running rollback-deployment:1.0.0 on Deployment shop/checkout: it crashes since revision 2',
    },
  },
  {
    name: 'the run is there, and a check would object now',
    reason: 'it was created after all of them had passed',
    seen: planned({ execution: value(anExecution()), evidence: anEvidence({ scope: { kind: 'out', message: 'label it' } }) }),
    want: { overallPhase: 'Executing' },
  },
  {
    name: 'the analysis was deleted and made again',
    reason: 'the analysis that made the plan is recorded, not the deleted one',
    status: { ...analyzing, aiAnalysisRef: { name: 'ai-rr', uid: 'gone' } },
    seen: planned({ execution: value(anExecution()) }),
    want: { overallPhase: 'Executing', aiAnalysisRef: { name: 'ai-rr', uid: 'ai-rr-uid' } },
  },
  {
    name: 'set back from a later phase',
    reason: 'the hash from before may not change: the server would refuse the status for ever',
    status: { ...analyzing, preRemediationSpecHash: `sha256:${'1'.repeat(64)}` },
    seen: planned({ execution: value(anExecution()) }),
    want: { overallPhase: 'Executing', preRemediationSpecHash: `sha256:${'1'.repeat(64)}` },
  },
  { name: 'target unreadable', reason: 'not known is not the same', seen: planned({ target: UNREADABLE }), want: stays },
  {
    name: 'target unreadable to the end',
    reason: 'the analysis was there; what it is about was not',
    seen: planned({ target: UNREADABLE }),
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
    says: 'cannot be read',
  },
  ...(
    [
      ['gone', ABSENT, 'no longer exists'],
      ['changed', value(aDeployment({ replicas: 3 })), 'was changed since it was analysed'],
      [
        'replaced',
        value(aDeployment({ replicas: 2 }, { uid: 'another' })),
        'was replaced by another of the same name since it was analysed',
      ],
      ['on its way out', value(aDeployment({ replicas: 2 }, { deletionTimestamp: ago(0) })), 'is being deleted'],
    ] as const
  ).flatMap(([name, target, says]): readonly DecisionCase[] => [
    {
      name: `target ${name}`,
      reason: 'a plan is for exactly what was analysed: it is made again',
      seen: planned({ target, ...replanned }),
      want: stays,
      effects: ['Create AIAnalysis ai-rr-2'],
    },
    {
      name: `target ${name}, the next analysis is there`,
      reason: 'it is recorded with its clock; an approval of the old plan does not',
      status: { ...analyzing, approvalRequestRef: { name: 'rar-rr', uid: 'rar-rr-uid' } },
      seen: planned({
        target,
        ...replanned,
        nextAnalysis: value(anAnalysis({ phase: 'Pending' }, { name: 'ai-rr-2', uid: 'ai-rr-2-uid' })),
      }),
      atMs: MINUTE,
      want: {
        ...stays,
        analysisAttempt: 2,
        aiAnalysisRef: { name: 'ai-rr-2', uid: 'ai-rr-2-uid' },
        analyzingStartTime: ago(-MINUTE),
        startTime: ago(0),
      },
      says: `${says}: it is analysed again`,
    },
    {
      name: `target ${name}, for the second time`,
      reason: 'three plans are made before a person is asked',
      status: { ...analyzing, analysisAttempt: 2 },
      seen: planned({ target, ...replanned }),
      want: stays,
      effects: ['Create AIAnalysis ai-rr-3'],
    },
    {
      name: `target ${name}, for the second time, after a plan that was made again for a change freeze`,
      reason: 'the end of a freeze says nothing about the target: it does not count',
      status: { ...analyzing, analysisAttempt: 3, analysesAfterFreeze: 1 },
      seen: planned({ target, ...replanned }),
      want: stays,
      effects: ['Create AIAnalysis ai-rr-4'],
    },
    {
      name: `target ${name}, for the third time`,
      reason: 'what changes faster than it can be analysed is for a person',
      status: { ...analyzing, analysisAttempt: 3 },
      seen: planned({ target, ...replanned }),
      want: review,
      says: `${says}, so rollback-deployment:1.0.0 on Deployment shop/checkout was not run; the target changed after each of 3 plans`,
    },
  ]),
  {
    name: 'target changed, enrichment unreadable',
    reason: 'not known is not deleted',
    seen: planned({ ...changed, processing: UNREADABLE }),
    want: stays,
  },
  {
    name: 'target changed, nothing recorded',
    reason: 'what is ours is used',
    status: setByHand,
    seen: planned(changed),
    want: stays,
    effects: ['Create AIAnalysis ai-rr-2'],
  },
  {
    name: 'target changed, the next analysis is foreign',
    reason: 'a plan that we did not order is never carried out',
    seen: planned({ ...changed, nextAnalysis: value(anAnalysis({}, { name: 'ai-rr-2', ...SOMEBODY_ELSES })) }),
    want: { overallPhase: 'Failed', failurePhase: 'AIAnalysis' },
    says: 'AIAnalysis ai-rr-2 does not belong to this request',
  },
  {
    name: 'target changed, enrichment deleted',
    reason: 'the question would be half a question',
    seen: planned({ ...changed, processing: ABSENT }),
    want: review,
    says: 'and its SignalProcessing was deleted: nothing was run',
  },
  {
    name: 'another target than the signal’s',
    reason: 'it was not checked for being managed',
    spec: { targetResource: { kind: 'Deployment', name: 'cart', namespace: 'shop' } },
    seen: planned({ target: value(aDeployment()) }),
    want: review,
    says: 'Deployment shop/checkout is not Deployment shop/cart, which the signal is about',
  },
  ...['kube-system', 'sickbay-system', 'kubernaut-workflows'].map((namespace) => ({
    name: `a target in ${namespace}`,
    reason: 'not every request comes through the gateway',
    spec: { targetResource: { kind: 'Deployment', name: 'checkout', namespace } },
    seen: {
      analysis: value(anAnalysis({ rootCauseAnalysis: { summary: 's', signalType: 't', remediationTarget: { ...TARGET, namespace } } })),
      target: value(aDeployment()),
    },
    want: review,
    says: `is in the namespace ${namespace}, which is never worked on`,
  })),
  {
    name: 'a kind that we do not know',
    reason: 'what cannot be read back cannot be found unchanged',
    spec: { targetResource: { ...TARGET, kind: 'Rollout' } },
    seen: {
      analysis: value(
        anAnalysis({ rootCauseAnalysis: { summary: 's', signalType: 't', remediationTarget: { ...TARGET, kind: 'Rollout' } } }),
      ),
    },
    want: review,
    says: 'is of the kind Rollout',
  },
  {
    name: 'a plan without a bundle digest or parameters',
    reason: 'both are optional',
    seen: {
      analysis: value(anAnalysis({ selectedWorkflow: { ...WORKFLOW, parameters: {}, executionBundleDigest: 'sha256:1' } })),
      ...FREE,
      execution: value(executionOf({ ...WORKFLOW, parameters: {}, executionBundleDigest: 'sha256:1' })),
    },
    want: { overallPhase: 'Executing', selectedWorkflowRef: { executionBundleDigest: 'sha256:1' } as never },
  },
];

describe('Analyzing', () => {
  test.each(children)('$name: $reason', (row) => expectDecision({ status: analyzing, ...row }));
  test.each(conclusions)('$name: $reason', (row) => expectDecision({ status: analyzing, ...row }));
  test.each(plans)('$name: $reason', (row) => expectDecision({ status: analyzing, ...row }));
  test.each(approvals)('approval $name: $reason', (row) => expectDecision({ status: analyzing, ...row }));

  test('a plan that is made again has no recorded approval', () => {
    const status = { ...analyzing, approvalRequestRef: { name: 'rar-rr', uid: 'rar-rr-uid' } };
    const next = { nextAnalysis: value(anAnalysis({ phase: 'Pending' }, { name: 'ai-rr-2' })) };
    const seen = { ...onlyRequest(aRequest(status), DEFAULT_SETTINGS), ...planned({ target: ABSENT, ...replanned, ...next }) };
    expect(decide(seen, NOW).status).not.toHaveProperty('approvalRequestRef');
  });
});
