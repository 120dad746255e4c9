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
      before: 'oldObject.?status.orValue({})',
      after: 'object.?status.orValue({})',
      clears: 'has(variables.after.blockClearance) && variables.after.?blockClearance != variables.before.?blockClearance',
    },
    rules: [
      {
        holds: `!variables.clears || variables.after.blockClearance.?clearedBy.orValue('') == ${WHO}`,
        otherwise: `'status.blockClearance.clearedBy must be ' + ${WHO} + ', who asks'`,
      },
      {
        holds: '!variables.clears || has(variables.after.blockClearance.clearedAt)',
        otherwise: `'status.blockClearance.clearedAt must be the time of the clearance'`,
      },
    ],
  });
