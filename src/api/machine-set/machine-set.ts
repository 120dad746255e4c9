import { AGE, defineKind } from '../define-kind.ts';
import { machineMembers } from '../machine/machine.ts';
import { CLUSTER_API } from '../parts/group.ts';
import { looseConditions } from '../parts/loose-conditions.ts';
import type { ObjectOf } from '../resource.ts';
import { int32, int64, intOrString, labelSelector, object, optional, partial, text, textMap } from '../schema/index.ts';
import { machineSetSample } from './sample.ts';

const MAX_INT32 = 2 ** 31 - 1;

export const machineSetSpec = object('The desired Machines.', {
  clusterName: optional(text('Cluster that its Machines belong to.', { min: 1, max: 63 })),
  replicas: optional(int32('Desired number of Machines; 1 when absent.', { min: 0, max: 10_000 })),
  selector: labelSelector('Labels that select its Machines; the template must have them.'),
  template: object('Template of the Machines.', {
    metadata: optional(
      partial('Metadata of its Machines.', { labels: textMap('Their labels.'), annotations: textMap('Their annotations.') }),
    ),
    spec: partial('Spec of its Machines.', machineMembers),
  }),
  remediation: optional(
    partial('How it replaces Machines that fail their health check.', {
      maxInFlight: intOrString(
        'How many are replaced at the same time, as a number or as a share of replicas, rounded up; all when absent.',
        {
          min: 0,
          max: MAX_INT32,
          pattern: '^(100|[1-9]?[0-9])%$',
        },
      ),
    }),
  ),
});

const KNOWN = ['ConfigurationValid', 'Paused', 'Remediating'];

export const machineSetStatus = partial('State of the set.', {
  replicas: int32('Machines of the set that are not being deleted.', { min: 0 }),
  readyReplicas: int32('Machines among them that have a Node and do not fail their health check.', { min: 0 }),
  created: int64('The highest number observed in the name of one of its Machines: the next Machine gets the next number.', { min: 0 }),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  conditions: looseConditions(KNOWN),
});

/** A group of like Machines: the part of Cluster API's MachineSet that replacing them takes. */
export const MachineSet = defineKind({
  group: CLUSTER_API,
  version: 'v1beta2',
  kind: 'MachineSet',
  plural: 'machinesets',
  shortNames: ['ms'],
  categories: ['cluster-api', 'sickbay'],
  description:
    'A group of identical Machines; one that fails its health check is replaced. Where Cluster API is installed, its own definition is used instead of this one.',
  spec: machineSetSpec,
  status: machineSetStatus,
  columns: [
    { name: 'Cluster', type: 'string', path: '.spec.clusterName' },
    { name: 'Desired', type: 'integer', path: '.spec.replicas' },
    { name: 'Replicas', type: 'integer', path: '.status.replicas' },
    { name: 'Ready', type: 'integer', path: '.status.readyReplicas' },
    AGE,
  ],
  sample: machineSetSample,
});
export type MachineSet = ObjectOf<typeof MachineSet>;
