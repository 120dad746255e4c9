import { sampleUid } from '../parts/sample-story.ts';
import { changedOrRemoved, changedSpec, type Violation } from '../violation.ts';

export const workflowExecutionViolations: readonly Violation[] = [
  changedSpec({ '/spec/targetResource': 'shop/Deployment/other' }),
  changedSpec({ '/spec/parameters/MEMORY_LIMIT': '64Gi' }),
  ...changedOrRemoved('executionRef.uid is immutable once it is set', {
    field: 'status.executionRef.uid',
    pointer: '/status/executionRef/uid',
    value: sampleUid('d'),
  }),
  {
    rule: 'executionRef.uid is immutable once it is set',
    field: 'status.executionRef.uid',
    from: {},
    to: { '/status/executionRef': undefined },
  },
];
