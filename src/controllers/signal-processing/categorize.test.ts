import { describe, expect, test } from 'vitest';
import { categorize } from './categorize.ts';
import type { Environment } from '../priority.ts';

const OWNER = { 'kubernaut.ai/service-owner': 'checkout-team' };

describe('categorize', () => {
  test.each<[Environment, string, string]>([
    ['Production', 'High', 'Gold'],
    ['Staging', 'Medium', 'Silver'],
    ['Development', 'Low', 'Bronze'],
    ['Test', 'Low', 'Bronze'],
    ['Unknown', 'Medium', 'Silver'],
  ])('%s is of %s criticality and has a %s service level', (environment, criticality, slaRequirement) =>
    expect(categorize(undefined, environment)).toEqual({ criticality, slaRequirement }),
  );

  const cases: readonly { name: string; namespace?: Record<string, string>; workload?: Record<string, string>; want: object }[] = [
    {
      name: 'the unit before the team',
      namespace: { 'kubernaut.ai/business-unit': 'payments', 'kubernaut.ai/team': 'blue', ...OWNER },
      want: { businessUnit: 'payments', serviceOwner: 'checkout-team' },
    },
    { name: 'the team where no unit is named', namespace: { 'kubernaut.ai/team': 'blue' }, want: { businessUnit: 'blue' } },
    { name: 'the namespace before the workload', namespace: { any: 'label' }, workload: OWNER, want: {} },
    { name: 'the workload where the namespace has no labels', namespace: {}, workload: OWNER, want: { serviceOwner: 'checkout-team' } },
  ];
  test.each(cases)('$name', ({ namespace, workload, want }) => {
    const context = {
      namespace: { name: 'shop', ...(namespace && { labels: namespace }) },
      workload: { kind: 'Deployment', name: 'checkout', ...(workload && { labels: workload }) },
    };
    expect(categorize(context, 'Test')).toEqual({ ...want, criticality: 'Low', slaRequirement: 'Bronze' });
  });
});
