import { describe, expect, test } from 'vitest';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { ANALYSIS_REASONS } from '../../../api/ai-analysis/status.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { judgePlan } from '../../analysis/judge-plan.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { specHash } from '../../target/index.ts';
import { analysisResultOf } from './plan-from-analysis.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import { anEvidence } from '../routing/testing/builders.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  anApproval,
  anExecution,
  APPROVED,
  aRequest,
  effectText,
  executing,
  NOW,
  TARGET,
  value,
  verifying,
  WORKFLOW,
} from '../testing/builders.ts';

type Found = Parameters<typeof anAnalysis>[0];
type Target = Pick<typeof TARGET, 'kind' | 'name' | 'apiVersion'>;

/** Everything that stands between a plan and its run lets it through. */
const free: Partial<RemediationSeen> = {
  approval: ABSENT,
  target: value(aDeployment()),
  namespace: ABSENT,
  workflow: ABSENT,
  execution: ABSENT,
  evidence: anEvidence(),
};

const decided = (analysis: AIAnalysis, seen: Partial<RemediationSeen> = {}, status: RemediationStatus = analyzing) => {
  const object = aRequest(status);
  const siblings = { kind: 'value', value: [object] } as const;
  const decision = decide({ ...onlyRequest(object, DEFAULT_SETTINGS), siblings, ...free, analysis: value(analysis), ...seen }, NOW);
  return { ...decision, status: decision.status as RemediationStatus, does: decision.effects.map(effectText) };
};

/** What the orchestrator made of it, told apart by what it does and writes. */
function outcomeOf({ status, does }: ReturnType<typeof decided>): string {
  const { overallPhase, outcome, workflowDisplayName } = status;
  const [effect = ''] = does;
  if (overallPhase === 'Analyzing') return effect;
  if (overallPhase === 'Completed') return outcome ?? 'Completed without an outcome';
  return workflowDisplayName === undefined ? (overallPhase ?? '') : 'HumanReviewWithWorkflow';
}

/** Every result that an analysis can have. */
const results = (['Completed', 'Failed'] as const).flatMap((phase) =>
  [undefined, ...ANALYSIS_REASONS].flatMap((reason) =>
    [true, false].flatMap((needsHumanReview) =>
      [true, false, undefined].flatMap((approvalRequired) =>
        [WORKFLOW, undefined].map((selectedWorkflow) => ({ phase, reason, needsHumanReview, approvalRequired, selectedWorkflow })),
      ),
    ),
  ),
);

/** The six outcomes of the seed, in the order of ruling 44: a review comes first. */
function wanted({ phase, reason, needsHumanReview, approvalRequired, selectedWorkflow }: (typeof results)[number]): string {
  if (needsHumanReview) return selectedWorkflow ? 'HumanReviewWithWorkflow' : 'ManualReviewRequired';
  if (phase === 'Failed') return 'Failed';
  if (reason === 'WorkflowNotNeeded') return 'NoActionRequired';
  if (!selectedWorkflow) return 'Failed';
  return approvalRequired === false ? 'Create WorkflowExecution we-rr' : 'Create RemediationApprovalRequest rar-rr';
}

describe('a finished analysis', () => {
  test('[RR-074] leads to exactly one of six outcomes, whatever it says', () => {
    const seen = new Map<string, number>();
    for (const result of results) {
      const decision = decided(anAnalysis(result));
      const outcome = outcomeOf(decision);
      expect([result, outcome, decision.does.length]).toEqual([result, wanted(result), outcome.startsWith('Create') ? 1 : 0]);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
  });

  test.each(['Completed', 'Failed'] as const)(
    '[RR-169] that is %s, asks for a person and has no workflow ends Completed with ManualReviewRequired, and not Failed',
    (phase) => {
      const { status, does } = decided(anAnalysis({ phase, needsHumanReview: true, selectedWorkflow: undefined }));
      expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'ManualReviewRequired', requiresManualReview: true });
      expect(status).not.toHaveProperty('failurePhase');
      expect(status).not.toHaveProperty('failureReason');
      expect(does).toEqual([]);
    },
  );
});

describe('what is said about an analysis', () => {
  const said = (found: Found): string | undefined => decided(anAnalysis({ selectedWorkflow: undefined, ...found })).status.message;
  const review = { needsHumanReview: true } as const;
  const summary = { summary: 'revision 2 crashes', signalType: 'CrashLoop' };

  test.each<[string, Found, string]>([
    ['cause and message', { ...review, rootCauseAnalysis: summary, message: 'look!' }, 'revision 2 crashes; look!'],
    ['a cause without a message', { ...review, rootCauseAnalysis: summary, message: undefined }, 'revision 2 crashes'],
    [
      'a message that has the cause',
      { ...review, rootCauseAnalysis: summary, message: 'revision 2 crashes: look!' },
      'revision 2 crashes: look!',
    ],
    ['a cause in a word', { ...review, rootCauseAnalysis: undefined, rootCause: 'it crashes' }, 'it crashes'],
    ['a message alone', { ...review, rootCauseAnalysis: undefined, message: 'look!' }, 'look!'],
    ['nothing', { ...review, rootCauseAnalysis: undefined }, 'ai-rr found nothing to do about Deployment shop/checkout'],
    ['a failure without a word', { phase: 'Failed' }, 'ai-rr failed without a reason'],
    ['a target that is healthy', { reason: 'WorkflowNotNeeded' }, 'Deployment shop/checkout no longer needs remediation'],
  ])('%s', (_, found, want) => expect(said(found)).toBe(want));

  test('one without a status is at work', () => {
    const { status: _, ...bare } = anAnalysis();
    expect(analysisResultOf(bare as AIAnalysis, aRequest(analyzing), DEFAULT_SETTINGS.routing)).toEqual({ kind: 'AtWork' });
  });
});

