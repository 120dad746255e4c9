import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { RoutingEvidence } from './evidence.ts';
import { frozen } from '../testing/change-evidence.ts';
import { CHECK_ORDER, judgeAll, firstObjection, type CheckPoint } from './route.ts';
import {
  ago,
  all,
  anAssessment,
  anEarlyEvidence,
  anEvidence,
  anExecution,
  aRequest,
  at,
  failed,
  NOW,
  UNREADABLE,
} from './testing/builders.ts';

const ORDER = CHECK_ORDER;
const NAMES = ['r0', 'r1', 'r2'];
const past = NAMES.map((name, i) =>
  aRequest(name, { overallPhase: 'Completed', outcome: 'Inconclusive', verifyingStartTime: ago((i + 1) * 10 * MINUTE) }),
);
const older = aRequest('older', { overallPhase: 'Analyzing' }, { metadata: { creationTimestamp: ago(2 * HOUR) } });

/** The state of the cluster in which each of these checks objects, and no other does. */
function withObjections(...reasons: readonly BlockReason[]): RoutingEvidence {
  const has = (reason: BlockReason): boolean => reasons.includes(reason);
  const others = [
    ...(has('ConsecutiveFailures') ? [30, 20, 10].map((minutes) => failed(`f${minutes}`, minutes * MINUTE)) : []),
    ...(has('DuplicateInProgress') ? [older] : []),
    ...(has('ExponentialBackoff') ? [failed('hold', HOUR, { nextAllowedExecution: toTime(at(MINUTE)) })] : []),
  ];
  const executions = [
    ...(has('ResourceBusy') ? [anExecution('busy', { phase: 'Running' })] : []),
    ...(has('RecentlyRemediated') ? [anExecution('recent', { phase: 'Completed', completionTime: ago(MINUTE) })] : []),
  ];
  return anEvidence({
    ...(has('ChangeFreeze') && { changes: frozen(NOW) }),
    scope: has('UnmanagedResource') ? { kind: 'out', message: 'not managed' } : { kind: 'in' },
    others: all(...others),
    planned: {
      executions: all(...executions),
      ...(has('IneffectiveChain') && {
        history: all(...past),
        assessments: all(...NAMES.map((name) => anAssessment(name, { alertAssessed: true, alertScore: 0 }))),
      }),
    },
  });
}

const reasonAt = (point: CheckPoint, evidence: RoutingEvidence) => {
  const routing = firstObjection(point, evidence, NOW);
  return routing.kind === 'pass' ? 'pass' : routing.check;
};

test('with nothing against it a request passes at both points', () => {
  expect(firstObjection('pre-analysis', anEarlyEvidence(), NOW)).toEqual({ kind: 'pass' });
  expect(firstObjection('post-analysis', anEvidence(), NOW)).toEqual({ kind: 'pass' });
});

describe('the order of the checks', () => {
  test('is that of the two tables', () => {
    expect(judgeAll('pre-analysis', anEarlyEvidence(), NOW).map(({ check }) => check)).toEqual(ORDER.slice(0, 4));
    expect(judgeAll('post-analysis', anEvidence(), NOW).map(({ check }) => check)).toEqual(ORDER);
    expect(ORDER).toEqual([
      'UnmanagedResource',
      'ConsecutiveFailures',
      'DuplicateInProgress',
      'ExponentialBackoff',
      'ResourceBusy',
      'RecentlyRemediated',
      'IneffectiveChain',
      'ChangeFreeze',
    ]);
  });

  test.each(ORDER)('%s alone is the reason after the analysis', (reason) =>
    expect(reasonAt('post-analysis', withObjections(reason))).toBe(reason),
  );

  test.each(ORDER.slice(0, 4))('[RR-138] %s is the reason before the analysis and after it', (reason) => {
    const { planned: _, ...early } = withObjections(reason);
    expect(reasonAt('pre-analysis', early)).toBe(reason);
    expect(reasonAt('post-analysis', withObjections(reason))).toBe(reason);
  });

  test.each(ORDER.slice(4))('[RR-137] %s is not asked before the analysis', (reason) =>
    expect(reasonAt('pre-analysis', withObjections(reason))).toBe('pass'),
  );

  test.each([
    ['[RR-121]', 'UnmanagedResource', 'ConsecutiveFailures'],
    ['[RR-122]', 'ConsecutiveFailures', 'DuplicateInProgress'],
    ['[RR-123]', 'DuplicateInProgress', 'ExponentialBackoff'],
    ['[RR-124]', 'ExponentialBackoff', 'ResourceBusy'],
    ['[RR-125]', 'ResourceBusy', 'RecentlyRemediated'],
    ['[RR-126]', 'RecentlyRemediated', 'IneffectiveChain'],
  ] as const)('%s with both true the reason is %s, not %s', (_, first, second) =>
    expect(reasonAt('post-analysis', withObjections(first, second))).toBe(first),
  );

  test('[RR-127] of any that object the first in order is the one reason', () =>
    fc.assert(
      fc.property(fc.subarray([...ORDER], { minLength: 1 }), (reasons) => {
        expect(reasonAt('post-analysis', withObjections(...reasons))).toBe(reasons[0]);
        const blocking = judgeAll('post-analysis', withObjections(...reasons), NOW).filter(({ kind }) => kind === 'block');
        expect(blocking.map(({ check }) => check)).toEqual(reasons);
      }),
    ));
});

