import { describe, expect, test } from 'vitest';
import { handOver, NOTHING_TO_DO, plan, type Answer, type CorpusCase } from './corpus-case.ts';
import { deployment } from './fault.ts';
import { judge, saidBy, type Said } from './judge.ts';

const aCase = (expected: readonly Answer[], misleading?: string): CorpusCase => ({
  name: 'one',
  origin: 'written',
  recording: { brokenAt: '2026-11-15T03:10:00Z', snapshots: [] },
  alert: { name: 'KubePodCrashLooping', target: deployment('checkout') },
  expected,
  ...(misleading !== undefined && { misleading }),
});

const onCheckout = { TARGET_RESOURCE_KIND: 'Deployment', TARGET_RESOURCE_NAME: 'checkout', TARGET_RESOURCE_NAMESPACE: 'shop' };
const rollsBack = (more: Readonly<Record<string, string>> = {}): Said => ({
  kind: 'Plan',
  action: 'RollbackDeployment',
  parameters: { ...onCheckout, REVISION: '6', ...more },
  text: 'revision 7 crashes',
});
const asks: Said = { kind: 'HandOver', parameters: {}, text: 'the Secret db-credentials does not exist' };
const nothing: Said = { kind: 'NothingToDo', parameters: {}, text: '' };
const rollback = plan('RollbackDeployment', { REVISION: '6' });

describe('the judgement of an answer', () => {
  test.each([
    { reason: 'the expected change', expected: [rollback], said: rollsBack(), verdict: 'right' },
    { reason: 'another revision', expected: [rollback], said: rollsBack({ REVISION: '5' }), verdict: 'wrong' },
    { reason: 'another target', expected: [rollback], said: rollsBack({ TARGET_RESOURCE_NAME: 'payments' }), verdict: 'wrong' },
    { reason: 'another namespace', expected: [rollback], said: rollsBack({ TARGET_RESOURCE_NAMESPACE: 'bank' }), verdict: 'wrong' },
    { reason: 'a change where a person is to be asked', expected: [handOver(/x/)], said: rollsBack(), verdict: 'wrong' },
    { reason: 'a change where nothing is wrong', expected: [NOTHING_TO_DO], said: rollsBack(), verdict: 'wrong' },
    { reason: 'a fault that is called none', expected: [rollback], said: nothing, verdict: 'wrong' },
    { reason: 'a person is asked and told the cause', expected: [handOver(/db-credentials/)], said: asks, verdict: 'right' },
    { reason: 'a person is asked and not told the cause', expected: [handOver(/NetworkPolicy/)], said: asks, verdict: 'handed over' },
    { reason: 'a person is asked where a change was expected', expected: [rollback], said: asks, verdict: 'handed over' },
    { reason: 'the second of two right answers', expected: [rollback, handOver(/db-credentials/)], said: asks, verdict: 'right' },
  ])('$reason: $verdict', ({ expected, said, verdict }) => {
    expect(judge(aCase(expected), said)).toBe(verdict);
  });

  test('lets a person be asked where a case misleads, and nothing else', () => {
    expect(judge(aCase([rollback], 'the log'), asks)).toBe('right');
    expect(judge(aCase([rollback], 'the log'), nothing)).toBe('wrong');
    expect(judge(aCase([rollback], 'the log'), rollsBack({ REVISION: '1' }))).toBe('wrong');
  });
});

describe('what an analysis says', () => {
  const selectedWorkflow = { workflowName: 'rollback-deployment', actionType: 'RollbackDeployment', parameters: onCheckout };
  const status = (more: object) => saidBy({ phase: 'Completed', approvalRequired: false, needsHumanReview: false, ...more });

  test('is a plan only where no person has to review it', () => {
    expect(status({ selectedWorkflow }).kind).toBe('Plan');
    expect(status({ selectedWorkflow, needsHumanReview: true }).kind).toBe('HandOver');
    expect(status({ selectedWorkflow, phase: 'Failed' }).kind).toBe('HandOver');
  });

  test('is nothing to do only where that is the reason', () => {
    expect(status({ reason: 'WorkflowNotNeeded' }).kind).toBe('NothingToDo');
    expect(status({ reason: 'WorkflowNotNeeded', phase: 'Failed' }).kind).toBe('HandOver');
    expect(status({ reason: 'NoWorkflowSelected' }).kind).toBe('HandOver');
  });
});
