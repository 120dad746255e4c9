import { describe, expect, test } from 'vitest';
import { corpusCases } from './cases.ts';
import { FAULTS } from './faults/index.ts';
import { KNOWN_WRONG } from './known-wrong.ts';
import { readRecording } from './recordings.ts';
import { runCase, shippedWorkflows } from './run-case.ts';

const cases = corpusCases();

describe('the diagnosis corpus', () => {
  test('gives every case a name of its own', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  test.each(cases.map((one) => ({ name: one.name, one })))('$name is not answered wrongly', async ({ name, one }) => {
    const { verdict, rounds } = await runCase(one, await shippedWorkflows());
    const answers = rounds.map(({ alertAt, verdict: of, said }) => `${alertAt} s: ${of}, ${said.action ?? said.kind}: ${said.text}`);
    if (!KNOWN_WRONG.includes(name)) expect({ verdict, answers }).not.toMatchObject({ verdict: 'wrong' });
  });

  test('knows as wrong only cases that are there', () => {
    const names = new Set(cases.map(({ name }) => name));
    expect(KNOWN_WRONG.filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(FAULTS.map(({ name }) => ({ name })).filter(({ name }) => readRecording(name)))(
    'the recording of $name shows no address and no content of a Secret',
    ({ name }) => {
      const { snapshots } = readRecording(name)!;
      const addresses = JSON.stringify(snapshots).match(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g) ?? [];
      expect(addresses.filter((address) => !/^(192\.0\.2|127|0)\./.test(address))).toEqual([]);
      const secrets = snapshots.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'Secret'));
      expect(
        secrets.flatMap(({ data }) => Object.values<unknown>((data ?? {}) as Record<string, unknown>)).filter((value) => value !== ''),
      ).toEqual([]);
      expect(snapshots.map(({ at }) => at)).toEqual(expect.arrayContaining([5, 30, 120]));
    },
  );
});
