import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedTest } from '../test-run/record.ts';
import { judge } from './judge.ts';
import { report } from './report.ts';
import type { Row } from './rows.ts';

const aRow = (id: string): Row => ({ id, file: 'a.md', text: `what ${id} says` });
const manyRows = (count: number): readonly Row[] => Array.from({ length: count }, (_, i) => aRow(`RR-${i + 1}`));
const aTest = (title: string, state: RecordedTest['state'] = 'passed'): RecordedTest => ({
  file: 'a.test.ts',
  project: 'unit',
  title,
  state,
});

describe('judge', () => {
  const answers = [{ record: '0001-a.md', ids: ['RR-1'] }];
  const cases = [
    { reason: 'no test and no record', tests: [], answers: [], want: 'open' },
    { reason: 'a passing test', tests: [aTest('[RR-1] a')], answers: [], want: 'proved' },
    { reason: 'a failing test', tests: [aTest('[RR-1] a', 'failed')], answers: [], want: 'open' },
    { reason: 'a skipped test proves nothing', tests: [aTest('[RR-1] a', 'skipped')], answers: [], want: 'open' },
    { reason: 'one of two tests fails', tests: [aTest('[RR-1] a'), aTest('[RR-1] b', 'failed')], answers: [], want: 'open' },
    { reason: 'one of two tests is skipped', tests: [aTest('[RR-1] a'), aTest('[RR-1] b', 'skipped')], answers: [], want: 'proved' },
    { reason: 'a record alone', tests: [], answers, want: 'answered' },
    { reason: 'a passing test and a record', tests: [aTest('[RR-1] a')], answers, want: 'proved' },
    { reason: 'a failing test and a record', tests: [aTest('[RR-1] a', 'failed')], answers, want: 'open' },
  ];
  test.each(cases)('$reason → $want', ({ tests, answers: given, want }) => {
    const judgement = judge({ rows: manyRows(20), tests, answers: given });
    expect(judgement.rows[0]).toMatchObject({ id: 'RR-1', state: want });
    expect(judgement.problems).toEqual([]);
  });

  test('a proved row names its test, an answered row its decision record', () => {
    const judgement = judge({ rows: manyRows(20), tests: [aTest('[RR-2] a')], answers });
    expect(judgement.rows.slice(0, 3).map((row) => row.by)).toEqual([['0001-a.md'], ['a.test.ts: [RR-2] a'], []]);
  });

  const problems = [
    {
      reason: 'a title with an unknown id',
      rows: manyRows(1),
      tests: [aTest('[RR-999] a')],
      answers: [],
      want: /RR-999 is not a requirement: a\.test\.ts/,
    },
    {
      reason: 'an unknown id, although skipped',
      rows: manyRows(1),
      tests: [aTest('[RR-999] a', 'skipped')],
      answers: [],
      want: /RR-999 is not/,
    },
    {
      reason: 'a record with an unknown id',
      rows: manyRows(1),
      tests: [],
      answers: [{ record: '0002-b.md', ids: ['XX-1'] }],
      want: /XX-1 is not a requirement: 0002-b\.md/,
    },
    { reason: 'an id that is listed twice', rows: [aRow('RR-1'), aRow('RR-1')], tests: [], answers: [], want: /RR-1 is listed twice/ },
    {
      reason: 'more than one answer in twenty',
      rows: manyRows(39),
      tests: [],
      answers: [{ record: 'r.md', ids: ['RR-1', 'RR-2'] }],
      want: /2 rows are answered .* at most 1 of 39/,
    },
  ];
  test.each(problems)('$reason is a problem', ({ want, ...evidence }) => {
    expect(judge(evidence).problems).toEqual([expect.stringMatching(want)]);
  });

  test('two answers in forty are allowed', () => {
    expect(judge({ rows: manyRows(40), tests: [], answers: [{ record: 'r.md', ids: ['RR-1', 'RR-2'] }] }).problems).toEqual([]);
  });

  test('every row is judged exactly once, in order', () => {
    const state = fc.constantFrom<RecordedTest['state']>('passed', 'failed', 'skipped');
    const aRun = fc.array(fc.record({ id: fc.integer({ min: 1, max: 30 }), state }));
    fc.assert(
      fc.property(aRun, (run) => {
        const rows = manyRows(30);
        const tests = run.map(({ id, state: ended }) => aTest(`[RR-${id}] a`, ended));
        expect(judge({ rows, tests, answers: [] }).rows.map((row) => row.id)).toEqual(rows.map((row) => row.id));
      }),
    );
  });
});

describe('report', () => {
  const judgement = judge({
    rows: [aRow('RR-1'), aRow('RR-2'), { id: 'EM-1', file: 'b.md', text: 'else' }],
    tests: [aTest('[RR-1] a'), aTest('[RR-9] b')],
    answers: [],
  });

  test('counts per file and in all, with the proofs and what is wrong', () => {
    expect(report(judgement, { open: false })).toEqual([
      'a.md: 2 rows, 1 proved, 0 answered, 1 open',
      '  RR-1 proved by a.test.ts: [RR-1] a',
      'b.md: 1 rows, 0 proved, 0 answered, 1 open',
      'all: 3 rows, 1 proved, 0 answered, 2 open',
      'error: RR-9 is not a requirement: a.test.ts: [RR-9] b',
    ]);
  });

  test('lists the open rows when asked', () => {
    expect(report(judgement, { open: true })).toContain('  RR-2 what RR-2 says');
    expect(report(judgement, { open: true }).join('\n')).not.toContain('proved by');
  });
});
