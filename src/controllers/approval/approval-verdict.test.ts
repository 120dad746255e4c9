import { describe, expect, test } from 'vitest';
import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../base/index.ts';
import { planSpecOf, type RemediationPlan } from '../plan/remediation-plan.ts';
import { planDigest } from '../target/index.ts';
import { judgeApproval, requesterOf, workflowToRead, type ApprovalSeen, type ApprovalVerdict } from './approval-verdict.ts';
import type { Override } from './override-plan.ts';
import { anApproval, aPlan, aRequest, aWorkflow, NAMESPACE, NOW, REQUIRED_BY } from './testing/builders.ts';

type Status = NonNullable<RemediationApprovalRequest['status']>;

const approved: Status = { decision: 'Approved', decidedBy: 'anna', decidedAt: toTime(after(NOW, MINUTE)) };
const plan = aPlan();
const ABSENT = { kind: 'absent' } as const;

const replanned = (change: Partial<RemediationPlan['workflow']>, target: Partial<RemediationPlan['target']> = {}): RemediationPlan => {
  const next = { workflow: { ...plan.workflow, ...change }, target: { ...plan.target, ...target } };
  return { ...next, digest: planDigest(planSpecOf(next.workflow, next.target)) };
};

function judge(seen: Partial<ApprovalSeen>, now: Instant = after(NOW, 2 * MINUTE)): ApprovalVerdict {
  const settings = { namespace: NAMESPACE, approval: { requesterMayApprove: true, askAgainAfterMs: 0 } };
  const whole = { approval: anApproval(), request: aRequest(), plan, workflow: ABSENT, identityIsChecked: true, settings, ...seen };
  return judgeApproval(whole, now);
}

/** Approved, about a target that may not be the plan's. */
function aboutTarget(remediationTarget: RemediationPlan['target'] | undefined): RemediationApprovalRequest {
  const { spec, ...rest } = anApproval(approved);
  const { remediationTarget: _, ...others } = spec;
  return { ...rest, spec: { ...others, ...(remediationTarget && { remediationTarget }) } };
}

interface Case {
  readonly name: string;
  readonly seen: Partial<ApprovalSeen>;
  readonly now?: Instant;
  readonly want: object;
  readonly says?: string;
}

const strict = { namespace: NAMESPACE, approval: { requesterMayApprove: false, askAgainAfterMs: 0 } };
const byAnna = aRequest({ [ANNOTATIONS.requestedBy]: 'anna' });
const otherPlan = { kind: 'void', because: 'OtherPlan' };
const notTrusted = { kind: 'void', because: 'NotTrusted' };
const badOverride = { kind: 'void', because: 'BadOverride' };
const withOverride = (workflowOverride: Override) => anApproval({ ...approved, workflowOverride });

const undecided: readonly Case[] = [
  { name: 'new', seen: {}, want: { kind: 'undecided', until: REQUIRED_BY } },
  { name: 'with an empty decision', seen: { approval: anApproval({ decision: '' }) }, want: { kind: 'undecided' } },
  { name: 'a moment before the deadline', seen: {}, now: after(REQUIRED_BY, -1), want: { kind: 'undecided' } },
  { name: '[RR-088] at the deadline', seen: {}, now: REQUIRED_BY, want: { kind: 'expired' }, says: 'no approver decided about rar-rr' },
  { name: '[CO-096] long after it', seen: {}, now: after(REQUIRED_BY, MINUTE), want: { kind: 'expired' } },
  {
    name: 'before its deadline although the cluster does not verify approvers',
    seen: { identityIsChecked: false },
    want: { kind: 'undecided' },
  },
];

