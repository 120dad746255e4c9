import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/api/builtin/index.ts';
import { instant, toTime } from '../../src/base/index.ts';
import { ownedBy } from '../testing/objects.ts';
import { judgePod, type StuckCase, type Verdict } from './judge.ts';

const NOW = instant(1_794_711_600_000);
const ago = (seconds: number): string => toTime(instant(NOW - seconds * 1_000));

const aPod = (metadata: Partial<Pod['metadata']> = {}, status: Pod['status'] = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-1',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: ago(3_600),
    ownerReferences: [ownedBy('ReplicaSet')],
    ...metadata,
  },
  spec: { containers: [] },
  status,
});

const judge = (state: StuckCase['state'], pod: Pod, more: Partial<StuckCase> = {}): Verdict =>
  judgePod(pod, { state, forSeconds: 300, now: NOW, nodeExists: true, ...more });

const waiting = (reason: string) => ({ name: 'web', ready: false, restartCount: 3, state: { waiting: { reason } } });
const PENDING = { phase: 'Pending' } as const;
const LOOPING = { containerStatuses: [waiting('CrashLoopBackOff')] };
const RESTARTED = {
  name: 'web',
  ready: true,
  restartCount: 3,
  state: { running: { startedAt: ago(5) } },
  lastState: { terminated: { exitCode: 1, startedAt: ago(40), finishedAt: ago(35) } },
};
const gone = (seconds: number): Partial<Pod['metadata']> => ({ deletionTimestamp: ago(seconds) });

describe('a pod is deleted', () => {
  test.each<[string, Verdict, boolean]>([
    ['pending for long', judge('Pending', aPod({}, PENDING)), false],
    ['pending for exactly as long', judge('Pending', aPod({ creationTimestamp: ago(300) }, PENDING)), false],
    ['crash looping', judge('CrashLoopBackOff', aPod({}, LOOPING)), false],
    ['crash looping at its start', judge('CrashLoopBackOff', aPod({}, { initContainerStatuses: [waiting('CrashLoopBackOff')] })), false],
    ['crash looping, and runs at the moment', judge('CrashLoopBackOff', aPod({}, { containerStatuses: [RESTARTED] })), false],
    ['overdue to end, by force', judge('Terminating', aPod(gone(300))), true],
    [
      'of a StatefulSet, when its node is gone',
      judge('Terminating', aPod({ ...gone(300), ownerReferences: [ownedBy('StatefulSet')] }), { nodeExists: false }),
      true,
    ],
  ])('that is %s', (_, verdict, force) => expect(verdict).toEqual({ kind: 'delete', force }));
});

test.each(['Pending', 'CrashLoopBackOff'] as const)('a pod that is being deleted already is not deleted again: %s', (state) =>
  expect(judge(state, aPod(gone(1), PENDING))).toEqual({ kind: 'already', why: 'is already being deleted' }),
);

describe('a pod is not deleted', () => {
  test.each<[string, Verdict, RegExp]>([
    ['without a controller', judge('Pending', aPod({ ownerReferences: [] }, PENDING)), /has no controller/],
    ['of the node itself', judge('Pending', aPod({ ownerReferences: [ownedBy('Node')] }, PENDING)), /static pod/],
    ['that mirrors a file', judge('Pending', aPod({ annotations: { 'kubernetes.io/config.mirror': 'x' } }, PENDING)), /static pod/],
    ['that is a run', judge('Pending', aPod({ labels: { 'kubernaut.ai/workflow-execution': 'wfe-2' } }, PENDING)), /run of a workflow/],
    ['that runs', judge('Pending', aPod({}, { phase: 'Running' })), /not stuck in Pending for 300 s/],
    ['that is young', judge('Pending', aPod({ creationTimestamp: ago(299) }, PENDING)), /not stuck in Pending for 300 s/],
    ['whose age cannot be read', judge('Pending', aPod({ creationTimestamp: 'x' }, PENDING)), /not stuck/],
    [
      'that only waits for its image',
      judge('CrashLoopBackOff', aPod({}, { containerStatuses: [waiting('ErrImagePull')] })),
      /not stuck in Crash/,
    ],
    ['without a deletionTimestamp', judge('Terminating', aPod()), /no deletionTimestamp/],
    ['that is not overdue for long enough', judge('Terminating', aPod(gone(299))), /not overdue for 300 s/],
    [
      'with finalizers',
      judge('Terminating', aPod({ ...gone(900), finalizers: ['a/b', 'c/d'] })),
      /finalizers a\/b, c\/d block its deletion/,
    ],
    [
      'of a StatefulSet whose node may run it',
      judge('Terminating', aPod({ ...gone(900), ownerReferences: [ownedBy('StatefulSet')] })),
      /could damage its data/,
    ],
  ])('%s', (_, verdict, why) => expect(verdict).toMatchObject({ kind: 'refused', why: expect.stringMatching(why) as string }));
});
