import { AGE, defineKind, type Column, type KindVersion } from '../define-kind.ts';
import { conditionsAside, looseConditions } from '../parts/loose-conditions.ts';
import { CLUSTER_API } from '../parts/group.ts';
import type { ObjectOf } from '../resource.ts';
import { anyObject, enumOf, flag, int64, list, object, onceSet, partial, text, time } from '../schema/index.ts';
import { machineSample } from './sample.ts';

const reference = (description: string) =>
  partial(description, {
    apiVersion: text('API group and version of the object, as v1beta1 writes it.', { max: 317 }),
    apiGroup: text('API group of the object, as v1beta2 writes it.', { max: 253 }),
    kind: text('Kind of the object.', { max: 63 }),
    namespace: text('Namespace of the object.', { max: 63 }),
    name: text('Name of the object.', { max: 253 }),
    uid: text('UID of the object.', { max: 128 }),
  });

/** What a Machine says of itself; the template of a MachineSet says the same. */
export const machineMembers = {
  clusterName: text('Cluster that the Machine belongs to.', { min: 1, max: 63 }),
  providerID: text('Id of the instance at its provider.', { max: 512 }),
  version: text('Kubernetes version of its Node.', { max: 256 }),
  failureDomain: text('Zone that it runs in.', { max: 256 }),
  bootstrap: anyObject('How it is bootstrapped; not read by Sickbay.'),
  infrastructureRef: reference('The object that represents the instance.'),
};

export const machineSpec = partial('The desired Machine.', machineMembers, { rules: [onceSet('clusterName')] });

const KNOWN = ['HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated', 'InfrastructureReady', 'Ready'];

export const machineStatus = partial('State of the Machine.', {
  nodeRef: reference('The Node that runs on it.'),
  phase: enumOf('Phase of its lifecycle.', [
    'Pending',
    'Provisioning',
    'Provisioned',
    'Running',
    'Updating',
    'Deleting',
    'Deleted',
    'Failed',
    'Unknown',
  ]),
  addresses: list(
    'How it is reached.',
    object('One address.', { type: text('Kind of address.', { min: 1, max: 63 }), address: text('The address.', { min: 1, max: 256 }) }),
    { max: 128, atomic: true },
  ),
  lastUpdated: time('When its phase last changed.'),
  infrastructureReady: flag('Whether the instance is provisioned, as v1beta1 writes it.'),
  bootstrapReady: flag('Whether its bootstrap data exists, as v1beta1 writes it.'),
  initialization: partial('Whether it was initialized, as v1beta2 writes it.', {
    infrastructureProvisioned: flag('Whether the instance is provisioned.'),
    bootstrapDataSecretCreated: flag('Whether its bootstrap data exists.'),
  }),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  conditions: looseConditions(KNOWN),
  ...conditionsAside(KNOWN),
});

const columns: readonly Column[] = [
  { name: 'Cluster', type: 'string', path: '.spec.clusterName' },
  { name: 'Node Name', type: 'string', path: '.status.nodeRef.name' },
  { name: 'Provider ID', type: 'string', path: '.spec.providerID', priority: 10 },
  { name: 'Phase', type: 'string', path: '.status.phase' },
  AGE,
  { name: 'Version', type: 'string', path: '.spec.version' },
  { name: 'Healthy', type: 'string', path: ".status.conditions[?(@.type=='HealthCheckSucceeded')].status" },
];

const older = (name: string): KindVersion => ({
  name,
  spec: machineSpec,
  status: machineStatus,
  columns,
  deprecationWarning: `cluster.x-k8s.io/${name} Machine is deprecated; use cluster.x-k8s.io/v1beta2`,
});

/** A host that a Node runs on: the part of Cluster API's Machine that health checks and remediators read and write. */
export const Machine = defineKind({
  group: CLUSTER_API,
  version: 'v1beta2',
  kind: 'Machine',
  plural: 'machines',
  shortNames: ['ma'],
  categories: ['cluster-api', 'sickbay'],
  description: 'A host that a Node runs on. Where Cluster API is installed, its own definition is used instead of this one.',
  spec: machineSpec,
  status: machineStatus,
  columns,
  olderVersions: [older('v1beta1'), older('v1alpha3')],
  sample: machineSample,
});
export type Machine = ObjectOf<typeof Machine>;
