import { describe, expect, test } from 'vitest';
import type { Deployment, DeploymentCondition, ReplicaSet } from '../../api/builtin/index.ts';
import { aDeployment, aReplicaSet, at, effectText, NOW, template, timeAt } from '../testing/builders.ts';
import { decide, type DeploymentSeen } from './decide.ts';

const GOOD = template('sleep 3600');
const BAD = template('exit 1');
const good = aReplicaSet({ of: GOOD }).metadata.name;
const bad = aReplicaSet({ of: BAD }).metadata.name;
const rev = (n: number): string => `/metadata/annotations/deployment.kubernetes.io~1revision="${n}"`;

/** A Deployment that stands at a revision. */
const standing = (spec: Partial<Deployment['spec']>, revision: number, extra: Partial<Deployment> = {}): Deployment => {
  const deployment = aDeployment(spec, extra);
  return { ...deployment, metadata: { ...deployment.metadata, annotations: { 'deployment.kubernetes.io/revision': String(revision) } } };
};

const see = (object: Deployment, ...sets: readonly ReplicaSet[]): DeploymentSeen => ({
  object,
  replicaSets: { kind: 'value', value: sets },
});

const cases: readonly { name: string; reason: string; seen: DeploymentSeen; effects: readonly string[] }[] = [
  { name: 'new', reason: 'its first revision comes up whole', seen: see(aDeployment()), effects: [`Create ReplicaSet ${good}`] },
  { name: 'settled', reason: 'nothing to do', seen: see(aDeployment(), aReplicaSet({})), effects: [] },
  {
    name: 'without replicas',
    reason: 'one pod is the default',
    seen: see(aDeployment({ replicas: undefined as never }), aReplicaSet({ size: 1 })),
    effects: [],
  },
  {
    name: 'a new template',
    reason: 'the new revision comes up within the surge; nothing old goes yet',
    seen: see(aDeployment({ template: BAD }), aReplicaSet({})),
    effects: [`Create ReplicaSet ${bad}`],
  },
  {
    name: 'the Deployment lacks its number',
    reason: 'people read the revision from it',
    seen: see(standing({ template: BAD }, 1), aReplicaSet({}), aReplicaSet({ of: BAD, revision: 2, size: 1, available: 0 })),
    effects: [`Patch web ${rev(2)}`],
  },
  {
    name: 'the new pod is not available',
    reason: 'the old ones stay',
    seen: see(standing({ template: BAD }, 2), aReplicaSet({}), aReplicaSet({ of: BAD, revision: 2, size: 1, available: 0 })),
    effects: [],
  },
  {
    name: 'the new pod is available',
    reason: 'an old one goes, one at a time',
    seen: see(standing({ template: BAD }, 2), aReplicaSet({}), aReplicaSet({ of: BAD, revision: 2, size: 1 })),
    effects: [`Patch ${good} /spec/replicas=1`],
  },
  {
    name: 'an old one is gone',
    reason: 'the next new one comes',
    seen: see(standing({ template: BAD }, 2), aReplicaSet({ size: 1 }), aReplicaSet({ of: BAD, revision: 2, size: 1 })),
    effects: [`Patch ${bad} /spec/replicas=2`],
  },
  {
    name: 'back to the old template',
    reason: 'its ReplicaSet is taken up again under the next number, and says what it was',
    seen: see(standing({}, 2), aReplicaSet({}), aReplicaSet({ of: BAD, revision: 2, size: 1, available: 0 })),
    effects: [`Patch ${good} ${rev(3)} /metadata/annotations/deployment.kubernetes.io~1revision-history="1"`, `Patch web ${rev(3)}`],
  },
  {
    name: 'back, and numbered',
    reason: 'what is not available is not missed: the bad pod goes at once',
    seen: see(standing({}, 3), aReplicaSet({ revision: 3 }), aReplicaSet({ of: BAD, revision: 2, size: 1, available: 0 })),
    effects: [`Patch ${bad} /spec/replicas=0`],
  },
  {
    name: 'scaled up',
    reason: 'the only revision follows',
    seen: see(standing({ replicas: 5 }, 1), aReplicaSet({})),
    effects: [`Patch ${good} /spec/replicas=5`],
  },
  {
    name: 'scaled to nothing',
    reason: 'the only revision follows',
    seen: see(standing({ replicas: 0 }, 1), aReplicaSet({})),
    effects: [`Patch ${good} /spec/replicas=0`],
  },
  {
    name: 'paused',
    reason: 'a new template waits',
    seen: see(standing({ template: BAD, paused: true }, 1), aReplicaSet({})),
    effects: [],
  },
  {
    name: 'paused and scaled',
    reason: 'the number of pods is followed all the same',
    seen: see(standing({ paused: true, replicas: 3 }, 1), aReplicaSet({})),
    effects: [`Patch ${good} /spec/replicas=3`],
  },
  {
    name: 'recreated',
    reason: 'all old pods go before the first new one comes',
    seen: see(standing({ template: BAD, strategy: { type: 'Recreate' } }, 1), aReplicaSet({})),
    effects: [`Patch ${good} /spec/replicas=0`],
  },
  {
    name: 'recreated, old pods still there',
    reason: 'asked to go is not gone',
    seen: see(standing({ template: BAD, strategy: { type: 'Recreate' } }, 1), aReplicaSet({ size: 0, pods: 1 })),
    effects: [],
  },
  {
    name: 'recreated, old pods gone',
    reason: 'now the new ones come, all of them',
    seen: see(standing({ template: BAD, strategy: { type: 'Recreate' } }, 1), aReplicaSet({ size: 0 })),
    effects: [`Create ReplicaSet ${bad}`],
  },
  {
    name: 'readiness changed',
    reason: 'it is not part of the template, so the ReplicaSet is told',
    seen: see(standing({ minReadySeconds: 5 }, 1), aReplicaSet({})),
    effects: [`Patch ${good} /spec/minReadySeconds=5`],
  },
  {
    name: 'being deleted',
    reason: 'nothing is begun any more',
    seen: see(aDeployment({}, { metadata: { ...aDeployment().metadata, deletionTimestamp: timeAt(0) } })),
    effects: [],
  },
  {
    name: 'unreadable',
    reason: 'not known is not absent',
    seen: { object: aDeployment(), replicaSets: { kind: 'unreadable', reason: 'forbidden' } },
    effects: [],
  },
];

