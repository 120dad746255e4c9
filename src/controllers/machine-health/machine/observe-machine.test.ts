import { describe, expect, test } from 'vitest';
import { Cluster, Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { MINUTE } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import { decideMachine } from './decide-machine.ts';
import { HealthEvaluator } from '../verdict/health-evaluator.ts';
import { observeMachine } from './observe-machine.ts';
import { FullListTimes } from '../requests/full-list-times.ts';
import { aHealthCheck, ago, aMachine, aNode, NOW, ready } from '../testing/a-machine.ts';

const KEY = { namespace: 'machine-api', name: 'worker-0' };
const CHECK = aHealthCheck({ checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] } });
const up = (type: string) => ({ type, status: 'True' as const, reason: 'Up', message: '', lastTransitionTime: ago(60 * MINUTE) });
const CLUSTER = {
  metadata: { name: 'prod', namespace: 'machine-api' },
  status: { conditions: [up('ControlPlaneInitialized'), up('InfrastructureReady')] },
} as unknown as Cluster;
const WELL = aNode([ready('True', 30 * MINUTE)]);

const UNHEALTHY_NODE = aNode([ready('Unknown', 30 * MINUTE)]);
const there = (value: Node): Read<Node> => ({ kind: 'value', value });

/** A cache, which does not know the Node unless one is given, and what the server says of it. */
function observing({
  machine = aMachine(),
  checks = [CHECK],
  node = { kind: 'absent' },
  liveNode,
  nodes,
  cluster = nodes && CLUSTER,
  annotationRemediates = false,
}: {
  machine?: Machine;
  checks?: MachineHealthCheck[];
  node?: Read<Node>;
  liveNode: Read<Node>;
  nodes?: WorkloadNodes;
  cluster?: Cluster | undefined;
  annotationRemediates?: boolean;
}) {
  const asked: string[] = [];
  const kept: Readonly<Record<string, Read<KubeObject>>> = {
    [Machine.kind]: { kind: 'value', value: machine },
    [Node.kind]: node,
    ...(cluster && { [Cluster.kind]: { kind: 'value', value: cluster } }),
  };
  const reader: Reader = {
    get: <T extends KubeObject>({ kind }: Resource<T>) => (kept[kind] ?? { kind: 'absent' }) as Read<T>,
    list: <T extends KubeObject>({ kind }: Resource<T>) => ({
      kind: 'value',
      value: (kind === MachineHealthCheck.kind ? checks : []) as unknown as readonly T[],
    }),
    fetch: <T extends KubeObject>({ kind }: Resource<T>) => {
      asked.push(kind);
      return Promise.resolve((kind === Cluster.kind ? (kept[Cluster.kind] ?? { kind: 'absent' }) : liveNode) as Read<T>);
    },
    fetchList: () => Promise.reject(new Error('nothing is listed')),
  };
  const how = { evaluator: new HealthEvaluator(), now: NOW, annotationRemediates, fullLists: new FullListTimes(), nodes };
  return { asked, seen: observeMachine(KEY, reader, how) };
}

describe('a Node that is missing from the cache', () => {
  test.each([
    { title: 'and the server has', liveNode: { kind: 'value', value: WELL } as const, want: { kind: 'healthy' } },
    { title: 'and the server has not', liveNode: { kind: 'absent' } as const, want: { kind: 'unhealthy', fault: 'NodeDeleted' } },
    {
      title: 'and the server does not answer',
      liveNode: { kind: 'unreadable', reason: 'timeout' } as const,
      want: { kind: 'unjudged', why: 'the local Nodes cannot be read: timeout' },
    },
  ])('$title: $want.kind', async ({ liveNode, want }) => {
    const { seen, asked } = observing({ liveNode });
    expect((await seen)?.verdicts).toMatchObject([{ check: 'example', verdict: want }]);
    expect(asked).toEqual([Node.kind]);
  });

  test('is not read live again where the Machine reports it as gone', async () => {
    const gone = {
      type: 'HealthCheckSucceeded',
      status: 'False' as const,
      reason: 'NodeDeleted',
      message: '',
      lastTransitionTime: '2026-01-10T12:00:00Z',
    };
    const machine = aMachine({ status: { nodeRef: { name: 'worker-0' }, conditions: [gone] } });
    const { seen, asked } = observing({ machine, liveNode: { kind: 'value', value: WELL } });
    expect((await seen)?.verdicts).toMatchObject([{ verdict: { kind: 'unhealthy' } }]);
    expect(asked).toEqual([]);
  });

  test('is not read live where no check selects the Machine', async () => {
    const { seen, asked } = observing({ checks: [], liveNode: { kind: 'absent' } });
    expect((await seen)?.verdicts).toEqual([]);
    expect(asked).toEqual([]);
  });
});

const said = (status: 'True' | 'False', reason: string): Machine =>
  aMachine({
    status: {
      nodeRef: { name: 'worker-0' },
      conditions: [{ type: 'HealthCheckSucceeded', status, reason, message: '', lastTransitionTime: ago(MINUTE) }],
    },
  });

