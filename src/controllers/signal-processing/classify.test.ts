import { describe, expect, test } from 'vitest';
import { environmentOf, priorityOf, severityOf, type Environment } from './classify.ts';

describe('environmentOf', () => {
  const labelled = (environment: string) => ({ namespace: { name: 'shop', labels: { 'kubernaut.ai/environment': environment } } });

  test.each([
    ['production', 'Production'],
    ['Production', 'Production'],
    ['STAGING', 'Staging'],
    ['development', 'Development'],
    [' test ', 'Test'],
  ])('[CO-037] %j is %s, by the label of the namespace', (label, environment) =>
    expect(environmentOf(labelled(label))).toEqual({ environment, source: 'namespace-labels' }),
  );

  test.each([
    ['a label that says nothing known', labelled('prod-2')],
    ['a label that says Unknown', labelled('Unknown')],
    ['no labels', { namespace: { name: 'shop' } }],
    ['another label', { namespace: { name: 'shop', labels: { env: 'staging' } } }],
    ['only the workload is labelled', { workload: { kind: 'Deployment', name: 'a', labels: { 'kubernaut.ai/environment': 'test' } } }],
    ['no context', undefined],
  ])('%s: the environment is unknown, and not guessed', (_, context) =>
    expect(environmentOf(context)).toEqual({ environment: 'Unknown', source: 'default' }),
  );
});

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

describe('priorityOf', () => {
  test.each<[Environment, Parameters<typeof priorityOf>[1], string]>([
    ['Production', 'critical', 'P0'],
    ['Production', 'high', 'P1'],
    ['Production', 'warning', 'P3'],
    ['Staging', 'critical', 'P1'],
    ['Staging', 'high', 'P2'],
    ['Staging', 'info', 'P2'],
    ['Development', 'critical', 'P3'],
    ['Test', 'critical', 'P3'],
    ['Unknown', 'critical', 'P3'],
  ])('[CO-039] %s and %s: %s', (environment, severity, want) => expect(priorityOf(environment, severity).priority).toBe(want));
});
