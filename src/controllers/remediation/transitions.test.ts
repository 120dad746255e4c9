import { readFileSync, globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mayMove, phaseNames } from '../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../api/remediation-request/phases.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { signalProcessingFor } from './children/draft-children.ts';
import { decide } from './decide.ts';
import { refuseIllegalTransition } from './refuse-illegal-transition.ts';
import { createRemediationController } from './index.ts';
import { onlyRequest } from './observe.ts';
import { aRequest, at, NOW } from './testing/builders.ts';

/** Where each move comes from: seed 000, or the ruling or decision that added it. */
interface Moves {
  readonly rows: string;
  readonly seed: readonly RemediationPhase[];
  /** Ruling 5: the operator, the global time-out, the checks after an approval. Ruling 53: the failure that reaches the threshold. */
  readonly ruled: readonly RemediationPhase[];
  /** Decision 0020 for rulings 102 (healed meanwhile) and 103 (stale plan). */
  readonly later: readonly RemediationPhase[];
}

const MOVES: Readonly<Record<RemediationPhase, Moves>> = {
  Pending: { rows: 'RR-048, RR-059', seed: ['Processing', 'Blocked'], ruled: ['TimedOut', 'Cancelled'], later: ['Completed'] },
  Processing: { rows: 'RR-049, RR-059', seed: ['Analyzing', 'Failed', 'TimedOut'], ruled: ['Cancelled'], later: ['Completed'] },
  Analyzing: {
    rows: 'RR-050, RR-059',
    seed: ['AwaitingApproval', 'Executing', 'Completed', 'Failed', 'TimedOut', 'Blocked'],
    ruled: ['Cancelled'],
    later: [],
  },
  AwaitingApproval: {
    rows: 'RR-051, RR-059',
    seed: ['Executing', 'Failed', 'TimedOut'],
    // Ruling 42: the checks run again after an approval, and may block.
    ruled: ['Blocked', 'Cancelled'],
    // Completed is for what healed meanwhile and for a target that no plan keeps up with; Analyzing for a plan that went stale.
    later: ['Completed', 'Analyzing'],
  },
  Executing: { rows: 'RR-052, RR-059', seed: ['Verifying', 'Failed', 'TimedOut', 'Skipped'], ruled: ['Cancelled'], later: [] },
  // Ruling 12 stops the global clock here, so that no TimedOut follows.
  Verifying: { rows: 'RR-053, RR-059', seed: ['Completed'], ruled: ['Cancelled'], later: [] },
  Blocked: { rows: 'RR-054, RR-059', seed: ['Failed', 'Analyzing', 'Pending'], ruled: ['Cancelled'], later: ['Completed'] },
  Failed: { rows: 'RR-055', seed: ['Blocked'], ruled: [], later: [] },
  Completed: { rows: 'RR-056', seed: [], ruled: [], later: [] },
  TimedOut: { rows: 'RR-056', seed: [], ruled: [], later: [] },
  Skipped: { rows: 'RR-056', seed: [], ruled: [], later: [] },
  Cancelled: { rows: 'RR-056', seed: [], ruled: [], later: [] },
};

const PHASES = Object.keys(MOVES) as RemediationPhase[];
const isLegal = (from: RemediationPhase, to: RemediationPhase): boolean =>
  [...MOVES[from].seed, ...MOVES[from].ruled, ...MOVES[from].later].includes(to);
const rows = PHASES.map((from) => ({ from, rows: MOVES[from].rows }));

/** A decision to go to `to`, and to create something on the way. */
const going = (to: RemediationPhase | undefined): Decision => ({
  status: to === undefined ? {} : { overallPhase: to },
  effects: [{ kind: 'Create', resource: SignalProcessing, object: signalProcessingFor(aRequest(), NOW) }],
  wakeAt: at(1_000),
});
const guarded = (from: RemediationPhase | undefined, to: RemediationPhase | undefined): Decision =>
  refuseIllegalTransition(onlyRequest(aRequest(from && { overallPhase: from }), DEFAULT_SETTINGS), going(to), NOW);

/** Nothing is written and nothing is done; it is told, and looked at again. */
function expectRefusal(decision: Decision, words: string): void {
  expect(decision.status).toBeUndefined();
  expect(decision.effects).toEqual([
    { kind: 'Event', type: 'Warning', reason: 'IllegalTransition', message: expect.stringContaining(words) as string },
  ]);
  expect(decision.wakeAt).toBeGreaterThan(NOW);
}

describe('the table of transitions', () => {
  test.each(rows)('[$rows] from $from: the moves of the seed, its rulings and decision 0020, and no other of the twelve', ({ from }) =>
    expect(PHASES.filter((to) => mayMove(remediationPhases, from, to))).toEqual(PHASES.filter((to) => isLegal(from, to))),
  );

  test('knows twelve phases', () => expect(phaseNames(remediationPhases).toSorted()).toEqual(PHASES.toSorted()));
});

describe('the guard that every decision passes', () => {
  const pairs = PHASES.flatMap((from) => PHASES.map((to) => ({ from, to, rows: MOVES[from].rows })));

  test.each(pairs.filter(({ from, to }) => from !== to && isLegal(from, to)))('[$rows] lets $from → $to through as it is', ({ from, to }) =>
    expect(guarded(from, to)).toEqual(going(to)),
  );

  test.each(pairs.filter(({ from, to }) => from !== to && !isLegal(from, to)))(
    '[RR-057, RR-221, $rows] changes nothing for $from → $to, and tells it',
    ({ from, to }) => expectRefusal(guarded(from, to), `from ${from} to ${to}`),
  );

  test.each(PHASES)('lets a decision stay in %s', (phase) => expect(guarded(phase, phase)).toEqual(going(phase)));

  test.each(PHASES)('a request without a phase begins in Pending alone: %s', (to) => {
    if (to === 'Pending') expect(guarded(undefined, to)).toEqual(going(to));
    else expectRefusal(guarded(undefined, to), `from no phase to ${to}`);
  });

  test.each(PHASES)('a phase is never taken away: %s', (from) => expectRefusal(guarded(from, undefined), `from ${from} to no phase`));

  test('what writes no status is no move', () => {
    const idle: Decision = { effects: going('Failed').effects };
    expect(refuseIllegalTransition(onlyRequest(aRequest({ overallPhase: 'Completed' }), DEFAULT_SETTINGS), idle, NOW)).toBe(idle);
  });
});

describe('no way around the table', () => {
  test('[RR-057] the controller decides by the guarded decision alone', () => {
    const controller = createRemediationController({
      settings: () => DEFAULT_SETTINGS,
      identityIsChecked: () => true,
      isAudited: () => true,
    });
    expect(controller.decide).toBe(decide);
  });

  test('[RR-057] whatever else writes the status of a request leaves its phase alone', () => {
    const sources = globSync('src/**/*.ts').map((path) => path.replaceAll('\\', '/'));
    const writers = sources
      .filter((path) => !/\.test\.ts$|\/(testing|testkit)\//.test(path))
      .filter((path) => /\b(patch|update|replace)Status\(RemediationRequest\b/.test(readFileSync(path, 'utf8')));
    expect(writers).toContain('src/gateway/record-signal.ts');
    expect(writers.filter((path) => /overallPhase:/.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});
