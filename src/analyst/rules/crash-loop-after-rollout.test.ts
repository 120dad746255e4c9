import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { DeploymentEvidence } from '../evidence.ts';
import { aCrashingPod, aPod, aRevision, ended, evidenceOf, minutesAgo, NOW, TARGET, type PodOptions } from '../testing/a-deployment.ts';
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
      pods: [aPod('c1', { state: ended(2, { at: minutesAgo(6) }), restarts: 1, ready: false })],
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
          created: 5,
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
      name: 'the one that serves, past one that runs the same containers',
      reason: 'the same rollout was tried twice',
      earlier: [aRevision(4, [], { created: 20, image: 'shop:5' }), aRevision(2, [aPod('p1'), aPod('p2')], { created: DAY })],
      want: '2',
    },
    {
      name: 'not one that was gone back from',
      reason: 'it was bad already',
      earlier: [
        aRevision(4, [], { created: DAY, annotations: { 'deployment.kubernetes.io/revision-history': '2' } }),
        aRevision(3, [], { created: 60 }),
      ],
      want: '4',
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
    expect(
      judge(
        evidenceOf([aRevision(5, crashing({ restarts: 1, created: 3 }), { created: 4 }), aRevision(2, [aPod('p1')], { created: DAY })]),
      ),
    ).toMatchObject({
      evidence: [
        '2 of 2 pods of revision 5 crash (exit code 1), with up to 1 restart; none runs well',
        expect.any(String) as string,
        'revision 2 still has 1 ready pod',
      ],
    }));

  test.each([
    { name: 'the first revision', earlier: [] },
    { name: 'only a ReplicaSet without a number', earlier: [aRevision(0, [], { created: DAY })] },
  ])('$name: there is nothing to go back to, so a person is asked', ({ earlier }) =>
    expect(judge(evidenceOf([newest, ...earlier]))).toEqual({
      kind: 'Unclear',
      reason: 'revision 5 of Deployment shop/checkout crashes (exit code 1), and there is no earlier revision that differs',
      advice: 'there is nothing to go back to; look at the logs: kubectl logs -n shop deploy/checkout --previous',
    }),
  );
});

const HISTORY = 'deployment.kubernetes.io/revision-history';