const decided: readonly Case[] = [
  { name: 'approved', seen: { approval: anApproval(approved) }, want: { kind: 'approved', by: 'anna', plan } },
  {
    name: 'approved in time, seen late',
    seen: { approval: anApproval(approved) },
    now: after(REQUIRED_BY, MINUTE),
    want: { kind: 'approved' },
  },
  {
    name: 'approved at the deadline',
    seen: { approval: anApproval({ ...approved, decidedAt: toTime(REQUIRED_BY) }) },
    want: { kind: 'expired' },
    says: 'anna approved rar-rr after',
  },
  {
    name: 'approved in the last second',
    seen: { approval: anApproval({ ...approved, decidedAt: toTime(after(REQUIRED_BY, -SECOND)) }) },
    want: { kind: 'approved' },
  },
  {
    name: 'rejected',
    seen: { approval: anApproval({ decision: 'Rejected', decidedBy: 'bert', decisionMessage: 'not now' }) },
    want: { kind: 'rejected', by: 'bert', why: 'not now' },
  },
  {
    name: 'rejected by an unnamed approver',
    seen: { approval: anApproval({ decision: 'Rejected' }), identityIsChecked: false, settings: strict },
    want: { kind: 'rejected', by: 'an unknown user', why: '' },
  },
  { name: 'expired', seen: { approval: anApproval({ decision: 'Expired' }) }, want: { kind: 'expired' } },
];

const forAnother: readonly Case[] = [
  {
    name: 'a plan with another parameter',
    seen: { plan: replanned({ parameters: { REVISION: '2' } }) },
    want: otherPlan,
    says: 'another plan',
  },
  { name: 'a plan with another bundle', seen: { plan: replanned({ executionBundle: 'x' }) }, want: otherPlan },
  { name: 'a plan with another account', seen: { plan: replanned({ serviceAccountName: 'root' }) }, want: otherPlan },
  { name: 'a plan with another target', seen: { plan: replanned({}, { name: 'cart' }) }, want: otherPlan },
  { name: 'a plan with another object of the name', seen: { plan: replanned({}, { uid: 'new' }) }, want: otherPlan },
  {
    name: 'a target that changed',
    seen: { plan: replanned({}, { specHash: `sha256:${'0'.repeat(64)}` }) },
    want: otherPlan,
    says: 'earlier state',
  },
  {
    name: 'a plan that claims its digest',
    seen: { plan: { ...replanned({ executionBundle: 'x' }), digest: plan.digest } },
    want: otherPlan,
  },
  {
    name: 'another request',
    seen: { request: { ...aRequest(), metadata: { ...aRequest().metadata, uid: 'other' } } },
    want: otherPlan,
    says: 'does not belong to rr',
  },
];

const doubted: readonly Case[] = [
  { name: 'names are not checked', seen: { identityIsChecked: false }, want: notTrusted, says: 'install the policies' },
  {
    name: 'the status names no approver',
    seen: { approval: anApproval({ decision: 'Approved' }) },
    want: notTrusted,
    says: 'does not name the approver',
  },
  {
    name: 'the approver name is empty',
    seen: { approval: anApproval({ ...approved, decidedBy: '' }) },
    want: notTrusted,
    says: 'does not name the approver',
  },
  {
    name: 'no moment is named',
    seen: { approval: anApproval({ decision: 'Approved', decidedBy: 'anna' }) },
    want: notTrusted,
    says: 'when',
  },
  { name: 'it is their own wish', seen: { request: byAnna, settings: strict }, want: notTrusted, says: 'another person has to approve' },
  {
    name: 'they passed on their own wish',
    seen: { request: byAnna, settings: strict, approval: anApproval({ ...approved, decidedBy: 'boss', decidedVia: 'anna' }) },
    want: notTrusted,
  },
];