describe('a Deployment decides', () => {
  test.each(cases)('$name: $reason', ({ seen, effects }) => {
    const decision = decide(seen, NOW);
    expect(decision.effects.map(effectText)).toEqual(effects);
    expect(decision.wakeAt).toBeGreaterThan(NOW);
  });

  test('a ReplicaSet carries the hash of its template wherever its pods are looked for', () => {
    const [create] = decide(see(aDeployment({ minReadySeconds: 3 })), NOW).effects;
    const hash = { 'pod-template-hash': good.slice('web-'.length) };
    expect(create).toMatchObject({
      object: {
        metadata: {
          labels: { app: 'web', ...hash },
          annotations: { 'deployment.kubernetes.io/revision': '1' },
          ownerReferences: [{ kind: 'Deployment', uid: 'deployment-1', controller: true }],
        },
        spec: {
          replicas: 2,
          minReadySeconds: 3,
          selector: { matchLabels: { app: 'web', ...hash } },
          template: { metadata: { labels: { app: 'web', ...hash } } },
        },
      },
    });
  });

  test('only the first revision of a Recreate comes up at once, a rolling one within its surge', () => {
    const size = (deployment: Deployment, ...sets: readonly ReplicaSet[]): unknown => {
      const [create] = decide(see(deployment, ...sets), NOW).effects;
      return create?.kind === 'Create' ? (create.object as unknown as ReplicaSet).spec.replicas : undefined;
    };
    expect(size(aDeployment())).toBe(2);
    expect(size(aDeployment({ template: BAD }), aReplicaSet({}))).toBe(1);
    expect(size(aDeployment({ template: BAD, replicas: 8 }), aReplicaSet({ size: 8 }))).toBe(2);
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } };
    expect(size(aDeployment({ template: BAD, strategy }), aReplicaSet({}))).toBe(0);
  });

  test('revisions beyond the limit are forgotten, oldest first, when the rollout is done', () => {
    const old = Array.from({ length: 12 }, (_, i) => aReplicaSet({ of: template(`exit ${i}`), revision: i + 1, size: 0 }));
    const effects = decide(see(standing({}, 13), aReplicaSet({ revision: 13 }), ...old), NOW).effects;
    expect(effects.map(effectText)).toEqual([`Delete ${old[0]?.metadata.name}`, `Delete ${old[1]?.metadata.name}`]);
    expect(decide(see(standing({ revisionHistoryLimit: 12 }, 13), aReplicaSet({ revision: 13 }), ...old), NOW).effects).toEqual([]);
    expect(decide(see(standing({}, 13), aReplicaSet({ revision: 13, available: 1 }), ...old), NOW).effects).toEqual([]);
  });
});

