import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../base/index.ts';
import { atLeast, gateAllows, isStorm, type Gate } from './unhealthy-limit.ts';
import { NO_SAFEGUARDS, readSafeguards } from './safeguards.ts';

const read = (given: Parameters<typeof readSafeguards>[0]) => {
  const problems: string[] = [];
  return { read: readSafeguards(given, (field) => problems.push(field)), problems };
};

describe('safeguards', () => {
  test.each([undefined, {}])('are off unless they are written: %j', (given) => expect(read(given).read).toEqual(NO_SAFEGUARDS));

  test('are read', () => {
    const given = {
      maxInFlight: 2,
      stormCooldown: '15m',
      healthyDelay: '5m',
      pauseRequests: ['anna'],
      observeOnly: true,
      maxAttempts: 3,
      attemptsForgottenAfter: '30m',
    };
    expect(read(given).read).toEqual({
      maxInFlight: 2,
      cooldownMs: 15 * MINUTE,
      healthyDelayMs: 5 * MINUTE,
      pauseRequests: ['anna'],
      observeOnly: true,
      attempts: { max: 3, forgottenAfterMs: 30 * MINUTE },
    });
  });

  test('attempts are forgotten after an hour when nothing else is said', () => {
    expect(read({ maxAttempts: 1 }).read.attempts).toEqual({ max: 1, forgottenAfterMs: 60 * MINUTE });
  });

  test.each(['stormCooldown', 'healthyDelay', 'attemptsForgottenAfter'] as const)('%s that is no duration is named', (member) => {
    expect(read({ [member]: 'soon' }).problems).toEqual([`spec.safeguards.${member}`]);
  });
});

describe('a floor for small groups', () => {
  const share = (kind: 'atMost' | 'below', percent: number): Gate => ({ kind, limit: { unit: 'percent', percent } });
  const rows: readonly { title: string; gate: Gate; few: number | undefined; total: number; most: number }[] = [
    { title: '40% of 2 allows no remediation', gate: share('atMost', 40), few: undefined, total: 2, most: 0 },
    { title: '40% of 2, but at least 1', gate: share('atMost', 40), few: 1, total: 2, most: 1 },
    { title: 'no more than the share where that is more', gate: share('atMost', 40), few: 1, total: 10, most: 4 },
    { title: 'in the v1alpha3 form', gate: share('below', 40), few: 1, total: 2, most: 1 },
    { title: 'in the v1alpha3 form where the share is more', gate: share('below', 40), few: 1, total: 10, most: 3 },
    { title: '0% stays no remediation', gate: share('atMost', 0), few: 3, total: 5, most: 0 },
    { title: 'a number stays what it is', gate: { kind: 'atMost', limit: { unit: 'machines', count: 1 } }, few: 3, total: 5, most: 1 },
    { title: 'a range stays what it is', gate: { kind: 'range', min: 0, max: 1 }, few: 3, total: 5, most: 1 },
  ];

  test.each(rows)('$title: $most', ({ gate, few, total, most }) => {
    const raised = atLeast(gate, few);
    expect(gateAllows(raised, { total, unhealthy: most })).toBe(true);
    expect(gateAllows(raised, { total, unhealthy: most + 1 })).toBe(false);
  });
});

test('too few for a range is no storm, too many are', () => {
  const gate: Gate = { kind: 'range', min: 2, max: 3 };
  expect([1, 2, 3, 4].map((unhealthy) => isStorm(gate, { total: 5, unhealthy }))).toEqual([false, false, false, true]);
});
