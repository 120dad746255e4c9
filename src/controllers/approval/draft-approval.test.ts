import { describe, expect, test } from 'vitest';
import { createMemoryApi } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { seededRandom, toTime } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { approvalFor, confidenceLevel } from './draft-approval.ts';
import { anAnalysis, aPlan, aRequest, REQUIRED_BY, TARGET, TARGET_VALUES } from './testing/builders.ts';

const context = {
  reason: 'context reason',
  confidenceScore: 0.86,
  confidenceLevel: 'high',
  investigationSummary: 'what was found',
  whyApprovalRequired: 'because it is production',
  recommendedActions: [],
  alternativesConsidered: [{ approach: 'restart', prosCons: 'comes back' }],
  evidenceCollected: ['exit code 1'],
  policyEvaluation: { policyName: 'built-in', decision: 'ManualReviewRequired' },
} as const;

const draftOf = (status: Parameters<typeof anAnalysis>[0] = {}, attempt = 1) =>
  approvalFor(aRequest(), anAnalysis(status), aPlan(), { attempt, requiredBy: REQUIRED_BY });

describe('the question', () => {
  test('[CO-088] carries what a person needs', () => {
    expect(draftOf({ approvalContext: context }).spec).toMatchObject({
      reason: 'production',
      whyApprovalRequired: 'because it is production',
      confidence: 0.86,
      confidenceLevel: 'high',
      recommendedWorkflow: { workflowId: 'rollback-deployment', version: '1.0.0', executionBundle: 'sickbay/workflows:0.1.0' },
      parameters: { ...TARGET_VALUES, REVISION: '1' },
      remediationTarget: TARGET,
      planDigest: aPlan().digest,
      investigationSummary: 'revision 2 crashes',
      evidenceCollected: ['exit code 1'],
      recommendedActions: [
        { action: 'run rollback-deployment:1.0.0 on Deployment shop/checkout', rationale: 'it crashes since revision 2' },
      ],
      alternativesConsidered: context.alternativesConsidered,
      policyEvaluation: context.policyEvaluation,
      requiredBy: toTime(REQUIRED_BY),
    });
  });

  test('is complete for the server even where the analysis says next to nothing', async () => {
    const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
    await installKind(api, RemediationApprovalRequest);
    const silent = anAnalysis({ rootCause: '', approvalReason: '' });
    const bare = approvalFor(aRequest(), silent, aPlan(), { attempt: 1, requiredBy: REQUIRED_BY });
    const created = await createClient(api).create(RemediationApprovalRequest, {
      ...bare,
      metadata: { ...bare.metadata, namespace: 'default' },
    });
    expect(created.spec).toMatchObject({
      reason: 'the approval policy requires it',
      whyApprovalRequired: 'the approval policy requires it',
      investigationSummary: 'ai-rr names no cause',
    });
    api.close();
  });

  test.each([
    [1, 'rar-rr'],
    [2, 'rar-rr-2'],
    [3, 'rar-rr-3'],
  ])('at attempt %i it is called %s', (attempt, name) => expect(draftOf({}, attempt).metadata.name).toBe(name));

  test('[CO-100] goes with its request', () =>
    expect(draftOf().metadata.ownerReferences).toEqual([
      {
        apiVersion: 'kubernaut.ai/v1alpha1',
        kind: 'RemediationRequest',
        name: 'rr',
        uid: 'rr-uid',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]));

  test('is the same whenever it is asked', () => expect(draftOf()).toEqual(draftOf()));

  test.each([
    [1, 'high'],
    [0.8, 'high'],
    [0.799, 'medium'],
    [0.6, 'medium'],
    [0.599, 'low'],
    [0, 'low'],
  ])('a confidence of %f is %s', (confidence, level) => expect(confidenceLevel(confidence)).toBe(level));
});