describe('the status of a Deployment', () => {
  type Status = NonNullable<Deployment['status']>;
  const statusOf = (seen: DeploymentSeen, seconds = 0): Status => decide(seen, at(seconds)).status as Status;
  const conditions = ({ conditions: all = [] }: Status): readonly string[] =>
    all.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  const progressing = (reason: string, seconds: number): Deployment['status'] => {
    const condition: DeploymentCondition = {
      type: 'Progressing',
      status: 'True',
      reason,
      lastUpdateTime: timeAt(seconds),
      lastTransitionTime: timeAt(0),
    };
    return {
      replicas: 3,
      updatedReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
      observedGeneration: 1,
      conditions: [condition],
    };
  };
  const rolling = (status?: Deployment['status']): DeploymentSeen =>
    see(
      standing({ template: BAD }, 2, status && { status }),
      aReplicaSet({}),
      aReplicaSet({ of: BAD, revision: 2, size: 1, available: 0 }),
    );

  test('done', () => {
    const status = statusOf(see(aDeployment(), aReplicaSet({})));
    expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 1 });
    expect(status.unavailableReplicas).toBeUndefined();
    expect(conditions(status)).toEqual(['Available True MinimumReplicasAvailable', 'Progressing True NewReplicaSetAvailable']);
  });

  test('on its way', () => {
    const status = statusOf(rolling({ replicas: 2, updatedReplicas: 0, readyReplicas: 2, availableReplicas: 2 }));
    expect(status).toMatchObject({ replicas: 3, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2, unavailableReplicas: 1 });
    expect(conditions(status)).toEqual(['Available True MinimumReplicasAvailable', 'Progressing True ReplicaSetUpdated']);
  });

  test('stuck: after its deadline, and not a second before', () => {
    expect(conditions(statusOf(rolling(progressing('ReplicaSetUpdated', 0)), 599))[1]).toBe('Progressing True ReplicaSetUpdated');
    expect(conditions(statusOf(rolling(progressing('ReplicaSetUpdated', 0)), 600))[1]).toBe('Progressing False ProgressDeadlineExceeded');
    expect(decide(rolling(progressing('ReplicaSetUpdated', 0)), at(595)).wakeAt).toBe(at(600));
  });

  test('a verdict of being stuck does not change by itself', () => {
    const stuck = statusOf(rolling(progressing('ReplicaSetUpdated', 0)), 600);
    expect(statusOf(rolling(stuck), 700)).toEqual(stuck);
  });

  test('unhealthy after its rollout: unavailable, but the rollout is not undone', () => {
    const done: Deployment['status'] = { ...progressing('NewReplicaSetAvailable', 0), replicas: 2, updatedReplicas: 2 };
    const status = statusOf(
      see(standing({ template: BAD }, 2, { status: done }), aReplicaSet({ size: 0 }), aReplicaSet({ of: BAD, revision: 2, available: 0 })),
      900,
    );
    expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, unavailableReplicas: 2 });
    expect(conditions(status)).toEqual(['Available False MinimumReplicasUnavailable', 'Progressing True NewReplicaSetAvailable']);
  });

  test('a condition that stays keeps its time', () => {
    const status = statusOf(see(standing({}, 1, { status: statusOf(see(aDeployment(), aReplicaSet({}))) }), aReplicaSet({})), 60);
    expect(status.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([timeAt(0), timeAt(0)]);
  });
});
