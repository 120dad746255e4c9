import { AGE, defineKind, type Column, type KindVersion } from '../define-kind.ts';
import { CLUSTER_API } from '../parts/group.ts';
import type { ObjectOf } from '../resource.ts';
import { machineHealthCheckSample } from './sample.ts';
import { machineHealthCheckSpec, type MhcVersion } from './spec.ts';
import { machineHealthCheckStatus } from './status.ts';
import { thresholdTable } from './threshold-table.ts';

const cluster: Column = { name: 'Cluster', type: 'string', path: '.spec.clusterName' };
const expected: Column = { name: 'ExpectedMachines', type: 'integer', path: '.status.expectedMachines' };
const maxUnhealthy: Column = { name: 'MaxUnhealthy', type: 'string', path: '.spec.maxUnhealthy' };
const healthy: Column = { name: 'CurrentHealthy', type: 'integer', path: '.status.currentHealthy' };

const older = (name: MhcVersion, columns: readonly Column[]): KindVersion => ({
  name,
  spec: machineHealthCheckSpec(name),
  status: machineHealthCheckStatus,
  columns,
  deprecationWarning: `cluster.x-k8s.io/${name} MachineHealthCheck is deprecated; use cluster.x-k8s.io/v1beta2`,
});

/** Watches a group of Machines. Every served version takes every spelling; `normalise` is the one reader. */
export const MachineHealthCheck = defineKind({
  group: CLUSTER_API,
  version: 'v1beta2',
  kind: 'MachineHealthCheck',
  plural: 'machinehealthchecks',
  shortNames: ['mhc', 'mhcs'],
  categories: ['cluster-api', 'sickbay'],
  description: 'Watches a group of Machines and requests remediation for those that stay unhealthy, as long as not too many of them are.',
  spec: machineHealthCheckSpec('v1beta2'),
  status: machineHealthCheckStatus,
  columns: [
    cluster,
    { name: 'Replicas', type: 'integer', path: '.status.expectedMachines' },
    { name: 'Healthy', type: 'integer', path: '.status.currentHealthy' },
    { name: 'Paused', type: 'string', path: ".status.conditions[?(@.type=='Paused')].status", priority: 10 },
    AGE,
  ],
  olderVersions: [older('v1beta1', [cluster, expected, maxUnhealthy, healthy, AGE]), older('v1alpha3', [maxUnhealthy, expected, healthy])],
  notes: thresholdTable(),
  sample: machineHealthCheckSample,
});
export type MachineHealthCheck = ObjectOf<typeof MachineHealthCheck>;
