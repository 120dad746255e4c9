import { describe, expect, test } from 'vitest';
import { compareSeverity } from '../api/parts/severity.ts';
import { SEVERITIES } from '../api/parts/signal.ts';
import { priorityOf, type Environment } from './priority.ts';

/** From the most to the least strict. */
const ENVIRONMENTS = ['Production', 'Staging', 'Development', 'Test'] as const satisfies readonly Environment[];

describe('priorityOf', () => {
  test.each<[Environment, Parameters<typeof priorityOf>[1], string, string]>([
    ['Production', 'critical', 'P0', 'production-critical'],
    ['Production', 'high', 'P1', 'production-high'],
    ['Production', 'warning', 'P2', 'production'],
    ['Production', 'info', 'P2', 'production'],
    ['Production', 'unknown', 'P2', 'production'],
    ['Staging', 'critical', 'P1', 'staging-critical'],
    ['Staging', 'high', 'P2', 'staging'],
    ['Staging', 'info', 'P2', 'staging'],
    ['Development', 'critical', 'P3', 'default'],
    ['Test', 'critical', 'P3', 'default'],
    ['Unknown', 'critical', 'P3', 'default'],
  ])('[CO-039] %s and %s: %s', (environment, severity, priority, policyName) =>
    expect(priorityOf(environment, severity)).toEqual({ priority, policyName }),
  );

  test('[CO-039] a stricter environment or a higher severity never lowers it (ruling 128)', () => {
    const pairs = ENVIRONMENTS.flatMap((environment, rank) => SEVERITIES.map((severity) => ({ environment, rank, severity })));
    for (const one of pairs)
      for (const other of pairs) {
        if (one.rank > other.rank || compareSeverity(one.severity, other.severity) < 0) continue;
        const [higher, lower] = [one, other].map(({ environment, severity }) => priorityOf(environment, severity).priority);
        expect({ one, other, holds: (higher ?? '') <= (lower ?? '') }).toEqual({ one, other, holds: true });
      }
  });
});
