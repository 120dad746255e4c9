import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { canonicalText, digest } from './spec-hash.ts';

/** Everything that makes one plan differ from another: the workflow, its account, its parameters and its target. */
export type Plan = Pick<WorkflowExecution['spec'], 'workflowRef' | 'parameters' | 'targetResource' | 'targetUID'>;

/** What approval and execution must agree on: another workflow, command, account, parameter or target is another plan. */
export const planDigest = ({ workflowRef, parameters = {}, targetResource, targetUID }: Plan): string =>
  digest(canonicalText({ workflowRef, parameters, targetResource, targetUID }, { listsInOrder: true }));
