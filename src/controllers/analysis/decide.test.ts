import { describe, expect, test } from 'vitest';
import { aCrashingPod, aPod, aRevision, evidenceOf, TARGET } from '../../analyst/testing/a-deployment.ts';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import { analysisPhases, type AnalysisPhase } from '../../api/ai-analysis/phases.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { mayMove } from '../../api/phases.ts';
import { after, MINUTE, parseTime, SECOND, toTime } from '../../base/index.ts';
import { specHash } from '../target/index.ts';
import { decide } from './decide.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import type { FaultFindings } from './observe.ts';
import { anAnalysis, NOW, TIMES_OUT_AT, type Options } from './testing/an-analysis.ts';

type Status = NonNullable<AIAnalysis['status']>;

const DEADLINE = parseTime(TIMES_OUT_AT)!;
const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
const LATER = toTime(after(NOW, 30 * SECOND));
const SOON = toTime(after(NOW, 10 * SECOND));

const findings = (more: Partial<FaultFindings> = {}): FaultFindings => ({
  kind: 'fault',
  history: NOT_READ,
  evidence: evidenceOf(),
  catalogue: { kind: 'value', value: [aWorkflow('rollback')] },
  ...more,
});
const well = evidenceOf([aRevision(4, [aPod('p1'), aPod('p2')])]);
const first = evidenceOf([aRevision(1, [aCrashingPod('c1')])]);

const PLAN: Status['selectedWorkflow'] = {
  workflowId: 'rollback',
  version: '1.0.0',
  executionBundle: 'sickbay/workflows:0.1.0',
  workflowName: 'rollback',
  confidence: 0.9,
  rationale: 'takes it back',
};

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly phase: AnalysisPhase | undefined;
  readonly more?: Partial<Status>;
  readonly seen?: FaultFindings;
  readonly at?: typeof NOW;
  readonly options?: Options;
  readonly to: AnalysisPhase | undefined;
  readonly wakesAt?: string;
}

