import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { DeploymentEvidence } from '../evidence.ts';
import { aCrashingPod, aPod, aRevision, ended, evidenceOf, NOW, TARGET, type PodOptions } from '../testing/a-deployment.ts';
import { crashLoopAfterRollout } from './crash-loop-after-rollout.ts';

const DAY = 24 * 60;
const old = aRevision(2, [], { created: DAY });
const judge = (evidence: DeploymentEvidence) => crashLoopAfterRollout(evidence, NOW);
const crashing = (options: PodOptions & { exitCode?: number } = {}) => [aCrashingPod('c1', options), aCrashingPod('c2', options)];

describe('a crash loop right after a rollout', () => {
  test('is rolled back to the revision before, with evidence that people can read', () =>
    expect(judge(evidenceOf())).toEqual({
      kind: 'Diagnosed',
      fault: 'CrashLoopAfterRollout',
      cause: 'revision 3 of Deployment shop/checkout crashes (exit code 1) since it was rolled out at 03:01 UTC',
      actionType: 'RollbackDeployment',
      target: TARGET,
      parameters: { REVISION: '2' },
      confidence: 0.9,
      evidence: [
        '2 of 2 pods of revision 3 crash (exit code 1), with up to 5 restarts; none runs well',
        'revision 3 was rolled out at 03:01 UTC, and the crashes began with it',
        'revision 2 is the one before it; no pod of it is left to show how it ran',
      ],
    }));

  const seenAs: readonly { name: string; reason: string; pods: readonly ReturnType<typeof aPod>[]; want: string | undefined }[] = [
    {
      name: 'between two attempts',
      reason: 'a container that just ended with an error waits for nothing yet',
      pods: [aPod('c1', { state: ended(2), restarts: 1, ready: false })],
      want: '2',
    },
    {
      name: 'in the middle of an attempt',
      reason: 'without a readiness probe it is even ready for a moment',
      pods: [
        aPod('c1', {
          state: { running: { startedAt: toTime(after(NOW, -2 * SECOND)) } },
          lastState: ended(1),
          restarts: 4,
          ready: true,
        }),
      ],
      want: '2',
    },
    {
      name: 'with a second pod that is only starting',
      reason: 'a rollout does not go on where the first pods crash',
      pods: [aCrashingPod('c1'), aPod('c2', { state: { waiting: { reason: 'ContainerCreating' } } })],
      want: '2',
    },
    { name: 'in an init container', reason: 'then the app never starts', pods: crashing({ init: true }), want: '2' },
    {
      name: 'with exit code 0',
      reason: 'a server that ends is no server',
      pods: crashing({ exitCode: 0 }),
      want: '2',
    },
    {
      name: 'of a first crash',
      reason: 'once is no loop',
      pods: [aPod('c1', { state: ended(1), restarts: 0, ready: false })],
      want: undefined,
    },
    {
      name: 'with one pod that runs well',
      reason: 'the revision can run, so it is something else',
      pods: [aCrashingPod('c1'), aPod('c2')],
      want: undefined,
    },
    {
      name: 'of containers killed for memory',
      reason: 'another limit would help as well: a person chooses',
      pods: crashing({ lastState: ended(137, { reason: 'OOMKilled' }) }),
      want: undefined,
    },
    { name: 'of no pod', reason: 'nothing crashes', pods: [aPod('c1'), aPod('c2')], want: undefined },
    { name: 'without pods', reason: 'nothing crashes', pods: [], want: undefined },
  ];
  test.each(seenAs)('$name: $reason', ({ pods, want }) => {
    const diagnosis = judge(evidenceOf([aRevision(3, pods), old]));
    expect(diagnosis?.kind === 'Diagnosed' ? diagnosis.parameters.REVISION : diagnosis).toBe(want);
  });

  test('a Deployment without any revision is not known to this rule', () => expect(judge(evidenceOf([]))).toBeUndefined());

  test('several exit codes are all named', () =>
    expect(
      judge(evidenceOf([aRevision(3, [aCrashingPod('c1', { exitCode: 139 }), aCrashingPod('c2', { exitCode: 1 })]), old])),
    ).toMatchObject({
      cause: expect.stringContaining('(exit code 1, 139)') as string,
    }));

  test('a pod without an exit code is reported as such', () => {
    const pod = aPod('c1', { state: { waiting: { reason: 'CrashLoopBackOff' } }, restarts: 5, ready: false });
    expect(judge(evidenceOf([aRevision(3, [pod]), old]))).toMatchObject({
      cause: expect.stringContaining('exit code not known') as string,
    });
  });
});

