import { Cluster, Node } from '../builtin/index.ts';
import { PowerCycleRemediation } from '../power-cycle-remediation/power-cycle-remediation.ts';
import { ACCOUNT, allow, clusterRole, type Grant, type Places } from './grant.ts';

/**
 * What power-cycling hosts takes; where none is, this role may go. The Secrets of hosts are not in it: they are allowed in the namespaces of
 * their Machines, by the administrator who creates them.
 */
export const powerCycleRights = (places: Places): readonly Grant[] =>
  clusterRole(
    `${ACCOUNT}-power-cycle`,
    [
      // Its finalizer, and how far it got.
      ...allow(['list', 'watch', 'patch'], [PowerCycleRemediation]),
      ...allow(['patch'], [PowerCycleRemediation], { subresource: 'status' }),
      // Whether a Machine is of another cluster than this one.
      ...allow(['get'], [Cluster]),
      // The taint of a Node whose host is off.
      ...allow(['patch'], [Node]),
    ],
    places,
  );