const cases: readonly Case[] = [
  { name: 'new', reason: 'the table begins there', phase: undefined, to: 'Pending', wakesAt: LATER },
  {
    name: 'new, too late',
    reason: 'every life begins with its first phase',
    phase: undefined,
    at: DEADLINE,
    to: 'Pending',
    wakesAt: TIMES_OUT_AT,
  },
  { name: 'waiting', reason: 'nothing to wait for', phase: 'Pending', to: 'Investigating', wakesAt: LATER },
  { name: 'waiting, too late', reason: 'the time is over', phase: 'Pending', at: DEADLINE, to: 'Failed' },
  {
    name: 'cause and workflow known',
    reason: 'the policy is next',
    phase: 'Investigating',
    seen: findings(),
    to: 'Analyzing',
    wakesAt: LATER,
  },
  {
    name: 'target well',
    reason: 'there is nothing to ask the policy',
    phase: 'Investigating',
    seen: findings({ evidence: well }),
    to: 'Completed',
  },
  { name: 'cause unclear', reason: 'a person has to look', phase: 'Investigating', seen: findings({ evidence: first }), to: 'Completed' },
  {
    name: 'target gone',
    reason: 'a person has to look',
    phase: 'Investigating',
    seen: findings({ evidence: { kind: 'Absent', target: TARGET } }),
    to: 'Completed',
  },
  {
    name: 'no workflow',
    reason: 'a person has to act',
    phase: 'Investigating',
    seen: findings({ catalogue: { kind: 'value', value: [] } }),
    to: 'Completed',
  },
  {
    name: 'catalogue unreadable',
    reason: 'not known is not empty',
    phase: 'Investigating',
    seen: findings({ catalogue: UNREADABLE }),
    to: 'Investigating',
    wakesAt: SOON,
  },
  {
    name: 'evidence unreadable',
    reason: 'an unknown state is neither unhealthy nor healthy',
    phase: 'Investigating',
    seen: findings({ evidence: { ...UNREADABLE, kind: 'Unreadable', target: TARGET } }),
    to: 'Investigating',
    wakesAt: SOON,
  },
  {
    name: 'evidence unreadable again',
    reason: 'waits twice as long',
    phase: 'Investigating',
    more: { consecutiveFailures: 1 },
    seen: findings({ evidence: { ...UNREADABLE, kind: 'Unreadable', target: TARGET } }),
    to: 'Investigating',
    wakesAt: toTime(after(NOW, 20 * SECOND)),
  },
  {
    name: 'evidence unreadable for long',
    reason: 'the deadline comes before the next attempt',
    phase: 'Investigating',
    more: { consecutiveFailures: 9 },
    seen: findings({ catalogue: UNREADABLE }),
    at: after(NOW, 9.5 * MINUTE),
    to: 'Investigating',
    wakesAt: TIMES_OUT_AT,
  },
  {
    name: 'put off',
    reason: 'the wake-up stays where it was',
    phase: 'Investigating',
    more: { investigationSession: { generation: 1, backoffUntil: toTime(after(NOW, 20 * SECOND)) } },
    to: 'Investigating',
    wakesAt: toTime(after(NOW, 20 * SECOND)),
  },
  { name: 'not read for no reason', reason: 'looks again', phase: 'Investigating', to: 'Investigating', wakesAt: LATER },
  { name: 'investigating, too late', reason: 'the time is over', phase: 'Investigating', seen: findings(), at: DEADLINE, to: 'Failed' },
  {
    name: 'unreadable without a limit',
    reason: 'then it waits for ever',
    phase: 'Investigating',
    options: { timesOutAt: undefined },
    seen: findings({ catalogue: UNREADABLE }),
    at: DEADLINE,
    to: 'Investigating',
    wakesAt: toTime(after(DEADLINE, 10 * SECOND)),
  },
  { name: 'planned', reason: 'the policy is built in', phase: 'Analyzing', more: { selectedWorkflow: PLAN }, to: 'Completed' },
  { name: 'planned, but the plan is lost', reason: 'a person has to look', phase: 'Analyzing', to: 'Completed' },
  {
    name: 'planned, too late',
    reason: 'the time is over',
    phase: 'Analyzing',
    more: { selectedWorkflow: PLAN },
    at: DEADLINE,
    to: 'Failed',
  },
  { name: 'done', reason: 'terminal is terminal', phase: 'Completed', at: DEADLINE, to: undefined },
  { name: 'failed', reason: 'terminal is terminal', phase: 'Failed', at: DEADLINE, to: undefined },
];

function run({ phase, more, seen, at = NOW, options }: Omit<Case, 'name' | 'reason' | 'to'>) {
  const object = anAnalysis({ ...options, ...(phase && { status: { phase, ...more } }) });
  const decision = decide({ object, findings: seen ?? NOT_READ }, at);
  return { decision, status: decision.status as Status | undefined };
}

describe('decide', () => {
  test.each(cases)('$name: $reason', ({ to, wakesAt, ...rest }) => {
    const { decision, status } = run(rest);
    expect(status?.phase).toBe(to);
    expect(decision.effects).toEqual([]);
    expect(decision.wakeAt === undefined ? undefined : toTime(decision.wakeAt)).toBe(wakesAt);
    if (rest.phase && to && to !== rest.phase) expect(mayMove(analysisPhases, rest.phase, to)).toBe(true);
  });
});

