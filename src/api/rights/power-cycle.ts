import { Cluster, Node, Secret } from '../builtin/index.ts';
import { PowerCycleRemediation } from '../power-cycle-remediation/power-cycle-remediation.ts';
import { ACCOUNT, allow, clusterRole, type Grant, type Places } from './grant.ts';

/** What power-cycling hosts takes. Where no host is power-cycled this role may go. */
export const powerCycleRights = (places: Places): readonly Grant[] =>
  clusterRole(
    `${ACCOUNT}-power-cycle`,
    [
      // Its finalizer, and how far it got.
      ...allow(['list', 'watch', 'patch'], [PowerCycleRemediation]),
      ...allow(['patch'], [PowerCycleRemediation], { subresource: 'status' }),
      // How hosts are reached. Machines live in namespaces of their own, so that RBAC cannot narrow it further.
      ...allow(['get'], [Secret]),
      // Whether a Machine is of another cluster than this one.
      ...allow(['get'], [Cluster]),
      // The taint of a Node whose host is off.
      ...allow(['patch'], [Node]),
    ],
    places,
  );
