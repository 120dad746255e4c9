import { describe, expect, test } from 'vitest';
import { aDeployment, aReplicaSet, template } from '../testing/builders.ts';
import { currentSize, leewayOf, shrinkOld } from './rollout.ts';

describe('the leeway of a rollout', () => {
  test.each([
    { replicas: 1, surge: 1, unavailable: 0 },
    { replicas: 2, surge: 1, unavailable: 0 },
    { replicas: 4, surge: 1, unavailable: 1 },
    { replicas: 10, surge: 3, unavailable: 2 },
  ])('is a quarter of $replicas: up for the surge, down for what may be missing', ({ replicas, ...leeway }) => {
    expect(leewayOf(aDeployment({ replicas }))).toEqual(leeway);
  });

  test('is what was asked for', () => {
    const strategy = { rollingUpdate: { maxSurge: 2, maxUnavailable: '50%' } };
    expect(leewayOf(aDeployment({ replicas: 4, strategy }))).toEqual({ surge: 2, unavailable: 2 });
  });

  test('is never nothing, or a rollout could not begin', () => {
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } };
    expect(leewayOf(aDeployment({ strategy }))).toEqual({ surge: 0, unavailable: 1 });
  });

  test('of a Recreate is everything', () => {
    expect(leewayOf(aDeployment({ replicas: 3, strategy: { type: 'Recreate' } }))).toEqual({ surge: 0, unavailable: 3 });
  });
});

test('step by step: a rollout of four never leaves fewer than three available, nor more than five pods', () => {
  const deployment = aDeployment({ replicas: 4, template: template('sleep 7') });
  let fresh = 0;
  let old = 4;
  const steps: string[] = [];
  for (let i = 0; i < 20 && (old > 0 || fresh < 4); i++) {
    const sets = { current: aReplicaSet({ of: template('sleep 7'), revision: 2, size: fresh }), old: [aReplicaSet({ size: old })] };
    const next = currentSize(deployment, fresh, sets.old);
    if (next === fresh) old = shrinkOld(deployment, sets.current, sets.old)[0]?.replicas ?? old;
    fresh = next;
    steps.push(`${old} old, ${fresh} new`);
    expect(old + fresh).toBeGreaterThanOrEqual(3);
    expect(old + fresh).toBeLessThanOrEqual(5);
  }
  expect(steps).toEqual(['4 old, 1 new', '2 old, 1 new', '2 old, 3 new', '0 old, 3 new', '0 old, 4 new']);
});

test('what is not available goes first, and several old revisions give in the order of their age', () => {
  const older = aReplicaSet({ of: template('exit 1'), size: 2, available: 0, metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } });
  const old = aReplicaSet({ of: template('exit 2'), size: 2, metadata: { creationTimestamp: '2026-02-01T00:00:00Z' } });
  const current = aReplicaSet({ revision: 3, size: 1, available: 0 });
  const scales = shrinkOld(aDeployment({ replicas: 2 }), current, [old, older]);
  expect(scales.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas])).toEqual([[older.metadata.name, 0]]);
});

test('new pods that are not available yet are not counted on', () => {
  const old = aReplicaSet({ of: template('exit 1'), size: 3, available: 2 });
  const current = (available: number) => aReplicaSet({ revision: 2, size: 1, available });
  expect(shrinkOld(aDeployment({ replicas: 3 }), current(0), [old])).toEqual([]);
  expect(shrinkOld(aDeployment({ replicas: 3 }), current(1), [old])).toMatchObject([{ replicas: 2 }]);
});
