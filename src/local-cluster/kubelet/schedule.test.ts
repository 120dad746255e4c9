import { expect, test } from 'vitest';
import type { Node, PodSpec } from '../../api/builtin/index.ts';
import { aPod, script } from '../testing/builders.ts';
import { place, type Candidate } from './schedule.ts';

const asks = (cpu?: string): PodSpec => ({
  containers: [{ ...script('sleep 1'), ...(cpu !== undefined && { resources: { requests: { cpu } } }) }],
});
const node = (name: string, extra: { spec?: Node['spec']; labels?: Record<string, string>; pods?: PodSpec[] } = {}): Candidate => ({
  node: {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...aPod({}).metadata, name, labels: extra.labels ?? {} },
    spec: extra.spec ?? {},
    status: { allocatable: { cpu: '8', memory: '16Gi' } },
  },
  pods: extra.pods ?? [],
});
const tainted = node('c', { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } });

test('the node with the fewest pods takes it', () => {
  expect(place(asks(), [node('a', { pods: [asks()] }), node('b')])).toEqual({ node: 'b' });
  expect(place(asks(), [node('b'), node('a')])).toEqual({ node: 'a' });
});

test.each([
  ['no node', asks(), [], '0/0 nodes are available.'],
  ['cordoned', asks(), [node('a', { spec: { unschedulable: true } })], '0/1 nodes are available: 1 node(s) were unschedulable.'],
  [
    'another selector',
    { ...asks(), nodeSelector: { disk: 'nvme' } },
    [node('a'), node('b')],
    "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
  ],
  [
    'too much, and a taint',
    asks('6'),
    [node('a', { pods: [asks('3')] }), tainted],
    '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {gpu: }.',
  ],
] as const)('%s: it waits, and the scheduler says why', (_what, pod, nodes, refusal) => {
  expect(place(pod, nodes)).toEqual({ refusal });
});

test('a toleration and a matching selector let it in', () => {
  expect(place({ ...asks(), tolerations: [{ key: 'gpu', operator: 'Exists' }] }, [tainted])).toEqual({ node: 'c' });
  expect(place({ ...asks(), nodeSelector: { disk: 'nvme' } }, [node('a', { labels: { disk: 'nvme' } })])).toEqual({ node: 'a' });
});
