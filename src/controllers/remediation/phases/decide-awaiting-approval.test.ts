import { describe, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE } from '../../../base/index.ts';
import { applyOverride } from '../../approval/override-plan.ts';
import { aWorkflow as fromCatalogue } from '../../approval/testing/builders.ts';
import type { RemediationSeen } from '../observe.ts';
import { anEvidence } from '../routing/testing/builders.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  anApproval,
  anExecution,
  aNotification,
  APPROVED,
  aProcessing,
  awaiting,
  PLAN,
  RESOLVED,
  HEALTHY,
  healthWith,
  SOMEBODY_ELSES,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';
import { FREE } from '../testing/planned.ts';

const stays = { overallPhase: 'AwaitingApproval' } as const;
const failed = { overallPhase: 'Failed', failurePhase: 'Approval' } as const;
const told = { messages: { 'nr-approval-rr': value(aNotification('nr-approval-rr')) } };
const analysis = value(anAnalysis({ approvalRequired: true }));
const undecided = { analysis, approval: value(anApproval()), ...told };
/** The plan is approved, and no other check objects. */
const approved = (change: DecisionCase['seen'] = {}) => ({
  ...undecided,
  approval: value(anApproval(APPROVED)),
  ...FREE,
  ...change,
});
const decided = (status: Parameters<typeof anApproval>[0]) => ({ ...undecided, approval: value(anApproval(status)) });

const RESTART = fromCatalogue('restart-deployment');
/** The approver chose another workflow than the proposed one. */
const overridden = (overriding: RemediationSeen['overriding'], change: DecisionCase['seen'] = {}) =>
  approved({
    approval: value(anApproval({ ...APPROVED, workflowOverride: { workflowName: 'restart-deployment' } })),
    overriding,
    ...change,
  });

/** The run of the plan as the person wants it. */
function restarting(): WorkflowExecution {
  const wanted = applyOverride(PLAN, { workflowName: 'restart-deployment' }, RESTART);
  const run = anExecution();
  return { ...run, spec: { ...run.spec, planDigest: wanted.kind === 'plan' ? wanted.plan.digest : '' } };
}

/** No decision about it is accepted any more. */
const CLOSES = ['PatchStatus RemediationApprovalRequest'];

