import { Machine } from '../../api/machine/machine.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Access, Session } from '../contract/index.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Caller, Right } from './caller.ts';

const on = ({ group, plural }: { readonly group: string; readonly plural: string }, verb: string): Right => ({
  verb,
  group,
  resource: plural,
});

/** What the user must be able to read. Machines live in many namespaces: the right has to hold for all of them. */
const rightFor = (access: Exclude<Access, 'user'>, namespace: string): Right =>
  access === 'machines' ? on(Machine, 'list') : { ...on(RemediationRequest, 'list'), namespace };

/** Refuses a user who may not read what a route answers. */
export async function demandAccess(caller: Caller, access: Access, namespace: string): Promise<void> {
  if (access === 'user') return;
  const right = rightFor(access, namespace);
  if (await caller.may(right)) return;
  const where = right.namespace === undefined ? 'in all namespaces' : `in the namespace ${right.namespace}`;
  throw new ApiProblem(403, `${caller.user} may not ${right.verb} ${right.resource}.${right.group} ${where}`);
}

/** What the user may do, for pages that show what is possible. The API server decides when it is done. */
export async function abilitiesOf(caller: Caller, namespace: string): Promise<Session['may']> {
  const status = (kind: typeof RemediationApprovalRequest | typeof WorkflowExecution): Right => ({
    ...on(kind, 'patch'),
    subresource: 'status',
    namespace,
  });
  const [read, readMachines, decide, cancel, clearBlocks] = await Promise.all([
    caller.may(rightFor('remediations', namespace)),
    caller.may(rightFor('machines', namespace)),
    caller.may(status(RemediationApprovalRequest)),
    caller.may({ ...on(RemediationRequest, 'patch'), namespace }),
    caller.may(status(WorkflowExecution)),
  ]);
  return { read, readMachines, decide, cancel, clearBlocks };
}
