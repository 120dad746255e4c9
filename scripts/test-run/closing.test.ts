import { describe, expect, test } from 'vitest';
import { closingLines } from './closing.ts';
import type { RecordedTest, TestRun } from './record.ts';

const lanes = [
  { name: 'control plane', setting: 'KUBEBUILDER_ASSETS' },
  { name: 'cluster', setting: 'SICKBAY_TEST_KUBECONFIG' },
];
const aTest = (state: RecordedTest['state'], project = 'unit'): RecordedTest => ({
  file: 'src/a.test.ts',
  project,
  title: 'a > works',
  state,
});
const aRun = (tests: readonly RecordedTest[], errors: readonly string[] = []): TestRun => ({ tests, errors, files: [] });

describe('closingLines', () => {
  const cases = [
    { reason: 'nothing ran', run: aRun([]), env: {}, want: ['0 passed, 0 failed, 0 skipped'] },
    {
      reason: 'each state is counted',
      run: aRun([aTest('passed'), aTest('passed'), aTest('failed')]),
      env: {},
      want: ['2 passed, 1 failed, 0 skipped'],
    },
    {
      reason: 'an absent lane is named once, with what opens it',
      run: aRun([aTest('skipped', 'control plane'), aTest('skipped', 'control plane'), aTest('skipped', 'cluster')]),
      env: {},
      want: [
        'skipped: control plane (set KUBEBUILDER_ASSETS): 2 tests',
        'skipped: cluster (set SICKBAY_TEST_KUBECONFIG): 1 test',
        '0 passed, 0 failed, 3 skipped',
      ],
    },
    {
      reason: 'a lane that is there explains no skip: the test is named',
      run: aRun([aTest('skipped', 'cluster')]),
      env: { SICKBAY_TEST_KUBECONFIG: '/kubeconfig' },
      want: ['skipped: src/a.test.ts: a > works', '0 passed, 0 failed, 1 skipped'],
    },
    {
      reason: 'an empty setting is none',
      run: aRun([aTest('skipped', 'cluster')]),
      env: { SICKBAY_TEST_KUBECONFIG: '' },
      want: ['skipped: cluster (set SICKBAY_TEST_KUBECONFIG): 1 test', '0 passed, 0 failed, 1 skipped'],
    },
    {
      reason: 'a file that does not load is a failure',
      run: aRun([aTest('passed')], ['src/b.test.ts: no such module']),
      env: {},
      want: ['1 passed, 1 failed, 0 skipped'],
    },
  ];
  const files = (project: string, seconds: readonly number[]) =>
    seconds.map((each) => ({ file: `src/${each}.test.ts`, project, seconds: each }));

  test('names the ten slowest files of each lane that take a second or longer, the slowest first', () => {
    const run = {
      ...aRun([]),
      files: [...files('unit', [0.9, 1, 12.5, 3]), ...files('cluster', [5, ...Array.from({ length: 12 }, (_, i) => i + 20)])],
    };
    expect(closingLines(run, [], {})).toEqual([
      'slowest of cluster:',
      ...[31, 30, 29, 28, 27, 26, 25, 24, 23, 22].map((each) => `   ${each}.0 s  src/${each}.test.ts`),
      'slowest of unit:',
      '   12.5 s  src/12.5.test.ts',
      '    3.0 s  src/3.test.ts',
      '    1.0 s  src/1.test.ts',
      '0 passed, 0 failed, 0 skipped',
    ]);
  });

  test.each(cases)('$reason', ({ run, env, want }) => {
    expect(closingLines(run, lanes, env)).toEqual(want);
  });
});
