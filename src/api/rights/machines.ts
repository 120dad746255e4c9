import { Cluster, CustomResourceDefinition, Event, Lease, Node } from '../builtin/index.ts';
import { MachineHealthCheck } from '../machine-health-check/machine-health-check.ts';
import { Machine } from '../machine/machine.ts';
import { PipelineRemediation } from '../pipeline-remediation/pipeline-remediation.ts';
import { PipelineRemediationTemplate } from '../pipeline-remediation/pipeline-remediation-template.ts';
import { PowerCycleRemediation } from '../power-cycle-remediation/power-cycle-remediation.ts';
import { PowerCycleRemediationTemplate } from '../power-cycle-remediation/power-cycle-remediation-template.ts';
import { RemediationRequest } from '../remediation-request/remediation-request.ts';
import { resourceName } from '../resource.ts';
import { ACCOUNT, allow, clusterRole, roleIn, type Grant, type Places } from './grant.ts';

/** What checking Machines takes. It deletes no Machine and no Node, only the requests that it made; those of other groups need a role of their own. */
export const machineRights = (places: Places): readonly Grant[] => [
  ...roleIn(
    places.namespace,
    `${ACCOUNT}-machines`,
    // Cancelling what was opened for a Machine that is healthy again.
    [...allow(['patch'], [RemediationRequest])],
    places,
  ),
  ...clusterRole(
    `${ACCOUNT}-machines`,
    [
      // Handing Nodes to the pipeline: its finalizer, and how far it got.
      ...allow(['watch', 'patch'], [PipelineRemediation]),
      ...allow(['patch'], [PipelineRemediation], { subresource: 'status' }),
      ...allow(['get', 'list', 'watch'], [Machine, MachineHealthCheck]),
      // The label and the owner reference by which a check belongs to its Cluster.
      ...allow(['patch'], [MachineHealthCheck]),
      ...allow(['patch'], [Machine, MachineHealthCheck], { subresource: 'status' }),
      // The kubeconfigs of workload clusters are Secrets: an administrator lets it get those of the clusters in question by name, and no
      // others (docs/machine-health.md).
      ...allow(['get', 'list', 'watch'], [Node, Cluster]),
      ...allow(['get'], [PowerCycleRemediationTemplate, PipelineRemediationTemplate]),
      ...allow(['get', 'list', 'create', 'delete'], [PowerCycleRemediation, PipelineRemediation]),
      // Machines live in namespaces of their own.
      ...allow(['get', 'create', 'patch'], [Event]),
      // Whether Cluster API's controller acts.
      ...allow(['get'], [Lease], { names: ['controller-leader-election-capi'] }),
      // Whose the definition is: ours, or Cluster API's.
      ...allow(['get'], [CustomResourceDefinition], { names: [resourceName(MachineHealthCheck)] }),
    ],
    places,
  ),
];
