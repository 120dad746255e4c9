import { WorkflowExecution } from '../workflow-execution/workflow-execution.ts';
import { workflowExecutionStatus } from '../workflow-execution/status.ts';
import { DRIVES, policy, WHO, type Policy } from './policy.ts';

const OTHERS = Object.keys(workflowExecutionStatus.properties).filter((field) => field !== 'blockClearance');

/** The user who lifts the block on a target records their own name and the time. Only Sickbay writes the rest of the status. */
export const blockClearancePolicy = (): Policy =>
  policy({
    name: 'sickbay-block-clearances',
    kinds: [WorkflowExecution],
    subresource: 'status',
    operations: ['UPDATE'],
    variables: {
      drives: DRIVES,
      before: 'oldObject.?status.orValue({})',
      after: 'object.?status.orValue({})',
      clears: 'has(variables.after.blockClearance) && variables.after.?blockClearance != variables.before.?blockClearance',
    },
    rules: [
      {
        holds: `variables.drives || (${OTHERS.map((field) => `variables.before.?${field} == variables.after.?${field}`).join(' && ')})`,
        otherwise: `'users other than Sickbay may only write blockClearance in the status'`,
      },
      {
        holds: `!variables.clears || variables.after.blockClearance.?clearedBy.orValue('') == ${WHO}`,
        otherwise: `'status.blockClearance.clearedBy must be ' + ${WHO} + ', the user who makes the request'`,
      },
      {
        holds: '!variables.clears || has(variables.after.blockClearance.clearedAt)',
        otherwise: `'status.blockClearance.clearedAt must be the time of the clearance'`,
      },
    ],
  });
