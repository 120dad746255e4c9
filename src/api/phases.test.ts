import { describe, expect, test } from 'vitest';
import { isTerminal, kinds, mayMove, phaseNames, remediationPhases, type Phases, type RemediationPhase } from './index.ts';

const living = kinds.flatMap(({ kind, phases }) => (phases ? [{ kind, phases }] : []));

function reachable(phases: Phases, from: string, seen = new Set([from])): ReadonlySet<string> {
  for (const next of phases.transitions[from] ?? []) if (!seen.has(next)) reachable(phases, next, seen.add(next));
  return seen;
}

describe.each(living)('the life of $kind', ({ phases }) => {
  const names = phaseNames(phases);

  test('begins, moves and ends in phases that exist', () => {
    expect(names).toEqual(expect.arrayContaining([phases.initial, ...phases.terminal, ...Object.values(phases.transitions).flat()]));
  });

  test('reaches every phase from the first', () => expect([...reachable(phases, phases.initial)].toSorted()).toEqual(names.toSorted()));

  test('has a way to an end from everywhere', () => {
    const stuck = names.filter((name) => ![...reachable(phases, name)].some((end) => phases.terminal.includes(end)));
    expect(stuck).toEqual([]);
  });

  test('has no step from a phase to itself', () => expect(names.filter((name) => phases.transitions[name]?.includes(name))).toEqual([]));
});

test('only a failed RemediationRequest that is blocked, and an escalated Machine that fails again, leave a terminal phase', () => {
  const ways = living.flatMap(({ kind, phases }) =>
    phases.terminal.flatMap((end) => (phases.transitions[end] ?? []).map((to) => `${kind}: ${end} to ${to}`)),
  );
  expect(ways).toEqual(['RemediationRequest: Failed to Blocked', 'PowerCycleRemediation: escalated to pending']);
});

test('a RemediationRequest makes exactly these moves and no other', () => {
  const legal: Record<RemediationPhase, string> = {
    Pending: 'Processing Blocked Completed TimedOut Cancelled',
    Processing: 'Analyzing Completed Failed TimedOut Cancelled',
    Analyzing: 'AwaitingApproval Executing Completed Failed TimedOut Blocked Cancelled',
    AwaitingApproval: 'Executing Analyzing Completed Failed TimedOut Blocked Cancelled',
    Executing: 'Verifying Failed TimedOut Skipped Cancelled',
    Verifying: 'Completed Cancelled',
    Blocked: 'Failed Analyzing Pending Completed Cancelled',
    Completed: '',
    Failed: 'Blocked',
    TimedOut: '',
    Skipped: '',
    Cancelled: '',
  };
  const names = phaseNames(remediationPhases);
  expect(names).toHaveLength(12);
  for (const from of names) {
    const moves = names.filter((to) => mayMove(remediationPhases, from, to));
    expect([from, moves.toSorted()]).toEqual([from, legal[from].split(' ').filter(Boolean).toSorted()]);
  }
});

test.each([
  { phase: undefined, want: false, reason: 'an object without a phase is not terminal' },
  { phase: 'Blocked', want: false, reason: 'a block is lifted some day' },
  { phase: 'Failed', want: true, reason: 'a failure is an end, even though one of them is held back' },
] as const)('isTerminal of $phase is $want: $reason', ({ phase, want }) => expect(isTerminal(remediationPhases, phase)).toBe(want));
