import { describe, expect, test } from 'vitest';
import { Cluster, Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { MINUTE } from '../../base/index.ts';
import type { Read, Reader } from '../../runtime/controller.ts';
import { Judge } from './judge.ts';
import { observeMachine } from './observe-machine.ts';
import { aHealthCheck, aMachine, aNode, NOW, ready } from './testing/a-machine.ts';

const KEY = { namespace: 'machine-api', name: 'worker-0' };
const CHECK = aHealthCheck({ checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] } });
const WELL = aNode([ready('True', 30 * MINUTE)]);

/** A cache that does not know the Node, and what the server says of it. */
function observing({
  machine = aMachine(),
  checks = [CHECK],
  onServer,
}: {
  machine?: Machine;
  checks?: MachineHealthCheck[];
  onServer: Read<Node>;
}) {
  const asked: string[] = [];
  const kept = { [Machine.kind]: { kind: 'value', value: machine } } as Readonly<Record<string, Read<KubeObject>>>;
  const reader: Reader = {
    get: <T extends KubeObject>({ kind }: Resource<T>) => (kept[kind] ?? { kind: 'absent' }) as Read<T>,
    list: <T extends KubeObject>({ kind }: Resource<T>) => ({
      kind: 'value',
      value: (kind === MachineHealthCheck.kind ? checks : []) as unknown as readonly T[],
    }),
    fetch: <T extends KubeObject>({ kind }: Resource<T>) => {
      asked.push(kind);
      return Promise.resolve((kind === Cluster.kind ? { kind: 'absent' } : onServer) as Read<T>);
    },
    fetchList: () => Promise.reject(new Error('nothing is listed')),
  };
  const how = { judge: new Judge(), now: NOW, annotationRemediates: false, sweeps: new Map() };
  return { asked, seen: observeMachine(KEY, reader, how) };
}

describe('a Node that the cache does not have', () => {
  test.each([
    { title: 'and the server has', onServer: { kind: 'value', value: WELL } as const, want: { kind: 'healthy' } },
    { title: 'and the server has not', onServer: { kind: 'absent' } as const, want: { kind: 'unhealthy', fault: 'NodeDeleted' } },
    {
      title: 'and nobody can say',
      onServer: { kind: 'unreadable', reason: 'timeout' } as const,
      want: { kind: 'unjudged', why: 'the Nodes here cannot be read: timeout' },
    },
  ])('$title: $want.kind', async ({ onServer, want }) => {
    const { seen, asked } = observing({ onServer });
    expect((await seen)?.verdicts).toMatchObject([{ check: 'example', verdict: want }]);
    expect(asked).toEqual([Node.kind]);
  });

  test('is not asked for again where the Machine says that it is gone', async () => {
    const gone = {
      type: 'HealthCheckSucceeded',
      status: 'False' as const,
      reason: 'NodeDeleted',
      message: '',
      lastTransitionTime: '2026-01-10T12:00:00Z',
    };
    const machine = aMachine({ status: { nodeRef: { name: 'worker-0' }, conditions: [gone] } });
    const { seen, asked } = observing({ machine, onServer: { kind: 'value', value: WELL } });
    expect((await seen)?.verdicts).toMatchObject([{ verdict: { kind: 'unhealthy' } }]);
    expect(asked).toEqual([]);
  });

  test('is nobody’s business where no check is about the Machine', async () => {
    const { seen, asked } = observing({ checks: [], onServer: { kind: 'absent' } });
    expect((await seen)?.verdicts).toEqual([]);
    expect(asked).toEqual([]);
  });
});
