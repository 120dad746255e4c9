import { ClusterRole, Lease, Service } from '../builtin/index.ts';
import { kinds } from '../kinds.ts';
import { PIPELINE } from '../parts/group.ts';
import { RemediationApprovalRequest } from '../remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../remediation-request/remediation-request.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import { WorkflowExecution } from '../workflow-execution/workflow-execution.ts';
import { allow, type Grant } from './grant.ts';
import { OVERRIDING } from './override-right.ts';
import { SIGNAL_SOURCE } from './signal-source-right.ts';

const PIPELINE_KINDS: readonly Resource[] = kinds.filter(({ group }) => group === PIPELINE.group);
const READ = ['get', 'list', 'watch'] as const;

/** Reads remediations, their children and the catalogue. */
const view = allow(READ, PIPELINE_KINDS);

/** `kubectl patch --subresource=status` reads the status first. */
const decide = allow(['get', 'patch', 'update'], [RemediationApprovalRequest], { subresource: 'status' });

/** Cancels remediations, and clears blocks: those in the status of an execution, and those that a target's lock records. */
const operate = [
  ...allow(['patch'], [RemediationRequest]),
  ...allow(['get', 'patch'], [WorkflowExecution], { subresource: 'status' }),
  ...allow(['list', 'patch'], [Lease]),
];

/**
 * Roles for people. They are bound by an administrator, with a RoleBinding in Sickbay's namespace (and, for operators, one in the
 * namespace of workflows); none of them is bound from the start.
 */
export const peopleRoles: readonly Grant[] = [
  role('sickbay-viewer', view),
  role('sickbay-approver', [...view, ...decide]),
  role('sickbay-operator', [...view, ...decide, ...operate]),
  role('sickbay-freeze-override', [...view, ...allow(['patch', OVERRIDING.verb], [RemediationRequest])]),
  role('sickbay-signal-source', allow([SIGNAL_SOURCE.verb], [Service], { names: [SIGNAL_SOURCE.name] })),
];

function role(name: string, rules: ReturnType<typeof allow>): Grant {
  const draft = { apiVersion: apiVersionOf(ClusterRole), kind: ClusterRole.kind, metadata: { name }, rules };
  return { resource: ClusterRole, draft };
}
