import { changedOrRemoved, type Violation } from '../violation.ts';

export const machineViolations: readonly Violation[] = changedOrRemoved('clusterName is immutable once it is set', {
  field: 'spec.clusterName',
  pointer: '/spec/clusterName',
  value: 'prod-us-1',
});