const overridden: readonly Case[] = [
  {
    name: 'another workflow',
    seen: { approval: withOverride({ workflowName: 'restart' }), workflow: { kind: 'value', value: aWorkflow('restart') } },
    want: { kind: 'approved', by: 'anna', plan: { workflow: { workflowName: 'restart' }, target: plan.target } },
  },
  {
    name: 'a parameter',
    seen: { approval: withOverride({ parameters: { REVISION: '2' } }), workflow: { kind: 'value', value: aWorkflow() } },
    want: { kind: 'approved', changes: 'rollback-deployment:1.0.0, REVISION=2 instead of 1' },
  },
  { name: 'no more than the reason', seen: { approval: withOverride({ rationale: 'go' }) }, want: { kind: 'approved', plan } },
  {
    name: 'a workflow that is not there',
    seen: { approval: withOverride({ workflowName: 'restart' }) },
    want: badOverride,
    says: 'no workflow restart',
  },
  {
    name: 'a workflow that cannot be read',
    seen: { approval: withOverride({ workflowName: 'restart' }), workflow: { kind: 'unreadable', reason: 'forbidden' } },
    want: { kind: 'unknown', reason: 'the workflow restart cannot be read: forbidden' },
  },
  {
    name: 'a workflow of another name',
    seen: { approval: withOverride({ workflowName: 'restart' }), workflow: { kind: 'value', value: aWorkflow() } },
    want: badOverride,
  },
  {
    name: 'a workflow of another namespace',
    seen: {
      approval: withOverride({ workflowName: 'restart' }),
      workflow: { kind: 'value', value: { ...aWorkflow('restart'), metadata: { ...aWorkflow('restart').metadata, namespace: 'shop' } } },
    },
    want: badOverride,
  },
  {
    name: 'parameters that do not fit',
    seen: { approval: withOverride({ parameters: { REVISION: 'x' } }), workflow: { kind: 'value', value: aWorkflow() } },
    want: badOverride,
    says: 'REVISION=x is no integer',
  },
];

const wordsOf = (verdict: ApprovalVerdict): string => ('why' in verdict ? verdict.why : '');

function check({ seen, now, want, says = '' }: Case): void {
  const verdict = judge(seen, now);
  expect(verdict).toMatchObject(want);
  expect(wordsOf(verdict)).toContain(says);
}

describe('an approval request', () => {
  describe('that is undecided', () => test.each(undecided)('$name', check));
  describe('that is decided', () => test.each(decided)('$name', check));

  describe.each(['', 'Approved', 'Rejected', 'Expired'] as const)('with the decision "%s" says nothing about', (decision) =>
    test.each(forAnother)('$name', ({ seen, want, says }) =>
      check({ name: '', seen: { approval: anApproval({ ...approved, decision }), ...seen }, want, ...(says !== undefined && { says }) }),
    ),
  );

  test.each([
    ['in another namespace', anApproval(approved, { namespace: 'shop' }), 'is in the namespace shop, where no approval counts'],
    ['without an owner', anApproval(approved, { ownerReferences: [] }), 'does not belong to rr'],
    [
      'about another object that claims the same plan',
      aboutTarget({ ...plan.target, uid: 'other' }),
      'is about another object of the same name',
    ],
    ['about nothing that claims the same plan', aboutTarget(undefined), 'is about another object of the same name'],
  ])('%s counts for nothing', (_, approval, why) => expect(judge({ approval })).toMatchObject({ ...otherPlan, why: `rar-rr ${why}` }));

  describe('that is approved does not count where', () =>
    test.each(doubted)('$name', (row) => check({ ...row, seen: { approval: anApproval(approved), ...row.seen } })));

  test.each([
    ['another person asked', { [ANNOTATIONS.requestedBy]: 'bert' }, strict],
    ['an alert and no person asked', {}, strict],
    ['the name is empty', { [ANNOTATIONS.requestedBy]: '' }, strict],
    ['the rule is off', { [ANNOTATIONS.requestedBy]: 'anna' }, { ...strict, approval: { requesterMayApprove: true, askAgainAfterMs: 0 } }],
  ])('counts where %s', (_, annotations, settings) =>
    expect(judge({ approval: anApproval(approved), request: aRequest(annotations), settings })).toMatchObject({ kind: 'approved' }),
  );

  describe('that is approved with a change of', () => test.each(overridden)('$name', check));
});

describe('what has to be read', () => {
  test.each<[string, Status, string | undefined]>([
    ['nothing as it is', approved, undefined],
    ['the other workflow', { ...approved, workflowOverride: { workflowName: 'restart' } }, 'restart'],
    ['the proposed workflow for its parameters', { ...approved, workflowOverride: { parameters: {} } }, 'rollback-deployment'],
    ['nothing before it is approved', { workflowOverride: { workflowName: 'restart' } }, undefined],
  ])('%s', (_, status, name) => expect(workflowToRead(anApproval(status), plan)).toBe(name));

  test('who asked', () => {
    expect(requesterOf(byAnna)).toBe('anna');
    expect(requesterOf(aRequest())).toBeUndefined();
  });
});
