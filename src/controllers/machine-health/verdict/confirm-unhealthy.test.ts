import { describe, expect, test } from 'vitest';
import { Cluster, Node, type NodeCondition } from '../../../api/builtin/index.ts';
import { NO_SAFEGUARDS } from '../../../api/machine-health-check/safeguards.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { MINUTE } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { confirmUnhealthy } from './confirm-unhealthy.ts';
import { HealthEvaluator } from './health-evaluator.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { FullListTimes } from '../requests/full-list-times.ts';
import { aCheck, ago, aMachine, aNode, aTarget, NOW, ready, there, UNREAD } from '../testing/a-machine.ts';
import type { HealthVerdict } from './verdict.ts';

const UNHEALTHY: HealthVerdict = { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] };
const UNKNOWN = ready('Unknown', 30 * MINUTE);
const ABSENT = { kind: 'absent' } as const;
const node = (condition: NodeCondition): Read<Node> => ({ kind: 'value', value: aNode([condition]) });
const MARKED = aMachine({
  status: {
    nodeRef: { name: 'worker-0' },
    conditions: [{ type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode', message: '', lastTransitionTime: ago(MINUTE) }],
  },
});
const target = (change: Partial<TargetObservation> = {}): TargetObservation => ({
  target: aTarget({ machine: MARKED, node: there(UNKNOWN) }),
  verdict: UNHEALTHY,
  others: [],
  ...UNREAD,
  ...change,
});

/** What is seen in the end of one of four Machines, and what the server was asked for. */
async function confirming(one: TargetObservation, liveNode: Read<Node>, change: Parameters<typeof aCheck>[0] = {}) {
  const asked: string[] = [];
  const reader: Reader = {
    get: () => ABSENT,
    list: () => ({ kind: 'value', value: [] }),
    fetch: <T extends KubeObject>({ kind }: Resource<T>) => {
      asked.push(kind);
      return Promise.resolve((kind === Node.kind ? liveNode : ABSENT) as Read<T>);
    },
    fetchList: () => Promise.reject(new Error('nothing is listed')),
  };
  const read = {
    kind: 'valid' as const,
    check: aCheck(change),
    namespace: 'machine-api',
    name: 'example',
    selects: labelRequirements({ matchLabels: { role: 'worker' } }),
  };
  const how = { evaluator: new HealthEvaluator(), now: NOW, annotationRemediates: false, fullLists: new FullListTimes() };
  const called = { names: ['worker-0', 'worker-1', 'worker-2', 'worker-3'], targets: [one] };
  const [seen] = await confirmUnhealthy(called, read, { reader, how });
  return { seen, asked: asked.filter((kind) => kind !== Cluster.kind) };
}

describe('before remediation is requested for a Machine, its Node is read from the server', () => {
  test.each<{ readonly reason: string; readonly liveNode: Read<Node>; readonly want: HealthVerdict['kind'] }>([
    { reason: 'it is unhealthy there too', liveNode: node(UNKNOWN), want: 'unhealthy' },
    { reason: 'it is healthy again, which the cache does not show yet', liveNode: node(ready('True', MINUTE)), want: 'healthy' },
    { reason: 'it is unhealthy only since a moment ago', liveNode: node(ready('False', MINUTE)), want: 'waiting' },
    { reason: 'it is gone', liveNode: ABSENT, want: 'unhealthy' },
    { reason: 'the server does not answer', liveNode: { kind: 'unreadable', reason: 'timeout' }, want: 'unjudged' },
  ])('$reason: $want', async ({ liveNode, want }) => {
    const { seen, asked } = await confirming(target(), liveNode);
    expect(seen?.verdict.kind).toBe(want);
    expect(asked).toEqual([Node.kind]);
  });

  test.each<{ readonly reason: string; readonly one: TargetObservation; readonly change?: Parameters<typeof aCheck>[0] }>([
    { reason: 'the gate is closed', one: target(), change: { gate: { kind: 'atMost', limit: { unit: 'machines', count: 0 } } } },
    { reason: 'the check only observes', one: target(), change: { safeguards: { ...NO_SAFEGUARDS, observeOnly: true } } },
    { reason: 'the Machine does not report yet that it fails', one: target({ target: aTarget({ node: there(UNKNOWN) }) }) },
    { reason: 'it is recorded in status', one: target({ entry: { machine: 'worker-0', uid: 'm-0', since: ago(MINUTE) } }) },
    { reason: 'its request is open', one: target({ request: { kind: 'value', value: MARKED } }) },
    { reason: 'it is not known whether its request is open', one: target({ request: { kind: 'unreadable', reason: 'timeout' } }) },
    { reason: 'its timeout has not expired', one: target({ verdict: { kind: 'waiting', until: NOW } }) },
  ])('but not where no remediation will be requested: $reason', async ({ one, change }) => {
    const { seen, asked } = await confirming(one, node(ready('True', MINUTE)), change);
    expect(seen).toBe(one);
    expect(asked).toEqual([]);
  });
});
