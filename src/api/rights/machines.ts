import { Cluster, CustomResourceDefinition, Event, Node } from '../builtin/index.ts';
import { MachineHealthCheck } from '../machine-health-check/machine-health-check.ts';
import { Machine } from '../machine/machine.ts';
import { PipelineRemediation } from '../pipeline-remediation/pipeline-remediation.ts';
import { PipelineRemediationTemplate } from '../pipeline-remediation/pipeline-remediation-template.ts';
import { PowerCycleRemediation } from '../power-cycle-remediation/power-cycle-remediation.ts';
import { PowerCycleRemediationTemplate } from '../power-cycle-remediation/power-cycle-remediation-template.ts';
import { resourceName } from '../resource.ts';
import { ACCOUNT, allow, clusterRole, type Grant, type Places } from './grant.ts';

/** What checking Machines takes. It deletes no Machine and no Node, only the requests that it made; those of other groups need a role of their own. */
export const machineRights = (places: Places): readonly Grant[] =>
  clusterRole(
    `${ACCOUNT}-machines`,
    [
      ...allow(['get', 'list', 'watch'], [Machine, MachineHealthCheck]),
      ...allow(['patch'], [Machine, MachineHealthCheck], { subresource: 'status' }),
      ...allow(['list', 'watch'], [Node, Cluster]),
      ...allow(['get'], [PowerCycleRemediationTemplate, PipelineRemediationTemplate]),
      ...allow(['get', 'list', 'create', 'delete'], [PowerCycleRemediation, PipelineRemediation]),
      // Machines live in namespaces of their own.
      ...allow(['get', 'create', 'patch'], [Event]),
      // Whose the definition is: ours, or Cluster API's.
      ...allow(['get'], [CustomResourceDefinition], { names: [resourceName(MachineHealthCheck)] }),
    ],
    places,
  );