const cases: readonly DecisionCase[] = [
  {
    name: '[RR-084] undecided, no notification yet',
    reason: 'a notification says that an approval is required',
    seen: { ...undecided, messages: { 'nr-approval-rr': ABSENT } },
    want: stays,
    effects: ['Create NotificationRequest nr-approval-rr'],
  },
  { name: '[RR-084] undecided', reason: 'nothing is run on silence', seen: undecided, want: stays },
  { name: 'unreadable', reason: 'not known is not absent', seen: { ...undecided, approval: UNREADABLE }, atMs: HOUR, want: stays },
  { name: 'the analysis unreadable', reason: 'the plan is awaited', seen: { ...undecided, analysis: UNREADABLE }, want: stays },
  {
    name: 'deleted',
    reason: 'missing is not approved',
    seen: { ...undecided, approval: ABSENT },
    want: failed,
    says: 'was deleted before an approver decided: nothing was run',
  },
  {
    name: 'replaced',
    reason: 'another of the same name is another question',
    seen: { ...undecided, approval: value(anApproval(APPROVED, { uid: 'another' })) },
    want: failed,
  },
  {
    name: 'a foreign approval request',
    reason: 'it is not about our plan',
    seen: { ...undecided, approval: value(anApproval(APPROVED, SOMEBODY_ELSES)) },
    want: failed,
  },
  {
    name: 'the analysis deleted',
    reason: 'nothing is run from memory',
    seen: { ...undecided, analysis: ABSENT },
    want: failed,
    effects: CLOSES,
  },
  {
    name: '[RR-020, RR-086, CO-092] rejected',
    reason: 'no run is ever created',
    seen: decided({ decision: 'Rejected', decidedBy: 'alex', decidedAt: ago(0), decisionMessage: 'not in the sale' }),
    want: failed,
    says: 'alex rejected rollback-deployment:1.0.0 on Deployment shop/checkout: not in the sale; nothing was run',
  },
  {
    name: 'rejected without a message',
    reason: 'a reason is optional',
    seen: decided({ decision: 'Rejected', decidedBy: 'alex', decidedAt: ago(0) }),
    want: failed,
    says: 'alex rejected rollback-deployment:1.0.0 on Deployment shop/checkout; nothing was run',
  },
  {
    name: '[RR-087, CO-093] expired',
    reason: 'silence is no yes',
    seen: decided({ decision: 'Expired', decidedBy: 'system' }),
    want: failed,
    says: 'rollback-deployment:1.0.0 on Deployment shop/checkout was not run: no approver decided about rar-rr',
  },
  {
    name: '[RR-088] undecided at the deadline of both',
    reason: 'of two clocks that run out at once the expiry wins: it counts and backs off',
    seen: undecided,
    atMs: 15 * MINUTE,
    want: { ...failed, nextAllowedExecution: ago(-16 * MINUTE) },
    says: 'no approver decided',
  },
  {
    name: '[RR-021, RR-194, CO-094] its own limit comes first',
    reason: 'the phase has a clock of its own',
    status: { ...awaiting, timeoutConfig: { awaitingApproval: '5m' } },
    seen: undecided,
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'AwaitingApproval' },
    effects: CLOSES,
  },
  {
    name: '[RR-193, CO-095] the clock of the whole runs out first',
    reason: 'and it says where',
    status: { ...awaiting, startTime: ago(55 * MINUTE) },
    seen: undecided,
    atMs: 5 * MINUTE,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'AwaitingApproval' },
    effects: CLOSES,
    says: 'did not finish within 1h0m0s',
  },
  {
    name: '[RR-085] approved',
    reason: 'the run is created first, and starts nothing before it is recorded',
    seen: approved(),
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  },
  {
    name: '[RR-019, RR-085, RR-203, CO-090] approved, the run is there',
    reason: 'the same name as without approval: one run for one request',
    seen: approved({ execution: value(anExecution()) }),
    want: { overallPhase: 'Executing', workflowExecutionRef: { name: 'we-rr', uid: 'we-rr-uid' } },
    says: 'alex@example.com approved it; running rollback-deployment:1.0.0',
  },
  {
    name: 'approved, no analysis recorded',
    reason: 'one of ours has the name, and the plan says the rest',
    status: { ...awaiting, aiAnalysisRef: undefined } as never,
    seen: approved({ execution: value(anExecution()) }),
    want: { overallPhase: 'Executing', aiAnalysisRef: { name: 'ai-rr', uid: 'ai-rr-uid' } },
  },
  {
    name: 'approved, but the clock of the whole has run out',
    reason: 'a run that would be late at once is not created any more',
    seen: approved(),
    atMs: HOUR,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'AwaitingApproval' },
    says: 'its WorkflowExecution could not be created',
  },
  {
    name: 'approved otherwise',
    reason: 'what is run is what the person wants',
    seen: overridden(value(RESTART)),
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  },
  {
    name: 'approved otherwise, the proposed run is there',
    reason: 'it was never recorded, so it is deleted',
    seen: overridden(value(RESTART), { execution: value(anExecution()) }),
    want: stays,
    effects: ['Delete WorkflowExecution'],
  },
  {
    name: 'approved otherwise, the workflow unreadable',
    reason: 'what is wanted is not known yet',
    seen: overridden(UNREADABLE),
    want: stays,
  },
  {
    name: 'approved in time, seen after the deadline',
    reason: 'an answer in time counts, whenever it is seen',
    seen: approved({ execution: value(anExecution()) }),
    atMs: 20 * MINUTE,
    want: { overallPhase: 'Executing' },
  },
  {
    name: '[RR-003, RR-089, RR-090, CO-091] approved, a check objects',
    reason: 'all checks run again; it is blocked, and does not wait for its limit',
    seen: approved({ evidence: anEvidence({ scope: { kind: 'out', message: 'label it' } }) }),
    want: { overallPhase: 'Blocked', blockReason: 'UnmanagedResource' },
  },
  {
    name: 'approved, a check cannot be made',
    reason: 'not known is not passed',
    seen: approved({ evidence: anEvidence({ scope: UNREADABLE }) }),
    want: stays,
  },
  {
    name: 'approved, the target changed',
    reason: 'an approval is for exactly what was analysed: it is analysed again',
    seen: approved({
      target: value(aDeployment({ replicas: 9 })),
      nextAnalysis: ABSENT,
      processing: value(aProcessing({ phase: 'Completed' })),
    }),
    want: stays,
    effects: ['Create AIAnalysis ai-rr-2'],
  },
  {
    name: 'approved, the target changed, the next analysis is there',
    reason: 'back to the analysis',
    seen: approved({
      target: value(aDeployment({ replicas: 9 })),
      nextAnalysis: value(anAnalysis({ phase: 'Pending' }, { name: 'ai-rr-2', uid: 'ai-rr-2-uid' })),
      processing: value(aProcessing({ phase: 'Completed' })),
    }),
    want: { overallPhase: 'Analyzing', analysisAttempt: 2 },
  },
  { name: 'approved, the target unreadable', reason: 'not known is not the same', seen: approved({ target: UNREADABLE }), want: stays },
  {
    name: 'approved without an approver name',
    reason: 'a yes without a name is none',
    seen: decided({ decision: 'Approved', decidedAt: ago(0) }),
    want: failed,
  },
  {
    name: 'approved where the cluster does not verify approvers',
    reason: 'a name that is not verified does not count',
    seen: approved({ identityIsChecked: false }),
    want: failed,
    says: 'does not verify who decides',
  },
  {
    name: 'all alerts resolved',
    reason: 'what healed by itself needs no answer',
    status: { ...awaiting, ...RESOLVED },
    seen: approved({ health: HEALTHY }),
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
  },
  {
    name: 'all alerts resolved, without a decision',
    reason: 'ruling 126: its approval request is closed in the same step, so that no approval is accepted that changes nothing',
    status: { ...awaiting, ...RESOLVED },
    seen: { ...undecided, health: HEALTHY },
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
    effects: CLOSES,
  },
  {
    name: 'all alerts resolved, and the target crash loops',
    reason: 'ruling 126: alerts of crash loops resolve between two restarts; the approval is still needed',
    status: { ...awaiting, ...RESOLVED },
    seen: { ...undecided, health: healthWith(1) },
    want: stays,
  },
  {
    name: 'all alerts resolved, the target crash loops, and the approval comes',
    reason: 'ruling 126: the remediation continues, and what was approved runs',
    status: { ...awaiting, ...RESOLVED },
    seen: approved({ health: healthWith(0) }),
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  },
];

describe('AwaitingApproval', () => {
  test.each(cases)('$name: $reason', (row) => expectDecision({ status: awaiting, ...row }));

  test('approved otherwise, the run is there: it says what was changed, and by whom', () =>
    expectDecision({
      name: '',
      reason: '',
      status: awaiting,
      seen: overridden(value(RESTART), { execution: value(restarting()) }),
      want: { overallPhase: 'Executing', workflowDisplayName: 'restart-deployment:1.0.0' },
      says: 'alex@example.com approved it as restart-deployment:1.0.0 (REVISION=1) instead of rollback-deployment:1.0.0 (REVISION=1)',
    }));
});
