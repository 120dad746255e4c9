import { at, NAMESPACE, sampleConditions } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { actionTypeSpec, actionTypeStatus } from './action-type.ts';

const spec: Shape<typeof actionTypeSpec> = {
  name: 'IncreaseMemoryLimits',
  description: {
    what: 'raises the memory limit of a workload',
    whenToUse: 'containers are killed at their memory limit although the demand is real',
    whenNotToUse: 'memory leaks',
    preconditions: 'the nodes have room',
  },
};

const status: Shape<typeof actionTypeStatus> = {
  registered: true,
  registeredAt: at('08:00'),
  registeredBy: 'alex@example.com',
  previouslyExisted: false,
  catalogStatus: 'Active',
  activeWorkflowCount: 1,
  conditions: sampleConditions('Active', 'one workflow uses the name'),
};

export const actionTypeSample = { metadata: { name: 'increase-memory-limits', namespace: NAMESPACE }, spec, status };
