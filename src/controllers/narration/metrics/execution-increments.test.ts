import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, SECOND, toTime } from '../../../base/index.ts';
import { anExecution, NOW } from '../../execution/testing/builders.ts';
import { aFailedRun, aFailedStart, aSuccess, CLEARED } from '../../execution/testing/finished-executions.ts';
import { executionMetricsOf, failuresByTarget, runTimeOf } from './execution-increments.ts';
import { COUNTERS } from './counters.ts';
import { createNarrationMetrics } from './narration-metrics.ts';

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
    expect(COUNTERS.workflowexecution_backoff_skip_total.labels).toEqual(['reason']);
  });
});

const GAUGE = 'workflowexecution_consecutive_failures';

/** The series of the gauge at each scrape. */
function following(past: () => readonly WorkflowExecution[]): () => Promise<readonly string[]> {
  const registry = new Registry();
  createNarrationMetrics(registry).follow({ pendingEvents: () => 0, blocked: () => new Map(), failures: () => failuresByTarget(past()) });
  return async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith(GAUGE));
}
const seriesFor = (past: readonly WorkflowExecution[]): Promise<readonly string[]> => following(() => past)();

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
  ])('[BO-108] [BO-109] $reason', async ({ past, want }) => {
    expect([...failuresByTarget(past)]).toEqual(want);
    expect(await seriesFor(past)).toEqual(want.map(([target, count]) => `${GAUGE}{target_resource="${target}"} ${count}`));
  });

  test('[BO-108] a series disappears with the count of its target', async () => {
    let past = [aFailedStart(3), other(aFailedStart(1))];
    const lines = following(() => past);
    expect(await lines()).toHaveLength(2);
    past = [aFailedStart(3), aSuccess({ minutesAgo: 0 }), other(aFailedStart(1))];
    expect(await lines()).toEqual([`${GAUGE}{target_resource="shop/Deployment/cart"} 1`]);
  });
});

describe('executions that end', () => {
  const at = (seconds: number): string => toTime(after(NOW, seconds * SECOND));
  const ended = (phase: 'Completed' | 'Failed' | 'Skipped', startTime?: string): WorkflowExecution =>
    anExecution({ status: { phase, completionTime: at(90), ...(startTime === undefined ? {} : { startTime }) } });
  const isRunning = anExecution({ status: { phase: 'Running', startTime: at(0) } });

  test.each([
    { name: '[BO-101] a success', before: isRunning, after: ended('Completed', at(0)), counted: 'Completed', took: 90 },
    { name: '[BO-095] a failed run', before: isRunning, after: ended('Failed', at(30)), counted: 'Failed', took: 60 },
    {
      name: '[BO-095] a failure before anything ran, since its creation',
      before: waiting('Pending'),
      after: ended('Failed'),
      counted: 'Failed',
      took: 90,
    },
    { name: 'a clock that went back', before: isRunning, after: ended('Failed', at(100)), counted: 'Failed', took: 0 },
    { name: 'a skip', before: waiting('Pending'), after: ended('Skipped'), counted: undefined, took: undefined },
    { name: 'an end that was counted', before: ended('Failed', at(0)), after: ended('Failed', at(0)), counted: undefined, took: undefined },
    { name: 'one that goes on', before: isRunning, after: isRunning, counted: undefined, took: undefined },
  ])('$name: $counted after $took s', ({ before, after: now, counted, took }) => {
    const outcomes = executionMetricsOf(before, now).map(({ counter, labels }) => `${counter} ${labels['outcome']}`);
    expect(outcomes).toEqual(counted === undefined ? [] : [`workflowexecution_reconciler_total ${counted}`]);
    expect(runTimeOf(before, now)?.seconds).toBe(took);
    expect(runTimeOf(before, now)?.outcome).toBe(took === undefined ? undefined : counted);
  });

  test.each([
    { name: 'during the run', before: isRunning, after: ended('Failed', at(30)), sum: 60 },
    { name: 'before anything ran', before: waiting('Pending'), after: ended('Failed'), sum: 90 },
  ])('[BO-095] a failure $name is in the failure metric, with its duration', async ({ before, after: now, sum }) => {
    const registry = new Registry();
    const metrics = createNarrationMetrics(registry);
    metrics.count(executionMetricsOf(before, now));
    const took = runTimeOf(before, now);
    if (took) metrics.took(took);
    const text = await registry.metrics();
    expect(text).toContain('workflowexecution_reconciler_total{outcome="Failed"} 1');
    expect(text).toContain('workflowexecution_reconciler_duration_seconds_count{outcome="Failed"} 1');
    expect(text).toContain(`workflowexecution_reconciler_duration_seconds_sum{outcome="Failed"} ${sum}`);
  });

  test('are in Prometheus under the names that dashboards know', async () => {
    const registry = new Registry();
    const metrics = createNarrationMetrics(registry);
    metrics.count(executionMetricsOf(isRunning, ended('Completed', at(0))));
    metrics.took({ outcome: 'Completed', seconds: 90 });
    const text = await registry.metrics();
    expect(text).toContain('workflowexecution_reconciler_total{outcome="Completed"} 1');
    expect(text).toContain('workflowexecution_reconciler_duration_seconds_sum{outcome="Completed"} 90');
    expect(text).toContain('workflowexecution_reconciler_duration_seconds_bucket{le="120",outcome="Completed"} 1');
    expect(text).toContain('workflowexecution_reconciler_duration_seconds_bucket{le="60",outcome="Completed"} 0');
  });
});