describe('a Node that is unhealthy in the cache', () => {
  const ANSWERS: readonly { readonly title: string; readonly liveNode: Read<Node>; readonly want: object }[] = [
    { title: 'and is well again on the server', liveNode: there(WELL), want: { kind: 'healthy' } },
    { title: 'and is unhealthy on the server too', liveNode: there(UNHEALTHY_NODE), want: { kind: 'unhealthy', fault: 'UnhealthyNode' } },
    { title: 'and became unhealthy again on the server', liveNode: there(aNode([ready('Unknown', MINUTE)])), want: { kind: 'waiting' } },
    { title: 'and is gone there', liveNode: { kind: 'absent' }, want: { kind: 'unhealthy', fault: 'NodeDeleted' } },
    { title: 'and the server does not answer', liveNode: { kind: 'unreadable', reason: 'timeout' }, want: { kind: 'unjudged' } },
  ];

  test.each(ANSWERS)('$title: $want.kind', async ({ liveNode, want }) => {
    for (const machine of [aMachine(), said('True', 'HealthCheckSucceeded')]) {
      const { seen, asked } = observing({ machine, node: there(UNHEALTHY_NODE), liveNode });
      expect((await seen)?.verdicts).toMatchObject([{ verdict: want }]);
      expect(asked).toEqual([Node.kind]);
    }
  });

  test.each(ANSWERS)('of another cluster, $title: $want.kind', async ({ liveNode, want }) => {
    const fetched: string[] = [];
    const nodes: WorkloadNodes = {
      get: () => there(UNHEALTHY_NODE),
      fetch: (cluster, name) => Promise.resolve((fetched.push(`${cluster.namespace}/${cluster.name} ${name}`), liveNode)),
      isLocal: () => false,
      onChange: () => () => undefined,
    };
    const machine = { ...aMachine(), spec: { clusterName: 'prod' } };
    const { seen, asked } = observing({ machine, nodes, liveNode: { kind: 'absent' } });
    expect((await seen)?.verdicts).toMatchObject([{ verdict: want }]);
    expect({ asked, fetched }).toEqual({ asked: [Cluster.kind], fetched: ['machine-api/prod worker-0'] });
  });

  test.each([
    { title: 'the Machine reports already that it fails', machine: said('False', 'UnhealthyNode'), node: UNHEALTHY_NODE },
    { title: 'its time still runs', machine: aMachine(), node: aNode([ready('Unknown', MINUTE)]) },
    { title: 'it is well', machine: aMachine(), node: WELL },
  ])('is not asked for where $title', async ({ machine, node }) => {
    const { seen, asked } = observing({ machine, node: there(node), liveNode: { kind: 'absent' } });
    await seen;
    expect(asked).toEqual([]);
  });
});

describe('a Node that is healthy in the cache, of a Machine that reports a failure', () => {
  test.each<{ readonly title: string; readonly liveNode: Read<Node>; readonly want: object }>([
    { title: 'and is well on the server', liveNode: there(WELL), want: { kind: 'healthy' } },
    {
      title: 'and is unhealthy on the server, which the cache does not show yet',
      liveNode: there(UNHEALTHY_NODE),
      want: { kind: 'unhealthy', fault: 'UnhealthyNode' },
    },
    { title: 'and is gone there', liveNode: { kind: 'absent' }, want: { kind: 'unhealthy', fault: 'NodeDeleted' } },
    { title: 'and the server does not answer', liveNode: { kind: 'unreadable', reason: 'timeout' }, want: { kind: 'unjudged' } },
  ])('$title: $want.kind', async ({ liveNode, want }) => {
    for (const reason of ['UnhealthyNode', 'NodeDeleted', 'UnhealthyMachine']) {
      const { seen, asked } = observing({ machine: said('False', reason), node: there(WELL), liveNode });
      expect((await seen)?.verdicts).toMatchObject([{ verdict: want }]);
      expect(asked).toEqual([Node.kind]);
    }
  });

  test('is not read live once the Machine reports that it is healthy', async () => {
    const { seen, asked } = observing({
      machine: said('True', 'HealthCheckSucceeded'),
      node: there(WELL),
      liveNode: there(UNHEALTHY_NODE),
    });
    expect((await seen)?.verdicts).toMatchObject([{ verdict: { kind: 'healthy' } }]);
    expect(asked).toEqual([]);
  });
});

test('a Machine whose Cluster is paused is left as it is, also by a check that names no cluster', async () => {
  const annotations = { [ANNOTATIONS.remediateMachine]: '' };
  const machine = aMachine({ metadata: { annotations }, spec: { clusterName: 'prod' } });
  const world = { machine, node: there(UNHEALTHY_NODE), liveNode: there(UNHEALTHY_NODE), annotationRemediates: true };
  const marked = async (cluster: Cluster) => decideMachine((await observing({ ...world, cluster }).seen)!, NOW).status !== machine.status;
  expect(await marked(CLUSTER)).toBe(true);
  expect(await marked({ ...CLUSTER, spec: { paused: true } })).toBe(false);
});
