import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../../api/builtin/index.ts';
import { isOutOfService, isKubeletReporting, isKubeletSilent, taintNode, mustTerminate, untaintNode } from './out-of-service.ts';
import { aSilentNode, OURS } from '../testing/builders.ts';

const THEIRS = { ...OURS, value: 'nodeshutdown' };
const OTHER = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const operations = (effect: ReturnType<typeof taintNode>) => (effect.kind === 'Patch' ? effect.operations : []);

describe('the taint of a Node that is off', () => {
  test('is added to the existing taints, on exactly the Node that was read', () => {
    expect(taintNode(aSilentNode([OTHER]))).toMatchObject({
      kind: 'Patch',
      uid: 'n-0',
      resourceVersion: '1',
      key: { namespace: '', name: 'worker-0' },
    });
    expect(operations(taintNode(aSilentNode([OTHER])))).toEqual([{ op: 'add', path: '/spec/taints', value: [OTHER, OURS] }]);
  });

  test('is removed alone', () => {
    const [effect] = untaintNode({ kind: 'value', value: aSilentNode([OTHER, OURS]) });
    expect(operations(effect!)).toEqual([{ op: 'add', path: '/spec/taints', value: [OTHER] }]);
  });

  test.each([
    { reason: 'of an operator stays', seen: { kind: 'value', value: aSilentNode([THEIRS]) } as const },
    { reason: 'of another effect stays', seen: { kind: 'value', value: aSilentNode([{ ...OURS, effect: 'NoSchedule' }]) } as const },
    { reason: 'of a Node that is gone is gone', seen: { kind: 'absent' } as const },
    { reason: 'of a Node that cannot be read is not known', seen: { kind: 'unreadable', reason: 'no' } as const },
  ])('$reason', ({ seen }) => expect(untaintNode(seen)).toEqual([]));

  test('is recognized whichever client set it', () =>
    expect(
      [[], [OTHER], [OURS], [THEIRS], [{ ...OURS, effect: 'NoSchedule' }]].map((taints) => isOutOfService(aSilentNode(taints))),
    ).toEqual([false, false, true, true, false]));
});

describe('a Node', () => {
  const READY = 'Ready';
  test.each([
    { reason: 'its kubelet reports', type: READY, status: 'True', want: { runs: true, silent: false } },
    { reason: 'its kubelet reports NotReady', type: READY, status: 'False', want: { runs: true, silent: false } },
    { reason: 'Kubernetes has not heard from its kubelet', type: READY, status: 'Unknown', want: { runs: false, silent: true } },
    { reason: 'that is about something else', type: 'DiskPressure', status: 'Unknown', want: { runs: false, silent: false } },
    { reason: 'that is about something else', type: 'DiskPressure', status: 'True', want: { runs: false, silent: false } },
  ] as const)('whose $type is $status: $reason', ({ type, status, want }) => {
    const node = { ...aSilentNode(), status: { conditions: [{ type, status }] } };
    expect({ runs: isKubeletReporting(node), silent: isKubeletSilent(node) }).toEqual(want);
  });

  test('without a Ready condition counts as neither', () => {
    const node = { ...aSilentNode(), status: {} };
    expect([isKubeletReporting(node), isKubeletSilent(node)]).toEqual([false, false]);
  });
});

describe('a pod', () => {
  const pod = (change: { spec?: Partial<Pod['spec']>; status?: Pod['status']; annotations?: Record<string, string> } = {}): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'shop',
      uid: 'p-0',
      resourceVersion: '1',
      creationTimestamp: '',
      ...(change.annotations && { annotations: change.annotations }),
    },
    spec: { containers: [], ...change.spec },
    ...(change.status && { status: change.status }),
  });
  const tolerating = (...tolerations: NonNullable<Pod['spec']['tolerations']>) => pod({ spec: { tolerations } });

  test.each([
    { reason: 'every pod has to terminate', one: pod(), want: true },
    { reason: 'one that runs', one: pod({ status: { phase: 'Running' } }), want: true },
    { reason: 'one that is done', one: pod({ status: { phase: 'Succeeded' } }), want: false },
    { reason: 'one that failed', one: pod({ status: { phase: 'Failed' } }), want: false },
    { reason: 'a mirror pod', one: pod({ annotations: { 'kubernetes.io/config.mirror': 'x' } }), want: false },
    { reason: 'one that tolerates everything', one: tolerating({ operator: 'Exists' }), want: false },
    { reason: 'one that tolerates this key', one: tolerating({ key: OURS.key, operator: 'Exists', effect: 'NoExecute' }), want: false },
    { reason: 'one that tolerates this very taint', one: tolerating({ key: OURS.key, value: OURS.value }), want: false },
    { reason: 'one that tolerates another value', one: tolerating({ key: OURS.key, value: 'nodeshutdown' }), want: true },
    { reason: 'one that tolerates another effect', one: tolerating({ operator: 'Exists', effect: 'NoSchedule' }), want: true },
    { reason: 'one that tolerates another key', one: tolerating({ key: 'dedicated', operator: 'Exists' }), want: true },
  ])('$reason: $want', ({ one, want }) => expect(mustTerminate(one)).toBe(want));
});
