import type { Violation } from '../violation.ts';

const values = 'In and NotIn need values, Exists and DoesNotExist take none';
const requirement = 'spec.selector.matchExpressions[0].values';

export const machineSetViolations: readonly Violation[] = [
  { rule: 'selector must not be empty', field: 'spec.selector', to: { '/spec/selector': {} } },
  { rule: values, field: requirement, to: { '/spec/selector/matchExpressions/0/values': undefined } },
  { rule: values, field: requirement, to: { '/spec/selector/matchExpressions/0/operator': 'Exists' } },
];
