import { describe, expect, test } from 'vitest';
import {
  remediationEffect,
  wasUndone,
  lastResultOf,
  workflowText,
  type RemediationEffect,
  type EarlierRemediation,
} from './remediation-history.ts';
import { anEffective, anIneffective } from './testing/a-history.ts';

const { signalResolved: _, ...unread } = anEffective();
const { effectivenessScore: __, assessmentReason: ___, ...unassessed } = unread;
const { measuredShare: ____, ...withoutShare } = unread;

describe('whether a remediation helped', () => {
  test.each<{ name: string; past: EarlierRemediation; want: RemediationEffect }>([
    { name: 'the alert is gone, the target is healthy', past: anEffective(), want: 'effective' },
    { name: 'the alert still fires, however healthy the target is', past: anEffective({ signalResolved: false }), want: 'ineffective' },
    { name: 'the run failed', past: anEffective({ execution: 'Failed' }), want: 'ineffective' },
    { name: 'it was not assessed', past: unassessed, want: 'unknown' },
    { name: 'the alert was not read, the target is healthy', past: unread, want: 'effective' },
    { name: 'the alert was not read, the target is unhealthy', past: { ...unread, effectivenessScore: 0 }, want: 'ineffective' },
    { name: 'just good enough', past: anEffective({ effectivenessScore: 0.7 }), want: 'effective' },
    { name: 'just not good enough', past: anEffective({ effectivenessScore: 0.69 }), want: 'unknown' },
    { name: 'just not poor', past: anEffective({ effectivenessScore: 0.4 }), want: 'unknown' },
    { name: 'just poor', past: anEffective({ effectivenessScore: 0.39 }), want: 'ineffective' },
    { name: 'all well from health alone, just good enough', past: { ...unread, measuredShare: 0.4 }, want: 'effective' },
    { name: 'nearly well from health alone', past: { ...unread, effectivenessScore: 0.75, measuredShare: 0.4 }, want: 'unknown' },
    { name: 'all well from metrics alone', past: { ...unread, measuredShare: 0.25 }, want: 'unknown' },
    { name: 'unhealthy, from health alone', past: { ...unread, effectivenessScore: 0, measuredShare: 0.4 }, want: 'ineffective' },
    {
      name: 'no better, from metrics of which half was measured',
      past: { ...unread, effectivenessScore: 0, measuredShare: 0.125 },
      want: 'unknown',
    },
    { name: 'a score of which it is not known what it rests on', past: withoutShare, want: 'unknown' },
    {
      name: 'drift, whose score of 0 says nothing',
      past: anEffective({ assessmentReason: 'SpecDrift', effectivenessScore: 0, signalResolved: false }),
      want: 'unknown',
    },
    { name: 'rolled back', past: anEffective({ hashMatch: 'preRemediation' }), want: 'ineffective' },
    {
      name: 'drift that rolled it back',
      past: anEffective({ hashMatch: 'preRemediation', assessmentReason: 'SpecDrift' }),
      want: 'ineffective',
    },
    {
      name: 'the spec was never changed',
      past: anEffective({ hashMatch: 'preRemediation', postRemediationSpecHash: 'sha256:a' }),
      want: 'effective',
    },
  ])('$name: $want', ({ past, want }) => expect(remediationEffect(past)).toBe(want));

  test('a remediation of another target never counts as undone here', () =>
    expect(wasUndone(anEffective({ hashMatch: 'preRemediation', isSameTarget: false }))).toBe(false));
});

describe('what a workflow last did for the target', () => {
  const ROLLBACK = { name: 'rollback', version: '1.0.0' };
  test.each<{ name: string; past: readonly EarlierRemediation[]; want: RemediationEffect }>([
    { name: 'it never ran', past: [], want: 'unknown' },
    { name: 'the last run counts', past: [anIneffective(), anEffective()], want: 'effective' },
    { name: 'the last run counts, also against it', past: [anEffective(), anIneffective()], want: 'ineffective' },
    { name: 'an unassessed run does not count', past: [anIneffective(), unassessed], want: 'ineffective' },
    { name: 'another workflow', past: [anIneffective({ workflow: { id: 'x', name: 'restart', version: '1.0.0' } })], want: 'unknown' },
    { name: 'another version', past: [anIneffective({ workflow: { id: 'x', name: 'rollback', version: '0.9.0' } })], want: 'unknown' },
    { name: 'another target', past: [anIneffective({ isSameTarget: false })], want: 'unknown' },
  ])('$name: $want', ({ past, want }) => expect(lastResultOf(ROLLBACK, past).effect).toBe(want));
});

test.each([
  [{ id: 'w', name: 'rollback', version: '1.0.0' }, 'rollback:1.0.0'],
  [{ id: 'w' }, 'w'],
])('%j is %s', (workflow, want) => expect(workflowText(workflow)).toBe(want));