describe('what speaks against the rollout as the cause', () => {
  const manyRestarts = crashing({ restarts: 20, created: 60 });

  test('a rollout of an hour ago is still suspected', () =>
    expect(judge(evidenceOf([aRevision(3, manyRestarts, { created: 60 }), old]))?.kind).toBe('Diagnosed'));

  test.each([
    {
      name: 'it is older',
      evidence: evidenceOf([aRevision(3, manyRestarts, { created: 61 }), old]),
      want: 'rolled out long before, at 2026-11-15T02:09:00Z',
    },
    {
      name: 'its pods were replaced long after the rollout',
      evidence: evidenceOf([aRevision(3, crashing(), { created: 40 }), old]),
      want: 'only after it had run well for a while',
    },
    {
      name: 'the one before was abandoned: it is itself a return',
      evidence: evidenceOf([aRevision(4, crashing(), { created: 15 }), aRevision(3, [], { created: 14 })]),
      want: 'itself a return to an earlier one',
    },
    {
      name: 'the revision before runs the same containers, as after kubectl rollout restart',
      evidence: evidenceOf([aRevision(3, crashing()), aRevision(2, [], { created: DAY, image: 'shop:3' })]),
      want: 'revision 2 runs the same containers: the cause is not in the pod template',
    },
    {
      name: 'the same containers are still ready in the revision before',
      evidence: evidenceOf([aRevision(3, crashing()), aRevision(2, [aPod('p1')], { created: DAY, image: 'shop:3' })]),
      want: 'runs the same containers and has 1 ready pod',
    },
    {
      name: 'an older revision differs, but does not serve',
      evidence: evidenceOf([
        aRevision(3, crashing()),
        aRevision(2, [], { created: 60, image: 'shop:3' }),
        aRevision(1, [], { created: DAY }),
      ]),
      want: 'the cause is not in the pod template',
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
    const slow = crashing({ restarts: 5, created: 40, lastState: ended(1, { ranMs: 5 * MINUTE }) });
    expect(judge(evidenceOf([aRevision(3, slow, { created: 40 }), old]))?.kind).toBe('Diagnosed');
  });
});

describe('a release that ran until something else broke', () => {
  /** When a pod that crashes has its last end, as a kubelet makes it: each wait is a little longer than announced. */
  const lastEnd = (restarts: number): number =>
    Array.from({ length: restarts }, (_, i) => (i === 0 ? 0 : Math.min(10 * 2 ** (i - 1), 300)) + 7 + 1).reduce((a, b) => a + b, 0);
  /** A pod whose first run took so many seconds, and the later ones one. */
  const ranFor = (seconds: number, restarts: number) => {
    const created = (seconds + lastEnd(restarts)) / 60;
    return evidenceOf([
      aRevision(3, [aCrashingPod('c1', { restarts, created, lastState: ended(1, { at: NOW }) })], { created: created + 0.1 }),
      old,
    ]);
  };

  test.each([1, 2, 3, 4, 5, 6, 7])('is not rolled back after 3.5 minutes and %i restarts', (restarts) =>
    expect(judge(ranFor(210, restarts))).toMatchObject({
      kind: 'Unclear',
      reason: expect.stringContaining('something else changed since then') as string,
      advice: expect.stringContaining('ConfigMaps') as string,
    }),
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('is rolled back when it crashed within half a minute, after %i restarts', (restarts) =>
    expect(judge(ranFor(30, restarts))?.kind).toBe('Diagnosed'),
  );

  const withConditions = (
    evidence: DeploymentEvidence,
    conditions: NonNullable<DeploymentEvidence['deployment']['status']>['conditions'],
  ) => ({
    ...evidence,
    deployment: { ...evidence.deployment, status: { conditions: conditions ?? [] } },
  });

  test('a rollout that never was complete did not run well', () =>
    expect(judge(withConditions(ranFor(600, 3), [{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }]))?.kind).toBe(
      'Diagnosed',
    ));

  test('a rollout that was complete may have', () =>
    expect(judge(withConditions(ranFor(600, 3), [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }]))?.kind).toBe(
      'Unclear',
    ));

  test('a pod that has been unready since it was created did not run well', () => {
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: toTime(minutesAgo(20)) }] as const;
    const pod = aCrashingPod('c1', { restarts: 2, created: 20, conditions });
    expect(judge(evidenceOf([aRevision(3, [pod], { created: 20 }), old]))?.kind).toBe('Diagnosed');
    const later = aCrashingPod('c1', {
      restarts: 2,
      created: 20,
      conditions: [{ ...conditions[0], lastTransitionTime: toTime(minutesAgo(3)) }],
    });
    expect(judge(evidenceOf([aRevision(3, [later], { created: 20 }), old]))?.kind).toBe('Unclear');
  });
});

