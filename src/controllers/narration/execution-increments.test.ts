import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../base/index.ts';
import { anExecution, NOW } from '../execution/testing/builders.ts';
import { aFailedRun, aFailedStart, aSuccess, CLEARED } from '../execution/testing/past.ts';
import { executionMetricsOf, failuresByTarget } from './execution-increments.ts';
import { COUNTED } from './increments.ts';

const waiting = (reason: string): WorkflowExecution =>
  anExecution({
    status: {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', reason, message: 'm', lastTransitionTime: toTime(NOW) }],
    },
  });
const skipped = (reason: 'ExhaustedRetries' | 'PreviousExecutionFailed' | 'ResourceBusy'): WorkflowExecution =>
  anExecution({ status: { phase: 'Skipped', skipDetails: { reason, message: 'm', skippedAt: toTime(NOW) } } });

describe('executions that are held back', () => {
  test.each([
    { id: 'BO-106', before: anExecution(), after: waiting('RecentlyRemediated'), want: ['RecentlyRemediated'] },
    { id: 'BO-106', before: waiting('RecentlyRemediated'), after: waiting('RecentlyRemediated'), want: [] },
    { id: 'BO-106', before: waiting('CooldownActive'), after: waiting('CooldownActive'), want: [] },
    { id: 'BO-107', before: waiting('Pending'), after: skipped('ExhaustedRetries'), want: ['ExhaustedRetries'] },
    { id: 'BO-107', before: skipped('ExhaustedRetries'), after: skipped('ExhaustedRetries'), want: [] },
    { id: 'BO-105', before: waiting('Pending'), after: skipped('PreviousExecutionFailed'), want: [] },
    { id: 'BO-105', before: waiting('Pending'), after: skipped('ResourceBusy'), want: [] },
  ])('[$id] are counted once: $want', ({ before, after, want }) => {
    expect(executionMetricsOf(before, after).map(({ labels }) => labels.reason)).toEqual(want);
  });

  test('[BO-104] [BO-105] have one label', () => {
    expect(COUNTED.workflowexecution_backoff_skip_total).toEqual(['reason']);
  });
});

describe('the count of a target', () => {
  const other = (one: WorkflowExecution): WorkflowExecution => ({ ...one, spec: { ...one.spec, targetResource: 'shop/Deployment/cart' } });
  test.each([
    { reason: 'nothing is known of', past: [], want: [] },
    {
      reason: '[BO-091] the newest count',
      past: [aFailedStart(2, { minutesAgo: 9 }), aFailedStart(3)],
      want: [['shop/Deployment/checkout', 3]],
    },
    { reason: '[BO-102] gone with a success', past: [aFailedStart(3, { minutesAgo: 9 }), aSuccess()], want: [] },
    { reason: 'gone when it is cleared', past: [aFailedStart(3, { blockClearance: CLEARED })], want: [] },
    { reason: 'a run that failed is not counted', past: [aFailedRun()], want: [] },
    {
      reason: 'each has its own',
      past: [aFailedStart(3), other(aFailedStart(1))],
      want: [
        ['shop/Deployment/checkout', 3],
        ['shop/Deployment/cart', 1],
      ],
    },
  ])('[BO-108] [BO-109] $reason', ({ past, want }) => {
    expect([...failuresByTarget(past)]).toEqual(want);
  });
});
