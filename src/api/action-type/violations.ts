import type { Violation } from '../violation.ts';

export const actionTypeViolations: readonly Violation[] = [
  { rule: 'name is immutable', field: 'spec.name', from: {}, to: { '/spec/name': 'RestartPod' } },
];
