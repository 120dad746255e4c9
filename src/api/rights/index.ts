/**
 * What Sickbay's own account may do in a cluster, as RBAC objects. Nothing is allowed that the process does not do: no wildcard, and no
 * deletion but of what it made itself. Workflows have accounts of their own, with rights of their own (`workflows/`).
 *
 * - `system.ts`  in its own namespace: its objects, the budget, the leader's Lease, Events.
 * - `execution.ts`  where workflows run: runs, their pods, locks, what they depend on; tokens only for AWX.
 * - `cluster.ts`  everywhere: reads of what signals are about.
 * - `machines.ts`  Machines and their checks: reads, verdicts, requests.
 * - `power-cycle.ts`  hosts of unhealthy Machines: requests, and the taint of their Nodes.
 * - `machine-owner.ts`  the account that keeps MachineSets, only where that is switched on: it alone may delete Machines and Nodes.
 * - `openshift.ts`  the platform's own monitoring there.
 * - `people.ts`  roles for people: viewers, approvers, operators. An administrator binds them.
 * Installing (`--install`) takes more: kinds, policies and namespaces are an administrator's.
 */
import { ServiceAccount } from '../builtin/index.ts';
import { clusterRights } from './cluster.ts';
import { executionRights } from './execution.ts';
import { ACCOUNT, type Grant, type Places } from './grant.ts';
import { machineRights } from './machines.ts';
import { powerCycleRights } from './power-cycle.ts';
import { systemRights } from './system.ts';

export { ACCOUNT, type Grant, type Places } from './grant.ts';
export { awxRights } from './execution.ts';
export { machineOwnerRights, OWNER_ACCOUNT } from './machine-owner.ts';
export { openShiftRights } from './openshift.ts';
export { peopleRoles } from './people.ts';

/** The account and all that it always needs. */
export const ownRights = (places: Places): readonly Grant[] => [
  {
    resource: ServiceAccount,
    draft: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: places.namespace } },
  },
  ...systemRights(places),
  ...executionRights(places),
  ...clusterRights(places),
  ...machineRights(places),
  ...powerCycleRights(places),
];
