import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../../api/builtin/index.ts';
import { isMarked, isReporting, isSilent, mark, mustLeave, unmark } from './out-of-service.ts';
import { aDeadNode, OURS } from '../testing/builders.ts';

const THEIRS = { ...OURS, value: 'nodeshutdown' };
const OTHER = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const operations = (effect: ReturnType<typeof mark>) => (effect.kind === 'Patch' ? effect.operations : []);

describe('the mark of a Node that is off', () => {
  test('is put beside what is there, on exactly the Node that was read', () => {
    expect(mark(aDeadNode([OTHER]))).toMatchObject({
      kind: 'Patch',
      uid: 'n-0',
      resourceVersion: '1',
      key: { namespace: '', name: 'worker-0' },
    });
    expect(operations(mark(aDeadNode([OTHER])))).toEqual([{ op: 'add', path: '/spec/taints', value: [OTHER, OURS] }]);
  });

  test('goes alone', () => {
    const [effect] = unmark({ kind: 'there', node: aDeadNode([OTHER, OURS]) });
    expect(operations(effect!)).toEqual([{ op: 'add', path: '/spec/taints', value: [OTHER] }]);
  });

  test.each([
    { reason: 'of somebody else stays', seen: { kind: 'there', node: aDeadNode([THEIRS]) } as const },
    { reason: 'of another effect stays', seen: { kind: 'there', node: aDeadNode([{ ...OURS, effect: 'NoSchedule' }]) } as const },
    { reason: 'of a Node that is gone is gone', seen: { kind: 'none' } as const },
    { reason: 'of a Node that cannot be read is not known', seen: { kind: 'unreadable', why: 'no' } as const },
  ])('$reason', ({ seen }) => expect(unmark(seen)).toEqual([]));

  test('is known whoever put it there', () =>
    expect([[], [OTHER], [OURS], [THEIRS], [{ ...OURS, effect: 'NoSchedule' }]].map((taints) => isMarked(aDeadNode(taints)))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]));
});

describe('a Node', () => {
  const READY = 'Ready';
  test.each([
    { reason: 'its kubelet reports', type: READY, status: 'True', want: { runs: true, silent: false } },
    { reason: 'its kubelet reports that something is wrong', type: READY, status: 'False', want: { runs: true, silent: false } },
    { reason: 'nobody has heard of it for a while', type: READY, status: 'Unknown', want: { runs: false, silent: true } },
    { reason: 'that is about something else', type: 'DiskPressure', status: 'Unknown', want: { runs: false, silent: false } },
    { reason: 'that is about something else', type: 'DiskPressure', status: 'True', want: { runs: false, silent: false } },
  ] as const)('whose $type is $status: $reason', ({ type, status, want }) => {
    const node = { ...aDeadNode(), status: { conditions: [{ type, status }] } };
    expect({ runs: isReporting(node), silent: isSilent(node) }).toEqual(want);
  });

  test('that says nothing is not known to be either', () => {
    const node = { ...aDeadNode(), status: {} };
    expect([isReporting(node), isSilent(node)]).toEqual([false, false]);
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
    { reason: 'any has to leave', one: pod(), want: true },
    { reason: 'one that runs', one: pod({ status: { phase: 'Running' } }), want: true },
    { reason: 'one that is done', one: pod({ status: { phase: 'Succeeded' } }), want: false },
    { reason: 'one that failed', one: pod({ status: { phase: 'Failed' } }), want: false },
    { reason: 'one of the kubelet itself', one: pod({ annotations: { 'kubernetes.io/config.mirror': 'x' } }), want: false },
    { reason: 'one that tolerates everything', one: tolerating({ operator: 'Exists' }), want: false },
    { reason: 'one that tolerates this key', one: tolerating({ key: OURS.key, operator: 'Exists', effect: 'NoExecute' }), want: false },
    { reason: 'one that tolerates this very taint', one: tolerating({ key: OURS.key, value: OURS.value }), want: false },
    { reason: 'one that tolerates another value', one: tolerating({ key: OURS.key, value: 'nodeshutdown' }), want: true },
    { reason: 'one that tolerates another effect', one: tolerating({ operator: 'Exists', effect: 'NoSchedule' }), want: true },
    { reason: 'one that tolerates another key', one: tolerating({ key: 'dedicated', operator: 'Exists' }), want: true },
  ])('$reason: $want', ({ one, want }) => expect(mustLeave(one)).toBe(want));
});