describe('a bad template that is applied again', () => {
  const again = (options: PodOptions = {}) =>
    evidenceOf([
      aRevision(4, crashing(options), { created: 47, annotations: { [HISTORY]: '2' } }),
      aRevision(3, [], { created: DAY, annotations: { [HISTORY]: '1' } }),
    ]);

  test('is rolled back: its pods, not its ReplicaSet, tell when it was rolled out', () =>
    expect(judge(again())).toMatchObject({
      kind: 'Diagnosed',
      parameters: { REVISION: '3' },
      evidence: expect.arrayContaining(['revision 4 was rolled out at 03:02 UTC, and the crashes began with it']) as string[],
    }));

  test('takes the end of the rollout where that came before the pods that are left', () => {
    const evidence = again();
    const status = {
      conditions: [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', lastUpdateTime: toTime(minutesAgo(70)) }],
    } as const;
    expect(judge({ ...evidence, deployment: { ...evidence.deployment, status } })).toMatchObject({
      kind: 'Unclear',
      reason: expect.stringContaining('rolled out long before') as string,
    });
  });
});

describe('a revision that did not run either', () => {
  const unavailable = (minutes: number, strategy?: 'Recreate') => {
    const evidence = evidenceOf(undefined, strategy && { strategy: { type: strategy } });
    const conditions = [{ type: 'Available', status: 'False', lastTransitionTime: toTime(minutesAgo(minutes)) }] as const;
    return judge({ ...evidence, deployment: { ...evidence.deployment, status: { conditions } } });
  };
  const refused = (what: string) => ({ kind: 'Unclear', reason: expect.stringContaining(what) as string });

  test('is not gone back to: the Deployment was unavailable before the rollout', () =>
    expect(unavailable(10)).toMatchObject(refused('the pods of revision 2 before it were not ready either')));

  test('unavailable since the rollout says nothing about the revision before', () => expect(unavailable(9)?.kind).toBe('Diagnosed'));

  test('Recreate leaves a Deployment without pods before it creates the ReplicaSet', () =>
    expect([unavailable(10, 'Recreate')?.kind, unavailable(12, 'Recreate')?.kind]).toEqual(['Diagnosed', 'Unclear']));

  test('is not gone back to: its pods are there and not ready', () =>
    expect(
      judge(
        evidenceOf([
          aRevision(3, crashing()),
          aRevision(2, [aPod('p1', { state: { waiting: { reason: 'ImagePullBackOff' } } })], { created: DAY }),
        ]),
      ),
    ).toMatchObject(refused('not ready either')));

  test('is not gone back to: its pods crash too', () =>
    expect(judge(evidenceOf([aRevision(3, crashing()), aRevision(2, [aPod('p1'), aCrashingPod('p2')], { created: DAY })]))).toMatchObject(
      refused('pods of revision 2 crash too'),
    ));

  test('is not gone back to: it keeps its data elsewhere', () => {
    const newest = aRevision(3, crashing());
    const template = newest.replicaSet.spec.template!;
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-v3' } }];
    const replicaSet = {
      ...newest.replicaSet,
      spec: { ...newest.replicaSet.spec, template: { ...template, spec: { ...template.spec, volumes } } },
    };
    expect(judge(evidenceOf([{ ...newest, replicaSet }, old]))).toMatchObject(refused('keeps its data in other volume claims'));
  });
});

describe('a release that crashes because of what it calls', () => {
  const calls = (service: string, ...numbers: readonly number[]) => {
    const evidence = evidenceOf();
    const revisions = evidence.revisions.map((revision) => {
      const template = revision.replicaSet.spec.template!;
      const env = numbers.includes(revision.number) ? [{ name: 'URL', value: `http://${service}:80` }] : [];
      const containers = template.spec.containers.map((container) => ({ ...container, env }));
      return {
        ...revision,
        replicaSet: { ...revision.replicaSet, spec: { ...revision.replicaSet.spec, template: { ...template, spec: { containers } } } },
      };
    });
    return (readyPods: number) =>
      judge({
        ...evidence,
        revisions,
        around: { events: [], logs: [], claims: [], gaps: [], dependencies: [{ service, exists: true, readyPods }] },
      });
  };

  test('is not blamed where the revision before calls it too', () =>
    expect(calls('payments', 3, 2)(0)).toMatchObject({
      kind: 'Unclear',
      reason: expect.stringContaining('Service payments, which it calls, has no ready pod: the cause is upstream') as string,
    }));
  test('is rolled back where the Service answers', () => expect(calls('payments', 3, 2)(1)?.kind).toBe('Diagnosed'));
  test('is rolled back where only the new release calls it', () => expect(calls('payments', 3)(0)?.kind).toBe('Diagnosed'));
});
