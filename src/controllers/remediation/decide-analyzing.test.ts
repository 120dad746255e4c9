import { describe, test } from 'vitest';
import { HOUR, MINUTE } from '../../base/index.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  aProcessing,
  DIGEST,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  value,
  WORKFLOW,
} from './testing/builders.ts';
import { judgeCase, type Case } from './testing/judge-case.ts';

const DAY = 24 * HOUR;
const stays = { overallPhase: 'Analyzing' } as const;
const review = {
  overallPhase: 'Completed',
  outcome: 'ManualReviewRequired',
  requiresManualReview: true,
  nextAllowedExecution: ago(-DAY),
} as const;
const broken = { overallPhase: 'Failed', failurePhase: 'AIAnalysis', requiresManualReview: true } as const;
const planned = (target: Case['seen']) => ({ analysis: value(anAnalysis()), ...target });

const children: readonly Case[] = [
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
  },
  { name: 'unreadable', reason: 'not known is not absent', seen: { analysis: UNREADABLE }, atMs: HOUR, want: stays },
  {
    name: 'at work',
    reason: 'its UID goes on record, its end is awaited',
    seen: { analysis: value(anAnalysis({ phase: 'Investigating' })) },
    want: { ...stays, aiAnalysisRef: { name: 'ai-rr', uid: 'ai-rr-uid' } },
  },
  {
    name: '[RR-018, RR-186] at the limit',
    reason: 'ten minutes are over',
    seen: { analysis: value(anAnalysis({ phase: 'Investigating' })) },
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
    says: 'Analyzing was not over after 10m0s: ai-rr was still Investigating',
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
    name: '[RR-180] the clock of the whole runs out first',
    reason: 'whichever passes first acts',
    status: { ...analyzing, startTime: ago(55 * MINUTE) },
    seen: { analysis: value(anAnalysis({ phase: 'Analyzing' })) },
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing', timeoutTime: ago(-5 * MINUTE) },
    says: 'not over after 1h0m0s in all',
  },
  {
    name: "somebody else's",
    reason: 'a plan that we did not order is never carried out',
    seen: { analysis: value(anAnalysis({}, SOMEBODY_ELSES)), target: value(aDeployment()) },
    want: { overallPhase: 'Failed', failurePhase: 'AIAnalysis' },
    says: 'AIAnalysis ai-rr is not of this request',
  },
  {
    name: 'all alerts resolved, with a plan in hand',
    reason: 'nothing has to be run any more',
    status: { ...analyzing, deduplication: { alerts: [{ name: 'A', instance: '1', lastSeenAt: ago(0), resolvedAt: ago(0) }] } },
    seen: planned({ target: value(aDeployment()) }),
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
  },
];

const conclusions: readonly Case[] = [
  {
    name: '[RR-015, RR-077, RR-163] not needed',
    reason: 'it is well again; the same signal is left alone for a day',
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
    reason: 'nobody wants to read it twice',
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
  {
    name: 'approval needed',
    reason: 'nothing is run without it',
    seen: { analysis: value(anAnalysis({ approvalRequired: true, approvalReason: 'production' })), target: value(aDeployment()) },
    want: review,
    says: 'approval is needed for rollback-deployment:1.0.0 on Deployment shop/checkout: production. Nothing was run',
  },
  {
    name: 'dry run',
    reason: 'it ends where it would begin to act',
    spec: { dryRun: true },
    seen: planned({ target: value(aDeployment()) }),
    want: { overallPhase: 'Completed', outcome: 'DryRun', nextAllowedExecution: ago(-HOUR) },
    says: 'would have been run',
  },
];

const plans: readonly Case[] = [
  {
    name: 'the target as it was',
    reason: 'the plan, the target and the spec before go on record in the same step',
    seen: planned({ target: value(aDeployment()) }),
    want: {
      overallPhase: 'Executing',
      executingStartTime: ago(0),
      workflowExecutionRef: { kind: 'WorkflowExecution', name: 'we-rr' },
      selectedWorkflowRef: { workflowId: 'rollback-1', version: '1.0.0', executionBundle: 'sickbay/workflows:0.1.0' },
      planDigest: DIGEST,
      remediationTarget: TARGET,
      targetDisplay: 'Deployment/checkout',
      workflowDisplayName: 'rollback-deployment:1.0.0',
      confidence: '0.90',
      preRemediationSpecHash: TARGET.specHash,
    },
    says: 'running rollback-deployment:1.0.0 on Deployment shop/checkout: it crashes since revision 2',
  },
  {
    name: 'set back from a later phase',
    reason: 'the hash from before may not change: the server would refuse the status for ever',
    status: { ...analyzing, preRemediationSpecHash: `sha256:${'1'.repeat(64)}` },
    seen: planned({ target: value(aDeployment()) }),
    want: { overallPhase: 'Executing', preRemediationSpecHash: `sha256:${'1'.repeat(64)}` },
  },
  { name: 'target unreadable', reason: 'not known is not the same', seen: planned({ target: UNREADABLE }), want: stays },
  {
    name: 'target unreadable to the end',
    reason: 'the analysis was there; what it is about was not',
    seen: planned({ target: UNREADABLE }),
    atMs: 10 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' },
    says: 'its target cannot be read',
  },
  { name: 'target gone', reason: 'there is nothing to act on', seen: planned({ target: ABSENT }), want: review, says: 'no longer exists' },
  {
    name: 'target changed',
    reason: 'somebody is at work on it',
    seen: planned({ target: value(aDeployment({ replicas: 3 })) }),
    want: review,
    says: 'was changed since it was analysed',
  },
  {
    name: 'target replaced',
    reason: 'another object of the same name is another target',
    seen: planned({ target: value(aDeployment({ replicas: 2 }, { uid: 'another' })) }),
    want: review,
    says: 'was replaced',
  },
  {
    name: 'target on its way out',
    reason: 'it will be gone before the workflow is',
    seen: planned({ target: value(aDeployment({ replicas: 2 }, { deletionTimestamp: ago(0) })) }),
    want: review,
    says: 'is being deleted',
  },
  {
    name: 'another target than the signal’s',
    reason: 'nobody asked whether it may be worked on',
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
      target: value(aDeployment()),
    },
    want: { overallPhase: 'Executing', selectedWorkflowRef: { executionBundleDigest: 'sha256:1' } as never },
  },
];

describe('Analyzing', () => {
  test.each(children)('$name: $reason', (row) => judgeCase({ status: analyzing, ...row }));
  test.each(conclusions)('$name: $reason', (row) => judgeCase({ status: analyzing, ...row }));
  test.each(plans)('$name: $reason', (row) => judgeCase({ status: analyzing, ...row }));
});