describe('an investigation', () => {
  const investigate = (seen: Partial<FaultFindings>, options: Options = {}) =>
    run({ phase: 'Investigating', more: { startedAt: toTime(after(NOW, -7 * SECOND)) }, seen: findings(seen), options }).status;

  test('[CO-055, CO-056, CO-057, CO-058, CO-059] says what is to be done to which object, as it was seen', () => {
    const evidence = evidenceOf();
    expect(investigate({ evidence })).toMatchObject({
      rootCause: 'revision 3 of Deployment shop/checkout crashes (exit code 1) since it was rolled out at 03:01 UTC',
      rootCauseAnalysis: {
        signalType: 'CrashLoopAfterRollout',
        severity: 'critical',
        contributingFactors: expect.arrayContaining([
          'revision 2 is the one before it; no pod of it is left to show how it ran',
        ]) as string[],
        remediationTarget: { ...TARGET, uid: evidence.deployment.metadata.uid, specHash: specHash(evidence.deployment) },
      },
      actionability: 'Actionable',
      selectedWorkflow: {
        workflowId: 'rollback',
        workflowName: 'rollback',
        version: '1.0.0',
        actionType: 'RollbackDeployment',
        executionBundle: 'sickbay/workflows:0.1.0',
        executionEngine: 'job',
        serviceAccountName: 'rollback-deployment',
        declaredParameterNames: { REVISION: true, TARGET_RESOURCE_KIND: true, TARGET_RESOURCE_NAME: true, TARGET_RESOURCE_NAMESPACE: true },
        confidence: 0.9,
        rationale: 'takes a Deployment back to an earlier revision',
        parameters: {
          REVISION: '2',
          TARGET_RESOURCE_KIND: 'Deployment',
          TARGET_RESOURCE_NAME: 'checkout',
          TARGET_RESOURCE_NAMESPACE: 'shop',
        },
        selectedAt: toTime(NOW),
      },
      needsHumanReview: false,
      investigationTime: 7,
    });
  });

  test('takes the whole entry of the catalogue along', () => {
    const workflow = aWorkflow('rollback', {
      status: { workflowId: 'id-9', catalogStatus: 'Active' },
      spec: {
        dependencies: { secrets: [{ name: 'pull' }] },
        execution: { engine: 'job', bundle: 'b:1', bundleDigest: 'sha256:1', engineConfig: { args: ['rollback-deployment'] } },
      },
    });
    expect(investigate({ catalogue: { kind: 'value', value: [workflow] } })?.selectedWorkflow).toMatchObject({
      workflowId: 'id-9',
      executionBundleDigest: 'sha256:1',
      engineConfig: { args: ['rollback-deployment'] },
      dependencies: { secrets: [{ name: 'pull' }] },
    });
  });

  test('[CO-169] only what fits the signal is taken', () => {
    const workflow = aWorkflow('rollback', { labels: { environment: ['Staging'], severity: ['critical'], priority: 'P1' } });
    const catalogue = { kind: 'value', value: [workflow] } as const;
    expect(investigate({ catalogue })?.phase).toBe('Analyzing');
    for (const context of [{ environment: 'Production' }, { severity: 'low' }, { businessPriority: 'P0' }] as const)
      expect(investigate({ catalogue }, { context })?.subReason).toBe('NoMatchingWorkflows');
    const forOthers = { kind: 'value', value: [aWorkflow('rollback', { labels: { component: ['StatefulSet'] } })] } as const;
    expect(investigate({ catalogue: forOthers })?.subReason).toBe('NoMatchingWorkflows');
  });

  test('labels of the target count', () => {
    const workflow = aWorkflow('rollback', { spec: { customLabels: { team: 'blue' } } });
    const catalogue = { kind: 'value', value: [workflow] } as const;
    const context = { enrichmentResults: { kubernetesContext: { customLabels: { team: ['blue'] } } } };
    expect([investigate({ catalogue })?.phase, investigate({ catalogue }, { context })?.phase]).toEqual(['Completed', 'Analyzing']);
  });

  test('[CO-050] of a healthy target needs no workflow', () => {
    const status = investigate({ evidence: well });
    expect(status).toMatchObject({
      reason: 'WorkflowNotNeeded',
      subReason: 'ProblemResolved',
      needsHumanReview: false,
      approvalRequired: false,
    });
    expect(status?.message).toBe(
      'all 2 pods of revision 4 of Deployment shop/checkout are ready, and none was restarted lately: no action is needed. If KubePodCrashLooping still fires, check what it measures.',
    );
    expect(status).not.toHaveProperty('selectedWorkflow');
  });

  test('[CO-051] that ends unclear asks a person, with advice', () => {
    const status = investigate({ evidence: first });
    expect(status).toMatchObject({
      reason: 'NoWorkflowSelected',
      subReason: 'InvestigationInconclusive',
      needsHumanReview: true,
      humanReviewReason: 'investigation_inconclusive',
      message: expect.stringContaining('kubectl logs -n shop deploy/checkout --previous') as string,
    });
    expect(status).not.toHaveProperty('selectedWorkflow');
  });

  test('[CO-051, CO-061] that finds no workflow still reports the cause', () => {
    const status = investigate({ catalogue: { kind: 'value', value: [] } });
    expect(status).toMatchObject({
      reason: 'AnalysisCompleted',
      subReason: 'NoMatchingWorkflows',
      needsHumanReview: true,
      humanReviewReason: 'no_matching_workflows',
      rootCause: expect.stringContaining('crashes') as string,
      rootCauseAnalysis: { remediationTarget: { name: 'checkout' } },
      message: expect.stringContaining('add a RemediationWorkflow with this actionType') as string,
    });
    expect(status).not.toHaveProperty('selectedWorkflow');
  });

  test('that finds only workflows which need more than is known says so', () => {
    const workflow = aWorkflow('w', {
      spec: { parameters: [{ name: 'TICKET', type: 'string', required: true, description: 'a ticket' }] },
    });
    expect(investigate({ catalogue: { kind: 'value', value: [workflow] } })).toMatchObject({
      subReason: 'ParameterValidationFailed',
      humanReviewReason: 'parameter_validation_failed',
      needsHumanReview: true,
    });
  });

  test('that finds a workflow which is marked dryRun runs nothing', () => {
    const catalogue = { kind: 'value', value: [aWorkflow('rollback', { spec: { dryRun: true } }), aWorkflow('rollback-too')] } as const;
    expect(investigate({ catalogue })).toMatchObject({
      phase: 'Completed',
      reason: 'NoWorkflowSelected',
      needsHumanReview: true,
      message: expect.stringContaining(
        'rollback would be run on Deployment shop/checkout, but is marked dryRun: nothing was run',
      ) as string,
    });
  });

  test('that waits reports what for and when it retries', () => {
    const { status } = run({ phase: 'Investigating', more: { consecutiveFailures: 1 }, seen: findings({ catalogue: UNREADABLE }) });
    expect(status).toMatchObject({
      message: 'reading the catalogue of workflows: forbidden',
      consecutiveFailures: 2,
      investigationSession: { backoffUntil: toTime(after(NOW, 20 * SECOND)), lastPolled: toTime(NOW), pollCount: 2 },
      conditions: [{ type: 'Ready', status: 'False', reason: 'LooksAgain' }],
    });
  });

  describe('of a target that may settle by itself', () => {
    const starting = evidenceOf([aRevision(3, [aPod('p1', { state: { waiting: { reason: 'ImagePullBackOff' } } })], { created: 1 })]);
    const wait = (seconds: number, createdAt?: string) => {
      const more = createdAt === undefined ? {} : { investigationSession: { generation: 1, createdAt } };
      return run({ phase: 'Investigating', more, seen: findings({ evidence: starting }), at: after(NOW, seconds * SECOND) });
    };

    test('checks again within seconds, and remembers when it began', () => {
      const { status, decision } = wait(0);
      expect(status).toMatchObject({
        phase: 'Investigating',
        message: expect.stringContaining('still being rolled out') as string,
        investigationSession: { createdAt: toTime(NOW) },
      });
      expect(status?.investigationSession).not.toHaveProperty('backoffUntil');
      expect(decision.wakeAt).toBe(after(NOW, 10 * SECOND));
    });

    test('writes nothing while nothing changes', () => {
      const { status } = wait(0);
      const object = anAnalysis({ status: status ?? {} });
      expect(decide({ object, findings: findings({ evidence: starting }) }, after(NOW, 10 * SECOND)).status).toEqual(object.status);
    });

    test('is handed over two minutes after the first evidence, with advice', () => {
      expect(wait(119, toTime(NOW))).toMatchObject({ status: { phase: 'Investigating' }, decision: { wakeAt: after(NOW, 120 * SECOND) } });
      expect(wait(120, toTime(NOW)).status).toMatchObject({
        phase: 'Completed',
        needsHumanReview: true,
        subReason: 'InvestigationInconclusive',
        message: expect.stringMatching(
          /ImagePullBackOff\)\. It did not settle within 2 minutes; look at its pods.*kubectl describe/,
        ) as string,
      });
    });
  });

  test('ready pods are no proof against an alert that they do not show', () => {
    const status = investigate({ evidence: well }, { context: { signalName: 'CheckoutHighErrorRate', severity: 'critical' } });
    expect(status).toMatchObject({
      phase: 'Completed',
      needsHumanReview: true,
      message: expect.stringMatching(
        /all 2 pods .* are ready.*, but that is no proof that CheckoutHighErrorRate is resolved; .*kubectl logs/,
      ) as string,
    });
  });

  test('that went on forgets that it had to wait', () => {
    const more = { consecutiveFailures: 2, investigationSession: { generation: 1, backoffUntil: toTime(NOW) } };
    const { status } = run({ phase: 'Investigating', more, seen: findings() });
    expect(status).not.toHaveProperty('consecutiveFailures');
    expect(status).not.toHaveProperty('investigationSession');
  });

  test('[CO-053] that ran out of time says what the last problem was, and what to do', () => {
    const { status } = run({
      phase: 'Investigating',
      more: { consecutiveFailures: 4, message: 'listing its Pods: forbidden' },
      at: DEADLINE,
    });
    expect(status).toMatchObject({
      phase: 'Failed',
      reason: 'TransientError',
      subReason: 'InvestigationFailed',
      completedAt: toTime(DEADLINE),
    });
    expect(status?.message).toBe(
      `no cause was found for shop/Deployment/checkout by ${TIMES_OUT_AT}; last problem: listing its Pods: forbidden. ` +
        'Check that the API server answers and that Sickbay may read Deployments, ReplicaSets, Pods and ConfigMaps; the next alert starts a new remediation.',
    );
  });
});