describe('the revision to go back to', () => {
  const newest = aRevision(5, crashing());
  const cases: readonly { name: string; reason: string; earlier: DeploymentEvidence['revisions']; want: string }[] = [
    {
      name: 'the newest one',
      reason: 'least is lost',
      earlier: [aRevision(4, [], { created: 60 }), aRevision(2, [], { created: DAY })],
      want: '4',
    },
    {
      name: 'not one with the same template',
      reason: 'it would crash the same way',
      earlier: [aRevision(4, [], { created: 60, image: 'shop:5' }), aRevision(2, [], { created: DAY })],
      want: '2',
    },
    {
      name: 'the one that still serves',
      reason: 'a rollout in between may have been as bad',
      earlier: [aRevision(4, [], { created: 20 }), aRevision(2, [aPod('p1'), aPod('p2')], { created: DAY })],
      want: '2',
    },
  ];
  test.each(cases)('is $name: $reason', ({ earlier, want }) =>
    expect(judge(evidenceOf([newest, ...earlier]))).toMatchObject({ kind: 'Diagnosed', parameters: { REVISION: want } }),
  );

  test('and the evidence says that it serves', () =>
    expect(judge(evidenceOf([newest, aRevision(2, [aPod('p1'), aPod('p2')], { created: DAY })]))).toMatchObject({
      evidence: expect.arrayContaining(['revision 2 still has 2 ready pods']) as string[],
    }));

  test('one is one', () =>
    expect(judge(evidenceOf([aRevision(5, crashing({ restarts: 1 })), aRevision(2, [aPod('p1')], { created: DAY })]))).toMatchObject({
      evidence: [
        '2 of 2 pods of revision 5 crash (exit code 1), with up to 1 restart; none runs well',
        expect.any(String) as string,
        'revision 2 still has 1 ready pod',
      ],
    }));

  test.each([
    { name: 'the first revision', earlier: [] },
    { name: 'only revisions with the same template', earlier: [aRevision(2, [], { created: DAY, image: 'shop:5' })] },
    { name: 'only a ReplicaSet without a number', earlier: [aRevision(0, [], { created: DAY })] },
  ])('$name: there is nothing to go back to, so a person is asked', ({ earlier }) =>
    expect(judge(evidenceOf([newest, ...earlier]))).toEqual({
      kind: 'Unclear',
      reason: 'revision 5 of Deployment shop/checkout crashes (exit code 1), and there is no earlier revision that differs',
      advice: 'there is nothing to go back to; look at the logs: kubectl logs -n shop deploy/checkout --previous',
    }),
  );
});

describe('what speaks against the rollout as the cause', () => {
  const manyRestarts = crashing({ restarts: 20 });

  test('a rollout of an hour ago is still suspected', () =>
    expect(judge(evidenceOf([aRevision(3, manyRestarts, { created: 60 }), old]))?.kind).toBe('Diagnosed'));

  test.each([
    {
      name: 'it is older',
      evidence: evidenceOf([aRevision(3, manyRestarts, { created: 61 }), old]),
      want: 'rolled out long before, at 2026-11-15T02:09:00Z',
    },
    {
      name: 'too few restarts since then: it ran well at first',
      evidence: evidenceOf([aRevision(3, crashing({ restarts: 2 }), { created: 40 }), old]),
      want: 'only after it had run well for a while',
    },
    {
      name: 'it is itself a return, by its history',
      evidence: evidenceOf([aRevision(4, crashing(), { annotations: { 'deployment.kubernetes.io/revision-history': '2' } }), old]),
      want: 'itself a return to an earlier one',
    },
    {
      name: 'it is itself a return, by its age',
      evidence: evidenceOf([aRevision(4, crashing(), { created: 15 }), aRevision(3, [], { created: 14 })]),
      want: 'itself a return to an earlier one',
    },
    { name: 'rollouts are paused', evidence: evidenceOf(undefined, { paused: true }), want: 'its rollouts are paused' },
  ])('$name', ({ evidence, want }) =>
    expect(judge(evidence)).toMatchObject({
      kind: 'Unclear',
      reason: expect.stringContaining(want) as string,
      advice: expect.stringContaining('kubectl') as string,
    }),
  );

  test('long runs between crashes account for the time as well', () => {
    const slow = crashing({ restarts: 5, lastState: ended(1, { ranMs: 5 * MINUTE }) });
    expect(judge(evidenceOf([aRevision(3, slow, { created: 40 }), old]))?.kind).toBe('Diagnosed');
  });

  test('ten minutes of work before the first crash are still the rollout, eleven are not', () => {
    // Two restarts take at most 10 + 20 + 40 s of waiting and three runs of a second.
    const at = (minutes: number) => judge(evidenceOf([aRevision(3, crashing({ restarts: 2 }), { created: minutes }), old]))?.kind;
    expect([at(11), at(12)]).toEqual(['Diagnosed', 'Unclear']);
  });
});
