import { describe, expect, test } from 'vitest';
import type { Pod, ReplicaSet } from '../../api/builtin/index.ts';
import { aPod, aReplicaSet, at, effectText, NOW, timeAt } from '../testing/builders.ts';
import { decide, type ReplicaSetSeen } from './decide.ts';
import { freePodNames, podName } from './pod-names.ts';

const set = aReplicaSet({});
const { name, uid } = set.metadata;
const slot = (n: number): string => podName({ name, uid }, n);
const inSlot = (n: number, options: Parameters<typeof aPod>[0] = { ready: 0 }): Pod => aPod({ uid: slot(n), ...options });
const see = (pods: readonly Pod[], object: ReplicaSet = set): ReplicaSetSeen => ({ object, pods: { kind: 'value', value: pods } });
const gone = { deletionTimestamp: timeAt(0) };

const cases: readonly { name: string; reason: string; seen: ReplicaSetSeen; effects: readonly string[] }[] = [
  { name: 'none', reason: 'all are created', seen: see([]), effects: [`Create Pod ${slot(0)}`, `Create Pod ${slot(1)}`] },
  { name: 'enough', reason: 'nothing to do', seen: see([inSlot(0), inSlot(1)]), effects: [] },
  { name: 'one short', reason: 'the free slot is taken', seen: see([inSlot(1)]), effects: [`Create Pod ${slot(0)}`] },
  {
    name: 'one on its way out',
    reason: 'it no longer counts, but it still holds its name',
    seen: see([inSlot(0, { metadata: gone }), inSlot(1)]),
    effects: [`Create Pod ${slot(2)}`],
  },
  {
    name: 'one failed',
    reason: 'it is replaced and left for people to look at',
    seen: see([inSlot(0, { status: { phase: 'Failed' } }), inSlot(1)]),
    effects: [`Create Pod ${slot(2)}`],
  },
  {
    name: 'too many',
    reason: 'one that is not ready goes first',
    seen: see([inSlot(0), inSlot(1, {}), inSlot(2)]),
    effects: [`Delete ${slot(1)}`],
  },
  {
    name: 'too many, one without a node',
    reason: 'a pod that has not started serves no traffic',
    seen: see([inSlot(0, {}), inSlot(1), { ...inSlot(2), spec: { containers: [] } }]),
    effects: [`Delete ${slot(2)}`],
  },
  {
    name: 'too many, all ready',
    reason: 'the youngest goes',
    seen: see([inSlot(0), inSlot(1, { ready: 0, metadata: { creationTimestamp: timeAt(9) } }), inSlot(2)]),
    effects: [`Delete ${slot(1)}`],
  },
  {
    name: 'scaled to nothing',
    reason: 'all go',
    seen: see([inSlot(0)], aReplicaSet({ size: 0 })),
    effects: [`Delete ${slot(0)}`],
  },
  {
    name: 'being deleted',
    reason: 'nothing is created any more',
    seen: see([], aReplicaSet({ metadata: gone })),
    effects: [],
  },
  {
    name: 'unreadable',
    reason: 'not known is not absent',
    seen: { object: set, pods: { kind: 'unreadable', reason: 'forbidden' } },
    effects: [],
  },
];

describe('a ReplicaSet decides', () => {
  test.each(cases)('$name: $reason', ({ seen, effects }) => {
    const decision = decide(seen, NOW);
    expect(decision.effects.map(effectText)).toEqual(effects);
    expect(decision.wakeAt).toBeGreaterThan(NOW);
  });

  test('a pod is made from the template and belongs to its ReplicaSet', () => {
    const [create] = decide(see([]), NOW).effects;
    expect(create).toMatchObject({
      object: {
        metadata: { labels: { app: 'web' }, ownerReferences: [{ kind: 'ReplicaSet', uid, controller: true }] },
        spec: { containers: [{ name: 'app' }] },
      },
    });
  });

  test('counts what is there, ready and available', () => {
    expect(decide(see([inSlot(0), inSlot(1, {}), inSlot(2, { metadata: gone, ready: 0 })]), NOW).status).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      observedGeneration: 1,
    });
    expect(decide(see([], aReplicaSet({ size: 0 })), NOW).status).toEqual({ replicas: 0, observedGeneration: 1 });
  });

  test('a pod is available when it has been ready for long enough', () => {
    const patient: ReplicaSet = { ...set, spec: { ...set.spec, minReadySeconds: 10 } };
    const seen = see([inSlot(0), inSlot(1)], patient);
    expect(decide(seen, at(9)).status).toMatchObject({ readyReplicas: 2 });
    expect(decide(seen, at(9)).status).not.toHaveProperty('availableReplicas');
    expect(decide(seen, at(9)).wakeAt).toBe(at(10));
    expect(decide(seen, at(10)).status).toMatchObject({ availableReplicas: 2 });
  });
});

describe('the names of pods', () => {
  test('are stable, look like those of Kubernetes, and never repeat within a ReplicaSet', () => {
    const names = freePodNames({ name: 'web-1', uid: 'u' }, new Set(), 2_000);
    expect(new Set(names).size).toBe(2_000);
    expect(names[0]).toMatch(/^web-1-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(freePodNames({ name: 'web-1', uid: 'u' }, new Set(), 3)).toEqual(names.slice(0, 3));
    expect(podName({ name: 'web-1', uid: 'other' }, 0)).not.toBe(names[0]);
  });
});
