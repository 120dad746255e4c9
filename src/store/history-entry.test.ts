import { describe, expect, test } from 'vitest';
import { overallScore } from '../api/effectiveness-assessment/overall-score.ts';
import { entriesOf, preHashIn } from './history-entry.ts';
import { aRemediation, type RemediationOptions } from './testing/a-remediation.ts';

const entryOf = (options: RemediationOptions = {}) => entriesOf(aRemediation(options))[0];

describe('an entry of history', () => {
  test.each<{ name: string; scores: Exclude<RemediationOptions['scores'], false | undefined>; reason?: string; want: number | undefined }>([
    { name: 'all components', scores: { health: 1, alert: 1, metrics: 0 }, want: 0.75 },
    { name: 'without the alert', scores: { health: 1, metrics: 0 }, want: overallScore({ healthScore: 1, metricsScore: 0 }) },
    { name: 'drift', scores: { health: 1, alert: 1, metrics: 1 }, reason: 'SpecDrift', want: 0 },
    { name: 'nothing known', scores: {}, want: undefined },
  ])('[EM-218] $name: the score is computed from the recorded results', ({ scores, reason, want }) =>
    expect(entryOf({ scores, ...(reason !== undefined && { reason }) })?.effectivenessScore).toBe(want),
  );

  test('[EM-218] a score that was written into the event does not count', () => {
    const events = aRemediation({ scores: { health: 0.5 } }).map((event) =>
      event.type === 'effectiveness.assessment.completed' ? { ...event, data: { ...event.data, score: 0.9 } } : event,
    );
    expect(entriesOf(events)[0]?.effectivenessScore).toBe(0.5);
  });

  test.each<[Exclude<RemediationOptions['scores'], false | undefined>, number]>([
    [{ health: 1 }, 0.4],
    [{ health: 1, alert: 1 }, 0.75],
    [{ health: 1, alert: 1, metrics: 0 }, 1],
  ])('a score says how much of it was measured: %j', (scores, share) => expect(entryOf({ scores })?.measuredShare).toBe(share));

  test('a run without an assessment has no score, which is not 0', () => {
    const entry = entryOf({ scores: false });
    expect(entry).toMatchObject({ execution: 'Completed', outcome: 'Remediated' });
    for (const unknown of ['effectivenessScore', 'measuredShare', 'signalResolved', 'assessmentReason', 'assessedAt'])
      expect(entry).not.toHaveProperty(unknown);
  });

  test('an alert that was not read is neither resolved nor firing', () =>
    expect(entryOf({ scores: { health: 1 } })).not.toHaveProperty('signalResolved'));

  test('a run that failed is part of history', () =>
    expect(entryOf({ run: { failed: true, wasExecutionFailure: true } })).toMatchObject({ execution: 'Failed', outcome: 'Failed' }));

  test('one that failed before anything ran is not', () =>
    expect(entryOf({ run: { failed: true, wasExecutionFailure: false } })).toBeUndefined());

  test('a remediation that never ran has no entry', () =>
    expect(entriesOf(aRemediation().filter(({ type }) => !type.startsWith('workflowexecution.')))).toEqual([]));

  test('what was recorded before requests were named by UID goes by the name', () => {
    const old = aRemediation().map((event) => ({
      ...event,
      data: Object.fromEntries(Object.entries(event.data).filter(([key]) => key !== 'request')),
    }));
    expect(entriesOf(old)).toMatchObject([{ remediationUID: 'uid-rr-1', outcome: 'Remediated', effectivenessScore: 1 }]);
  });
});

describe('the hash from before', () => {
  test.each(['verifying_started', 'completed', 'failed'] as const)('is told by orchestrator.lifecycle.%s', (what) => {
    const [first] = aRemediation({ uid: 'u' });
    const told = first && { ...first, type: `orchestrator.lifecycle.${what}` as const, data: { preRemediationSpecHash: 'sha256:p' } };
    expect(preHashIn(told ? [told] : [], 'u')).toBe('sha256:p');
    expect(preHashIn(told ? [told] : [], 'another')).toBeUndefined();
  });
});