describe('what cannot be judged', () => {
  test('[RR-157] is asked again after 5 s, or as the settings say', () => {
    expect(firstObjection('pre-analysis', anEarlyEvidence({ scope: UNREADABLE }), NOW)).toMatchObject({
      kind: 'unknown',
      check: 'UnmanagedResource',
      reason: 'forbidden',
      lookAgainAt: at(5 * SECOND),
    });
    const patient = anEarlyEvidence({ scope: UNREADABLE, routing: { requeueGenericErrorMs: MINUTE } });
    expect(firstObjection('pre-analysis', patient, NOW)).toMatchObject({ lookAgainAt: at(MINUTE) });
  });

  test('gives way to an earlier objection', () =>
    expect(firstObjection('post-analysis', { ...withObjections('UnmanagedResource'), others: UNREADABLE }, NOW)).toMatchObject({
      kind: 'block',
      check: 'UnmanagedResource',
    }));

  test('goes before a later one: which reason is the first is not known yet', () =>
    expect(firstObjection('post-analysis', { ...withObjections('ResourceBusy'), others: UNREADABLE }, NOW)).toMatchObject({
      kind: 'unknown',
      check: 'ConsecutiveFailures',
    }));

  test('never passes, whatever it is', () => {
    const { planned } = anEvidence();
    const blind: readonly RoutingEvidence[] = [
      anEvidence({ scope: UNREADABLE }),
      anEvidence({ others: UNREADABLE }),
      anEvidence({ planned: { scope: UNREADABLE } }),
      anEvidence({ planned: { executions: UNREADABLE } }),
      anEvidence({ planned: { history: UNREADABLE } }),
      anEvidence({ planned: { assessments: UNREADABLE } }),
      anEarlyEvidence(),
    ];
    expect(planned).toBeDefined();
    for (const evidence of blind) expect(firstObjection('post-analysis', evidence, NOW).kind).toBe('unknown');
  });
});

describe('whatever there is', () => {
  const anyEvidence = fc.record({ reasons: fc.subarray([...ORDER]), shuffle: fc.infiniteStream(fc.nat(1_000)) });
  const shuffled = <T>(items: readonly T[], keys: Iterator<number>): readonly T[] =>
    items
      .map((item) => ({ item, key: keys.next().value as number }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ item }) => item);

  test('the result does not depend on the order of the lists, and routing twice gives the same', () =>
    fc.assert(
      fc.property(anyEvidence, ({ reasons, shuffle }) => {
        const evidence = withObjections(...reasons);
        const { others, planned } = evidence;
        if (others.kind !== 'value' || planned?.executions.kind !== 'value' || planned.history.kind !== 'value')
          throw new Error('unreadable');
        const mixed: RoutingEvidence = {
          ...evidence,
          others: all(...shuffled(others.value, shuffle)),
          planned: {
            ...planned,
            executions: all(...shuffled(planned.executions.value, shuffle)),
            history: all(...shuffled(planned.history.value, shuffle)),
          },
        };
        const first = firstObjection('post-analysis', evidence, NOW);
        expect(firstObjection('post-analysis', evidence, NOW)).toEqual(first);
        expect(firstObjection('post-analysis', mixed, NOW)).toEqual(first);
        expect(judgeAll('post-analysis', mixed, NOW)).toEqual(judgeAll('post-analysis', evidence, NOW));
      }),
    ));

  test('[RR-063] every objection says when to check again, and in the future', () => {
    for (const reason of ORDER) {
      const routing = firstObjection('post-analysis', withObjections(reason), NOW);
      expect(routing.kind === 'block' && routing.lookAgainAt > NOW).toBe(true);
    }
  });

  test.each([
    ['ConsecutiveFailures', true],
    ['ExponentialBackoff', true],
    ['RecentlyRemediated', true],
    ['UnmanagedResource', false],
    ['DuplicateInProgress', false],
    ['ResourceBusy', false],
    ['IneffectiveChain', false],
  ] as const)('[RR-062, RR-111] %s names its end: %s', (reason, hasEnd) => {
    const routing = firstObjection('post-analysis', withObjections(reason), NOW);
    expect(routing.kind === 'block' && routing.until !== undefined).toBe(hasEnd);
  });
});
