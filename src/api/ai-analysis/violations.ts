import { changedOrRemoved, changedSpec, type Violation } from '../violation.ts';

export const aiAnalysisViolations: readonly Violation[] = [
  changedSpec({ '/spec/analysisRequest/signalContext/severity': 'low' }),
  {
    rule: 'postRCAContext is immutable once setAt is set',
    field: 'status.postRCAContext',
    from: {},
    to: { '/status/postRCAContext/detectedLabels/stateful': true },
  },
  {
    rule: 'selectedWorkflow is immutable once selectedAt is set',
    field: 'status.selectedWorkflow',
    from: {},
    to: { '/status/selectedWorkflow/confidence': 0.99 },
  },
  ...changedOrRemoved('selectedWorkflow is immutable once selectedAt is set', {
    field: 'status.selectedWorkflow',
    pointer: '/status/selectedWorkflow/selectedAt',
    value: '2026-03-02T11:00:00Z',
  }),
];
