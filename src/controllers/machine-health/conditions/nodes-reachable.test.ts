import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { EvaluatedTarget } from '../verdict/health-evaluator.ts';
import { nodesReachable } from './nodes-reachable.ts';
import type { TargetNode, UnknownCluster } from '../targets/target.ts';
import { aHealthCheck, aTarget, there } from '../testing/a-machine.ts';

const OTHER = { kind: 'other', name: 'prod', controlPlaneSince: undefined, infrastructureSince: undefined } as const;
const judged = (node: TargetNode, change: Partial<EvaluatedTarget['target']> = {}): EvaluatedTarget => ({
  target: aTarget({ node, ...change }),
  verdict: { kind: 'healthy' },
});
const unseen = (why: string): EvaluatedTarget => judged({ kind: 'unreadable', why });
const said = (status: 'True' | 'False'): MachineHealthCheck => ({
  ...aHealthCheck(),
  status: { conditions: [{ type: 'NodesReachable', status, reason: 'x', message: '', lastTransitionTime: '2026-01-10T12:00:00Z' }] },
});

const NEXT = 'They are not marked, and no remediation is requested for them until that changes';
const ofUnknown = (reason: UnknownCluster['reason'], why: string): EvaluatedTarget =>
  judged({ kind: 'unnamed' }, { cluster: { kind: 'unknown', reason, why } });

describe('the condition about Nodes that can be read', () => {
  test.each([
    { title: 'nothing, where all is here', targets: [judged(there())], object: aHealthCheck(), want: [] },
    { title: 'nothing, without Machines', targets: [], object: aHealthCheck(), want: [] },
    {
      title: 'that all is well, where some are of another cluster',
      targets: [judged(there()), judged(there(), { cluster: OTHER })],
      object: aHealthCheck(),
      want: [{ holds: true, reason: 'NodesReachable', message: '' }],
    },
    {
      title: 'that all is well again, where it was not',
      targets: [judged(there())],
      object: said('False'),
      want: [{ holds: true, reason: 'NodesReachable', message: '' }],
    },
    {
      title: 'each reason once, with how many it keeps from being judged',
      targets: [unseen('b is down'), unseen('a is down'), unseen('b is down'), judged(there())],
      object: aHealthCheck(),
      want: [{ holds: false, reason: 'NodesUnreachable', message: '3 of its Machines cannot be evaluated: a is down; b is down. ' + NEXT }],
    },
    {
      title: 'the number of reasons is limited',
      targets: ['1', '2', '3', '4', '5', '6', '7'].map(unseen),
      object: said('True'),
      want: [
        { holds: false, reason: 'NodesUnreachable', message: '7 of its Machines cannot be evaluated: 1; 2; 3; 4; 5; and 2 more. ' + NEXT },
      ],
    },
    {
      title: 'a Cluster that is gone, also for a Machine without a Node (ruling 123)',
      targets: [ofUnknown('ClusterNotFound', 'a is gone'), judged(there())],
      object: aHealthCheck(),
      want: [{ holds: false, reason: 'ClusterNotFound', message: '1 of its Machines cannot be evaluated: a is gone. ' + NEXT }],
    },
    {
      title: 'one reason for several causes',
      targets: [ofUnknown('ClusterDeleting', 'a goes'), unseen('b is down')],
      object: aHealthCheck(),
      want: [{ holds: false, reason: 'NodesUnreachable', message: '2 of its Machines cannot be evaluated: a goes; b is down. ' + NEXT }],
    },
  ])('$title', ({ targets, object, want }) =>
    expect(nodesReachable(targets, object)).toEqual(want.map((one) => ({ type: 'NodesReachable', ...one }))),
  );
});
