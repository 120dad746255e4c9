import { describe, expect, test } from 'vitest';
import { compareSeverity, highestSeverity, severityOf } from './severity.ts';
import { SEVERITIES } from './signal.ts';

describe('severityOf', () => {
  test.each([
    ['critical', 'critical'],
    ['SEV1', 'critical'],
    ['p0', 'critical'],
    ['high', 'high'],
    ['sev2', 'high'],
    ['P2', 'high'],
    ['warning', 'warning'],
    ['medium', 'warning'],
    ['Sev3', 'warning'],
    ['info', 'info'],
    [' low ', 'info'],
    ['sev4', 'info'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
    ['page', 'unknown'],
    ['constructor', 'unknown'],
  ])('[CO-038] %j is %s', (word, want) => expect(severityOf(word)).toBe(want));
});

describe('the highest severity of several signals (ruling 128)', () => {
  test.each([
    [['warning', 'critical', 'high'], 'critical'],
    [['SEV2', 'p0'], 'critical'],
    [['info', 'error'], 'high'],
    [['info', 'page'], 'unknown'],
    [['page', 'warning'], 'warning'],
    [[], 'unknown'],
  ] as const)('of %j is %s', (words, want) => {
    expect(highestSeverity(words)).toBe(want);
    expect(highestSeverity(words.toReversed())).toBe(want);
  });

  test('medium equals warning, low equals info', () => {
    expect([compareSeverity('medium', 'warning'), compareSeverity('low', 'info')]).toEqual([0, 0]);
    expect([...SEVERITIES].toSorted(compareSeverity).at(-1)).toBe('critical');
  });
});