describe('the plan', () => {
  const judge = (environment: string, plan: Partial<NonNullable<Status['selectedWorkflow']>> = {}) =>
    run({
      phase: 'Analyzing',
      more: {
        selectedWorkflow: { ...PLAN, ...plan },
        rootCause: 'it crashes',
        rootCauseAnalysis: {
          summary: 'it crashes',
          signalType: 'x',
          contributingFactors: ['exit code 1'],
          remediationTarget: { kind: 'Deployment', name: 'checkout', namespace: 'shop' },
        },
      },
      options: { context: { environment } },
    }).status;

  test('[CO-048] runs without approval where the policy lets it', () => {
    const status = judge('Staging');
    expect(status).toMatchObject({ reason: 'AnalysisCompleted', approvalRequired: false, needsHumanReview: false, selectedWorkflow: PLAN });
    expect(status).not.toHaveProperty('approvalContext');
    expect(status?.message).toBe('it crashes; rollback may run: Staging runs without approval');
  });

  test.each(['Production', 'Unknown'])('[CO-049] in %s needs approval, and the request informs the approver', (environment) => {
    const status = judge(environment);
    expect(status).toMatchObject({
      approvalRequired: true,
      needsHumanReview: false,
      selectedWorkflow: PLAN,
      approvalContext: {
        reason: status?.approvalReason,
        confidenceScore: 0.9,
        confidenceLevel: 'high',
        investigationSummary: 'it crashes',
        recommendedActions: [{ workflowId: 'rollback' }],
        evidenceCollected: ['exit code 1'],
      },
    });
  });

  test('of middling confidence is called so', () =>
    expect(judge('Production', { confidence: 0.79 })?.approvalContext?.confidenceLevel).toBe('medium'));

  test('[CO-052] that is only a guess needs a person first, and is kept', () =>
    expect(judge('Staging', { confidence: 0.69 })).toMatchObject({
      subReason: 'LowConfidence',
      needsHumanReview: true,
      humanReviewReason: 'low_confidence',
      selectedWorkflow: { workflowId: 'rollback' },
    }));

  test('that got lost asks a person', () =>
    expect(run({ phase: 'Analyzing' }).status).toMatchObject({ needsHumanReview: true, humanReviewReason: 'rca_incomplete' }));

  test('is done when all conditions say so', () =>
    expect(judge('Production')?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'Ready True',
      'AnalysisComplete True',
      'ApprovalRequired True',
      'InvestigationComplete True',
      'WorkflowResolved True',
    ]));
});