/** The result of the real policy for a plan on this target. */
function judgedBy(policy: { readonly environment?: string; readonly confidence?: number; readonly target?: Target }) {
  const { environment = 'Staging', confidence = 0.9, target = { kind: 'Deployment', name: 'checkout', apiVersion: 'apps/v1' } } = policy;
  const { uid, namespace } = TARGET;
  const object: KubeObject = { ...aDeployment(), kind: target.kind, metadata: { ...aDeployment().metadata, name: target.name } };
  const remediationTarget = { ...target, namespace, uid, specHash: specHash(object) };
  const found: Found = {
    rootCauseAnalysis: { summary: 'revision 2 crashes', signalType: 'CrashLoop', remediationTarget },
    selectedWorkflow: { ...WORKFLOW, confidence },
  };
  const analysis = anAnalysis(found);
  const judged = anAnalysis({ ...found, ...judgePlan(environment, { ...WORKFLOW, confidence }, analysis.status ?? ({} as never)) });
  const request = aRequest(analyzing, { targetResource: { ...target, namespace } });
  const seen: RemediationSeen = {
    ...onlyRequest(request, DEFAULT_SETTINGS),
    ...free,
    analysis: value(judged),
    target: value(object),
  };
  return decide(seen, NOW);
}

describe('the policy', () => {
  test('[CO-087] lets a plan run without an approval: no RemediationApprovalRequest', () =>
    expect(judgedBy({}).effects.map(effectText)).toEqual(['Create WorkflowExecution we-rr']));

  test.each([
    ['RR-241', 'the environment', { environment: 'Production' }, 'every change in Production needs approval'],
    [
      'RR-242',
      'a sensitive kind',
      { target: { kind: 'StatefulSet', name: 'orders-db', apiVersion: 'apps/v1' } },
      'every change of a StatefulSet needs approval',
    ],
    ['RR-243', 'the confidence', { confidence: 0.79 }, 'a confidence of 0.79 is below the 0.8'],
  ])('[%s, CO-087] asks people by a RemediationApprovalRequest because of %s', (_, __, policy, reason) => {
    const { effects } = judgedBy(policy);
    expect(effects.map(effectText)).toEqual(['Create RemediationApprovalRequest rar-rr']);
    const [effect] = effects;
    const { spec } = (effect as unknown as { readonly object: RemediationApprovalRequest }).object;
    expect(spec.reason).toContain(reason);
    expect(spec.whyApprovalRequired).toContain(reason);
  });

  test('[RR-243] requires no approval at the threshold', () =>
    expect(judgedBy({ confidence: 0.8 }).effects.map(effectText)).toEqual(['Create WorkflowExecution we-rr']));
});

describe('a result that arrives when the request no longer waits for it', () => {
  const answers = [
    ABSENT,
    value(anApproval()),
    value(anApproval(APPROVED)),
    value(anApproval({ decision: 'Rejected', decidedBy: 'alex' })),
  ];
  const over = { completedAt: ago(0) };

  test.each<RemediationStatus>([
    executing,
    verifying,
    { ...executing, overallPhase: 'Blocked', blockReason: 'ResourceBusy', blockedStartTime: ago(0) },
    { ...executing, ...over, overallPhase: 'Completed', outcome: 'NoActionRequired' },
    { ...executing, ...over, overallPhase: 'Failed', failurePhase: 'Approval' },
    { ...executing, ...over, overallPhase: 'TimedOut', timeoutPhase: 'AwaitingApproval' },
    { ...executing, ...over, overallPhase: 'Skipped' },
    { ...executing, ...over, overallPhase: 'Cancelled' },
  ])('[CO-097] changes nothing in $overallPhase', (status) => {
    const [nothing, ...others] = answers.map((approval) =>
      decided(
        anAnalysis({ approvalRequired: true }),
        { approval, execution: value(anExecution({ phase: 'Running' })), identityIsChecked: true },
        status,
      ),
    );
    expect(nothing?.status.overallPhase).toBe(status.overallPhase);
    for (const other of others) {
      expect(other.status).toEqual(nothing?.status);
      // An approval request without a decision is closed once its request has ended (ruling 126); nothing else may follow from it.
      expect(other.does.filter((effect) => effect !== 'PatchStatus RemediationApprovalRequest')).toEqual(nothing?.does);
    }
  });
});

describe('a change that cannot be undone', () => {
  const cases: readonly (readonly [string, AIAnalysis])[] = [
    ['a person is asked', anAnalysis({ needsHumanReview: true, selectedWorkflow: undefined })],
    ['there is nothing to do', anAnalysis({ reason: 'WorkflowNotNeeded', selectedWorkflow: undefined })],
  ];
  test.each(cases)('does not hold its signal back: %s', (_, analysis) => {
    const holdOf = (request: ReturnType<typeof aRequest>): number | undefined => {
      const conclusion = analysisResultOf(analysis, request, DEFAULT_SETTINGS.routing);
      return conclusion.kind === 'End' ? conclusion.ending.holdOffMs : undefined;
    };
    expect(holdOf(aRequest(analyzing, { undoOf: { name: 'other', uid: 'u' } }))).toBe(0);
    expect(holdOf(aRequest(analyzing))).toBe(DEFAULT_SETTINGS.routing.noActionRequiredDelayMs);
  });
});
