import { describe, expect, test } from 'vitest';
import { describeRemediation, historyWarnings } from './history-warnings.ts';
import type { HistorySummary, EarlierRemediation } from './remediation-history.ts';
import { anEffective, anIneffective } from './testing/a-history.ts';

const warn = (remediations: readonly EarlierRemediation[], more: Partial<HistorySummary> = {}) =>
  historyWarnings({ regressionDetected: false, remediations, ...more });

/** Runs with these scores, the first one first. */
const scored = (...scores: readonly number[]): readonly EarlierRemediation[] =>
  scores.map((effectivenessScore, i) => anEffective({ remediation: `rr-${i}`, effectivenessScore }));

describe('what the past warns of', () => {
  test('[EM-260] nothing where nothing speaks against it', () => {
    expect(warn([])).toEqual([]);
    expect(warn([anEffective(), anEffective({ remediation: 'rr-2' })])).toEqual([]);
  });

  test('[EM-260] each remediation that did not help, with its score and its outcome', () =>
    expect(warn([anIneffective(), anEffective({ remediation: 'rr-2' })])).toEqual([
      'rr-1, 2026-03-02T10:05:00Z: rollback:1.0.0 did not help shop/Deployment/checkout (outcome Inconclusive, score 0.27, its alert kept firing)',
    ]));

  test('[EM-260] one that was done to the same spec elsewhere', () =>
    expect(warn([anIneffective({ isSameTarget: false, target: 'pay/Deployment/till' })])).toEqual([
      'rr-1, 2026-03-02T10:05:00Z: rollback:1.0.0 did not help pay/Deployment/till, which had the same spec (outcome Inconclusive, score 0.27, its alert kept firing)',
    ]));

  test('[EM-260] a regression', () => {
    const past = anEffective({ hashMatch: 'preRemediation' });
    expect(warn([past], { regressionDetected: true })).toEqual([
      'regression: shop/Deployment/checkout is as it was before rr-1 (rollback:1.0.0, 2026-03-02T10:05:00Z); its change was undone',
      'rr-1, 2026-03-02T10:05:00Z: rollback:1.0.0 did not help shop/Deployment/checkout (outcome Remediated, score 1, its change was undone)',
    ]);
  });

  test('[EM-260] a result without meaning, since the target changed', () =>
    expect(warn([anEffective({ assessmentReason: 'SpecDrift', effectivenessScore: 0, outcome: 'Inconclusive' })])).toEqual([
      'rr-1, 2026-03-02T10:05:00Z: rollback:1.0.0 had no conclusive effect on shop/Deployment/checkout (outcome Inconclusive, score 0, the target changed before it was assessed)',
    ]));

  const falling =
    'rollback:1.0.0 helps shop/Deployment/checkout less each time: it scored 1, then 0.8, then 0.75; look for the cause behind it';
  test.each<[string, readonly EarlierRemediation[], readonly string[]]>([
    ['three times less and less', scored(1, 0.8, 0.75), [falling]],
    ['of more the last three', scored(0.75, 1, 0.8, 0.75), [falling]],
    ['twice is no trend', scored(1, 0.8), []],
    ['once the same', scored(1, 0.8, 0.8), []],
    ['up again', scored(0.8, 0.75, 1), []],
    ['several workflows', scored(1, 0.8, 0.75).map((run, i) => ({ ...run, workflow: { id: `${i}` } })), []],
    ['elsewhere', scored(1, 0.8, 0.75).map((run) => ({ ...run, isSameTarget: false })), []],
  ])('[EM-260] falling scores: %s', (_, past, want) => expect(warn(past)).toEqual(want));

  test('[EM-260] a score of 0 for drift is no part of a trend', () => {
    const [first, second] = scored(1, 0.8);
    const drifted = anEffective({ assessmentReason: 'SpecDrift', effectivenessScore: 0 });
    expect(warn([first ?? drifted, second ?? drifted, drifted]).filter((text) => text.includes('less each time'))).toEqual([]);
  });

  test('[EM-260] a workflow that did not help again and again', () =>
    expect(warn([anIneffective(), anEffective({ remediation: 'rr-2' }), anIneffective({ remediation: 'rr-3' })])[0]).toBe(
      'rollback:1.0.0 did not help shop/Deployment/checkout 2 of 3 times: another remediation is needed',
    ));

  test('of many the newest', () => {
    const many = Array.from({ length: 9 }, (_, i) => anIneffective({ remediation: `rr-${i}`, workflow: { id: `w${i}` } }));
    expect(warn(many).map((text) => text.split(',')[0])).toEqual(['rr-4', 'rr-5', 'rr-6', 'rr-7', 'rr-8']);
  });

  test('that the newest may be missing', () =>
    expect(warn([], { gap: 'the disk is full' })).toEqual(['the newest remediations may be missing from the history: the disk is full']));
});

test.each<[EarlierRemediation, string]>([
  [anEffective(), 'helped shop/Deployment/checkout (outcome Remediated, score 1)'],
  [anEffective({ effectivenessScore: 0.5 }), 'had no clear effect on shop/Deployment/checkout (outcome Remediated, score 0.5)'],
  [anEffective({ measuredShare: 0.4 }), 'helped shop/Deployment/checkout (outcome Remediated, score 1, of which 40 % was measured)'],
  [
    anEffective({ execution: 'Failed', outcome: 'Failed' }),
    'did not help shop/Deployment/checkout (outcome Failed, score 1, the run failed)',
  ],
])('a remediation in a sentence', (past, want) =>
  expect(describeRemediation(past)).toBe(`rr-1, 2026-03-02T10:05:00Z: rollback:1.0.0 ${want}`),
);

test('what is not known is said not to be', () => {
  const { outcome: _, effectivenessScore: __, ...past } = anEffective();
  expect(describeRemediation(past)).toMatch(/\(outcome not known, no score\)$/);
});
