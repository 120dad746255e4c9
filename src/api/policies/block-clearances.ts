import { WorkflowExecution } from '../workflow-execution/workflow-execution.ts';
import { policy, WHO, type Policy } from './policy.ts';

/** Whoever lifts the block on a target signs it with their own name, and with the moment. */
export const blockClearancePolicy = (): Policy =>
  policy({
    name: 'sickbay-block-clearances',
    kind: WorkflowExecution,
    subresource: 'status',
    operations: ['UPDATE'],
    variables: {
      before: 'oldObject.?status.?blockClearance',
      after: 'object.?status.?blockClearance',
      clears: 'variables.after.hasValue() && variables.after != variables.before',
    },
    rules: [
      {
        holds: `!variables.clears || variables.after.?clearedBy.orValue('') == ${WHO}`,
        otherwise: `'status.blockClearance.clearedBy must be ' + ${WHO} + ', who asks'`,
      },
      {
        holds: '!variables.clears || variables.after.?clearedAt.hasValue()',
        otherwise: `'status.blockClearance.clearedAt must be the time of the clearance'`,
      },
    ],
  });
