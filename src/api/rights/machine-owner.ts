import {
  Cluster,
  ConfigMap,
  CustomResourceDefinition,
  Event,
  Job,
  Node,
  PipelineRun,
  Pod,
  ServiceAccount,
  TaskRun,
  type BindingSubject,
} from '../builtin/index.ts';
import { MachineHealthCheck } from '../machine-health-check/machine-health-check.ts';
import { MachineSet } from '../machine-set/machine-set.ts';
import { Machine } from '../machine/machine.ts';
import { PowerCycleRemediation } from '../power-cycle-remediation/power-cycle-remediation.ts';
import { resourceName } from '../resource.ts';
import { BUDGET_LEDGER } from '../well-known.ts';
import { WorkflowExecution } from '../workflow-execution/workflow-execution.ts';
import { ACCOUNT, allow, clusterRole, roleIn, type Grant, type Places } from './grant.ts';

/** The account under which MachineSets are kept: the one that checks Machines may delete none. */
export const OWNER_ACCOUNT = `${ACCOUNT}-machine-owner`;

/**
 * What keeping MachineSets takes: an account of its own that may delete Machines and Nodes, and for ours the right to ask for tokens of that
 * one. Given only where the local owner is switched on.
 */
export const machineOwnerRights = (places: Places): readonly Grant[] => [
  {
    resource: ServiceAccount,
    draft: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: OWNER_ACCOUNT, namespace: places.namespace } },
  },
  ...[...fleetRights(places), ...budgetRights(places)].map((grant) => toOwner(grant, places)),
  ...roleIn(
    places.namespace,
    `${OWNER_ACCOUNT}-token`,
    allow(['create'], [ServiceAccount], { subresource: 'token', names: [OWNER_ACCOUNT] }),
    places,
  ),
];

const fleetRights = (places: Places): readonly Grant[] =>
  clusterRole(
    OWNER_ACCOUNT,
    [
      ...allow(['get', 'list', 'watch'], [MachineSet]),
      ...allow(['get', 'list', 'watch', 'create', 'patch', 'delete'], [Machine]),
      ...allow(['patch'], [MachineSet, Machine], { subresource: 'status' }),
      // Claimed, cordoned, and deleted when they are drained.
      ...allow(['get', 'list', 'watch', 'patch', 'delete'], [Node]),
      ...allow(['get', 'list', 'watch'], [Cluster]),
      // Whether a health check reports when a Machine is healthy again.
      ...allow(['get', 'list'], [MachineHealthCheck]),
      ...allow(['list'], [Pod]),
      ...allow(['create'], [Pod], { subresource: 'eviction' }),
      ...allow(['get', 'create', 'patch'], [Event]),
      // Whether what they claimed in the budget is over.
      ...allow(['get'], [PowerCycleRemediation]),
      // Whose the definition is, and whether there is a Tekton.
      ...allow(['get'], [CustomResourceDefinition], { names: [resourceName(MachineSet), resourceName(PipelineRun)] }),
    ],
    places,
  );

/** The ledger, and whether what others claimed there is over. */
const budgetRights = (places: Places): readonly Grant[] => [
  ...roleIn(
    places.namespace,
    OWNER_ACCOUNT,
    [
      ...allow(['get', 'patch'], [ConfigMap], { names: [BUDGET_LEDGER] }),
      // The server cannot tell what is being made by its name.
      ...allow(['create'], [ConfigMap]),
      ...allow(['get'], [WorkflowExecution]),
    ],
    places,
  ),
  ...roleIn(places.executionNamespace, OWNER_ACCOUNT, allow(['list'], [Job, PipelineRun, TaskRun]), places),
];

/** The same for the owner's account. */
function toOwner({ resource, draft }: Grant, { namespace }: Places): Grant {
  if (!('subjects' in draft)) return { resource, draft };
  const subjects: readonly BindingSubject[] = [{ kind: 'ServiceAccount', name: OWNER_ACCOUNT, namespace }];
  return { resource, draft: { ...draft, subjects } as Grant['draft'] };
}
