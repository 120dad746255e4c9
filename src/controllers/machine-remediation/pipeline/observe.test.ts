import { describe, expect, test } from 'vitest';
import { Cluster, Node } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import type { Resource } from '../../../api/resource.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { fingerprintOfNode } from './draft-request.ts';
import { observe, type PipelineContext } from './observe.ts';
import { ABSENT, aMachine, aNode, aRequest, opened, UNREADABLE, valueOf } from './testing/builders.ts';

const KEY = { namespace: 'machines', name: 'worker-1' };
const CLUSTER = valueOf({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { ...aNode().metadata, name: 'eu-2' } });

interface World {
  readonly object?: Read<PipelineRemediation>;
  readonly machine?: Read<Machine>;
  readonly cluster?: Read<KubeObject>;
}

/** Answers from the world, and writes down what it is asked. */
function looking(
  { object = valueOf(aRequest()), machine = valueOf(aMachine('False')), cluster = ABSENT }: World,
  around: Partial<PipelineContext> = {},
) {
  const asked: string[] = [];
  const answers = new Map<Resource, Read<KubeObject>>([
    [Machine as Resource, machine],
    [Cluster as Resource, cluster],
    [Node as Resource, valueOf(aNode())],
  ]);
  const reader = {
    get: () => object,
    fetch: async (resource: Resource, { namespace, name }: ObjectKey) => {
      asked.push(`${resource.kind} ${namespace}/${name}`);
      return answers.get(resource) ?? ABSENT;
    },
    fetchList: async (resource: Resource, options: { namespace?: string; fieldSelector?: string }) => {
      asked.push(`${resource.plural} in ${options.namespace} with ${options.fieldSelector ?? 'anything'}`);
      return valueOf(resource.kind === 'MachineHealthCheck' ? [] : [opened('rr-1')]);
    },
  } as unknown as Reader;
  const seen = observe(KEY, reader, {
    settings: DEFAULT_SETTINGS,
    account: 'us',
    isLocalCluster: () => false,
    definitions: 'sickbay',
    ...around,
  });
  return { seen, asked };
}

const inCluster = (name: string): Machine => ({ ...aMachine('False'), spec: { clusterName: name } });

const NO_SUCH_KIND = { kind: 'absent', isKindUnknown: true } as const;

describe('what a PipelineRemediation is judged by', () => {
  test('is the word of the server: its Machine, the Node, and every request about the Node', async () => {
    const { seen, asked } = looking({});
    expect(await seen).toMatchObject({
      machine: { kind: 'value' },
      node: { kind: 'value' },
      requests: { value: [{ metadata: { name: 'rr-1' } }] },
    });
    expect(asked).toEqual([
      'Machine machines/worker-1',
      'machinehealthchecks in machines with anything',
      'Node /node-1',
      `remediationrequests in sickbay-system with spec.signalFingerprint=${fingerprintOfNode('node-1', DEFAULT_SETTINGS)}`,
    ]);
  });

  test('is nothing where it is gone', async () => expect(await looking({ object: ABSENT }).seen).toBeUndefined());

  test.each([
    ['gone', ABSENT],
    ['not to be read', UNREADABLE],
  ])('is the Node that work began on, where the Machine is %s', async (_, machine) => {
    const { seen, asked } = looking({ machine, object: valueOf(aRequest({ phase: 'Requested', nodeName: 'node-9' })) });
    expect(await seen).toMatchObject({ node: { kind: 'value' } });
    expect(asked).toContain('Node /node-9');
  });

  test('is no Node when the Machine names none', async () => {
    const { seen, asked } = looking({ machine: ABSENT });
    expect(await seen).toMatchObject({ node: { kind: 'absent' }, requests: { kind: 'value', value: [] } });
    expect(asked).toEqual(['Machine machines/worker-1']);
  });

  test.each([
    {
      name: 'another cluster',
      world: { cluster: CLUSTER },
      says: 'its Node is in cluster eu-2, and RemediationRequests are for Nodes of this cluster',
    },
    { name: 'one that cannot be read', world: { cluster: UNREADABLE }, says: 'Cluster eu-2 cannot be read: forbidden' },
    {
      name: 'a Cluster that is gone (ruling 123)',
      world: {},
      around: {},
      says: 'Cluster eu-2 does not exist',
    },
    {
      name: 'one in an unknown cluster',
      world: { cluster: CLUSTER },
      around: { isLocalCluster: () => undefined },
      says: 'it is unknown whether Cluster eu-2 is the one that Sickbay runs in: see the condition NodesReachable of the MachineHealthCheck',
    },
  ])('is no Node of ours where the Machine belongs to $name', async ({ world, around, says }) => {
    const { seen, asked } = looking({ machine: valueOf(inCluster('eu-2')), ...world }, around);
    expect(await seen).toMatchObject({ elsewhere: says, node: { kind: 'absent' } });
    expect(asked).not.toContain('Node /node-1');
  });

  test.each([
    { name: 'is named on a server without Clusters', world: { cluster: NO_SUCH_KIND }, around: {} },
    {
      name: 'is the one that we run in',
      world: { cluster: CLUSTER },
      around: { isLocalCluster: ({ name }: ObjectKey) => name === 'eu-2' },
    },
  ])('is a Node of ours where the cluster $name', async ({ world, around }) => {
    const { seen } = looking({ machine: valueOf(inCluster('eu-2')), ...world }, around);
    expect(await seen).not.toHaveProperty('elsewhere');
    expect(await seen).toMatchObject({ node: { kind: 'value' } });
  });
});
