import { describe, expect, test } from 'vitest';
import { instant, parseTime, toTime } from '../../../base/index.ts';
import type { Stored } from '../../object.ts';
import type { Columns } from '../columns.ts';
import { bindingColumns } from './access-columns.ts';
import { configMapColumns, eventColumns, leaseColumns, namespaceColumns, quotaColumns, secretColumns } from './core-columns.ts';
import { nodeColumns } from './node-columns.ts';
import { serviceColumns } from './service-columns.ts';
import {
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  replicaSetColumns,
  scaleColumns,
  statefulSetColumns,
} from './workload-columns.ts';

const NOW = parseTime('2026-11-15T00:00:00Z')!;
const ago = (seconds: number): string => toTime(instant(NOW - seconds * 1_000));

interface Case {
  readonly what: string;
  readonly columns: Columns;
  readonly object: object;
  readonly cells: readonly unknown[];
}

const template = {
  spec: {
    containers: [
      { name: 'a', image: 'x:1' },
      { name: 'b', image: 'y:2' },
    ],
    nodeSelector: { z: '1', d: 'e' },
  },
};
const selector = { matchLabels: { b: 'c', a: 'b' }, matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }] };
const SELECTOR = 'a=b,b=c,k in (x,y)';

const cases: readonly Case[] = [
  { what: 'a namespace', columns: namespaceColumns, object: { status: { phase: 'Active' } }, cells: ['x', 'Active', '60s'] },
  { what: 'a config map', columns: configMapColumns, object: { data: { a: '1', b: '2' }, binaryData: { c: '' } }, cells: ['x', 3, '60s'] },
  { what: 'a secret', columns: secretColumns, object: { type: 'Opaque', data: { a: '' } }, cells: ['x', 'Opaque', 1, '60s'] },
  { what: 'a lease', columns: leaseColumns, object: { spec: { holderIdentity: 'me' } }, cells: ['x', 'me', '60s'] },
  {
    what: 'an event',
    columns: eventColumns,
    object: {
      type: 'Warning',
      reason: 'BackOff',
      message: ' again \n',
      count: 4,
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{a}' },
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: ago(300),
      lastTimestamp: ago(30),
    },
    cells: ['30s', 'Warning', 'BackOff', 'pod/p', 'spec.containers{a}', 'kubelet, n1', 'again', '5m', 4, 'x'],
  },
  {
    what: 'an event of the newer form',
    columns: eventColumns,
    object: {
      involvedObject: { kind: 'Node' },
      reportingComponent: 'me',
      eventTime: ago(90),
      series: { count: 7, lastObservedTime: ago(5) },
    },
    cells: ['5s', '', '', 'node', '', 'me', '', '90s', 7, 'x'],
  },
  { what: 'an event without times', columns: eventColumns, object: {}, cells: ['<unknown>', '', '', '', '', '', '', '<unknown>', 1, 'x'] },
  {
    what: 'a quota',
    columns: quotaColumns,
    object: { status: { hard: { pods: '5', 'limits.cpu': '2', cpu: '1' }, used: { pods: '3', 'limits.cpu': '1' } } },
    cells: ['x', 'cpu: 0/1, pods: 3/5', 'limits.cpu: 1/2', '60s'],
  },
  {
    what: 'a deployment',
    columns: deploymentColumns,
    object: { spec: { replicas: 3, selector, template }, status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 } },
    cells: ['x', '1/3', 2, 1, '60s', 'a,b', 'x:1,y:2', SELECTOR],
  },
  { what: 'a deployment of nothing', columns: deploymentColumns, object: {}, cells: ['x', '0/0', 0, 0, '60s', '', '', ''] },
  {
    what: 'a replica set',
    columns: replicaSetColumns,
    object: { spec: { replicas: 3, template }, status: { replicas: 2, readyReplicas: 1 } },
    cells: ['x', 3, 2, 1, '60s', 'a,b', 'x:1,y:2', '<none>'],
  },
  {
    what: 'a stateful set',
    columns: statefulSetColumns,
    object: { spec: { replicas: 2, template } },
    cells: ['x', '0/2', '60s', 'a,b', 'x:1,y:2'],
  },
  {
    what: 'a daemon set',
    columns: daemonSetColumns,
    object: {
      spec: { template, selector },
      status: { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2, numberAvailable: 1 },
    },
    cells: ['x', 5, 4, 3, 2, 1, 'd=e,z=1', '60s', 'a,b', 'x:1,y:2', SELECTOR],
  },
  {
    what: 'a cron job',
    columns: cronJobColumns,
    object: {
      spec: { schedule: '* * * * *', suspend: true, jobTemplate: { spec: { template } } },
      status: { active: [{}], lastScheduleTime: ago(10) },
    },
    cells: ['x', '* * * * *', '<none>', 'True', 1, '10s', '60s', 'a,b', 'x:1,y:2', '<none>'],
  },
  {
    what: 'a cron job that never ran',
    columns: cronJobColumns,
    object: { spec: { timeZone: 'UTC' } },
    cells: ['x', '', 'UTC', 'False', 0, '<none>', '60s', '', '', '<none>'],
  },
  { what: 'a scale', columns: scaleColumns, object: { spec: { replicas: 3 }, status: { replicas: 2 } }, cells: ['x', 3, 2, '60s'] },
  {
    what: 'a node',
    columns: nodeColumns,
    object: {
      metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/infra': '', 'kubernetes.io/role': 'old' } },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'ExternalIP', address: '1.2.3.4' },
        ],
        nodeInfo: { kubeletVersion: 'v1', osImage: 'Debian', kernelVersion: '6', architecture: 'arm64', containerRuntimeVersion: 'c' },
      },
    },
    cells: ['x', 'Ready,SchedulingDisabled', 'infra,old,worker', '60s', 'v1', '10.0.0.1', '1.2.3.4', 'Debian', '6 (arm64)', 'c'],
  },
  {
    what: 'a node that is not ready',
    columns: nodeColumns,
    object: { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
    cells: ['x', 'NotReady', '<none>', '60s', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
  {
    what: 'a node that never reported',
    columns: nodeColumns,
    object: {},
    cells: ['x', 'Unknown', '<none>', '60s', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
  {
    what: 'a service',
    columns: serviceColumns,
    object: {
      spec: {
        type: 'NodePort',
        clusterIPs: ['10.1.1.1'],
        ports: [
          { port: 80, nodePort: 30080, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
        selector: { a: 'b' },
      },
    },
    cells: ['x', 'NodePort', '10.1.1.1', '<none>', '80:30080/TCP,53/UDP', '60s', 'a=b'],
  },
  {
    what: 'a load balancer',
    columns: serviceColumns,
    object: {
      spec: { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
      status: { loadBalancer: { ingress: [{ ip: '8.8.8.8' }, { hostname: 'h' }] } },
    },
    cells: ['x', 'LoadBalancer', '<none>', '8.8.8.8,h,9.9.9.9', '<none>', '60s', '<none>'],
  },
  {
    what: 'a load balancer to come',
    columns: serviceColumns,
    object: { spec: { type: 'LoadBalancer' } },
    cells: ['x', 'LoadBalancer', '<none>', '<pending>', '<none>', '60s', '<none>'],
  },
  {
    what: 'a name',
    columns: serviceColumns,
    object: { spec: { type: 'ExternalName', externalName: 'e.x' } },
    cells: ['x', 'ExternalName', '<none>', 'e.x', '<none>', '60s', '<none>'],
  },
  {
    what: 'a service of no known type',
    columns: serviceColumns,
    object: {},
    cells: ['x', '', '<none>', '<unknown>', '<none>', '60s', '<none>'],
  },
  {
    what: 'a role binding',
    columns: bindingColumns,
    object: {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'User', name: 'v' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    },
    cells: ['x', 'Role/r', '60s', 'u, v', 'g', 'n/s'],
  },
];

const objectOf = (given: object): Stored => {
  const { metadata = {}, ...rest } = given as { readonly metadata?: object };
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', creationTimestamp: ago(60), ...metadata }, ...rest } as unknown as Stored;
};

describe('cells of built-in kinds', () => {
  test.each(cases)('$what', ({ columns, object, cells }) => {
    expect(columns.cells(objectOf(object), NOW)).toEqual(cells);
    expect(columns.definitions).toHaveLength(cells.length);
  });
});

describe('a job', () => {
  const condition = (type: string): object => ({ conditions: [{ type, status: 'True' }] });
  const jobs: readonly { readonly reason: string; readonly object: object; readonly shown: readonly unknown[] }[] = [
    { reason: 'it waits', object: { spec: { completions: 2 } }, shown: ['Running', '0/2', ''] },
    { reason: 'it runs', object: { spec: { completions: 1 }, status: { startTime: ago(30) } }, shown: ['Running', '0/1', '30s'] },
    {
      reason: 'it is through',
      object: { spec: { completions: 1 }, status: { ...condition('Complete'), succeeded: 1, startTime: ago(50), completionTime: ago(20) } },
      shown: ['Complete', '1/1', '30s'],
    },
    { reason: 'it failed', object: { spec: { completions: 1 }, status: condition('Failed') }, shown: ['Failed', '0/1', ''] },
    { reason: 'it is held', object: { status: condition('Suspended') }, shown: ['Suspended', '0/1', ''] },
    { reason: 'it is about to fail', object: { status: condition('FailureTarget') }, shown: ['FailureTarget', '0/1', ''] },
    { reason: 'it is about to succeed', object: { status: condition('SuccessCriteriaMet') }, shown: ['SuccessCriteriaMet', '0/1', ''] },
    { reason: 'it is on its way out', object: { metadata: { deletionTimestamp: ago(1) } }, shown: ['Terminating', '0/1', ''] },
    { reason: 'one of many has to succeed', object: { spec: { parallelism: 3 } }, shown: ['Running', '0/1 of 3', ''] },
  ];
  test.each(jobs)('$reason', ({ object, shown }) => {
    expect(jobColumns.cells(objectOf(object), NOW).slice(1, 4)).toEqual(shown);
  });
});

test('a selector that cannot be read says so', () => {
  const odd = objectOf({ spec: { selector: { matchExpressions: [{ key: 'k', operator: 'In', values: [] }] } } });
  expect(deploymentColumns.cells(odd, NOW).at(-1)).toBe('<invalid>');
});
