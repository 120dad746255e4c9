import { describe, expect, test } from 'vitest';
import type { Node } from '../../api/builtin/index.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { ANNOTATIONS, LABELS } from '../../api/well-known.ts';
import { isExcludedFromRemediation } from '../machine-health/targets/parse-check.ts';
import {
  claimantOf,
  claimText,
  isFailing,
  isKept,
  isLeaving,
  isOfControlPlane,
  isOfItsPool,
  isPaused,
  isToBeReplaced,
  isHealthyAgain,
  mayClaim,
  poolOf,
} from './machine-state.ts';
import { ago, aMachine, aNode, stated } from './testing/builders.ts';

type Verdict = 'True' | 'False' | undefined;

/** A Machine with these conditions about its health and its owner. */
const saying = (health: Verdict, owner: Verdict): Machine =>
  aMachine('workers-1', {
    status: {
      conditions: [
        ...(health === undefined ? [] : [stated('HealthCheckSucceeded', health)]),
        ...(owner === undefined ? [] : [stated('OwnerRemediated', owner)]),
      ],
    },
  });

describe("what a Machine's status means", () => {
  test.each<readonly [Verdict, Verdict, 'replace' | 'release' | 'leave']>([
    ['False', 'False', 'replace'],
    ['False', 'True', 'leave'],
    ['False', undefined, 'leave'],
    ['True', 'False', 'release'],
    ['True', 'True', 'leave'],
    ['True', undefined, 'leave'],
    [undefined, 'False', 'leave'],
    [undefined, undefined, 'leave'],
  ])('health %s, owner %s: %s it', (health, owner, what) => {
    const machine = saying(health, owner);
    expect({ replace: isToBeReplaced(machine), releaseMachine: isHealthyAgain(machine), fails: isFailing(machine) }).toEqual({
      replace: what === 'replace',
      releaseMachine: what === 'release',
      fails: health === 'False',
    });
  });

  test('the old style does not count', () => {
    const old = ['HealthCheckSucceeded', 'OwnerRemediated'].map((type) => stated(type, 'False'));
    expect(isToBeReplaced(aMachine('workers-1', { status: { deprecated: { v1beta1: { conditions: old } } } }))).toBe(false);
  });

  /** As the server returns it without any annotation or condition. */
  const bare: Machine = {
    ...aMachine('workers-1'),
    metadata: { name: 'workers-1', uid: 'u', resourceVersion: '1', creationTimestamp: ago(0) },
  };

  test('one without conditions and owners stays, is not unhealthy, and has no owner', () =>
    expect([isLeaving, isFailing, isExcludedFromRemediation, isPaused, isKept, isOfControlPlane].map((is) => is(bare))).toEqual(
      Array(6).fill(false),
    ));

  test('one with nothing on it is of no pool, and no Node is of it', () => {
    expect(poolOf(bare)).toBeUndefined();
    expect(isOfItsPool(bare, aNode('node-1'))).toBe(false);
    expect(isOfItsPool(bare, { ...aNode('node-1'), metadata: bare.metadata })).toBe(false);
  });

  test.each([
    [ANNOTATIONS.paused, true, true],
    [ANNOTATIONS.skipRemediation, true, false],
    [ANNOTATIONS.remediateMachine, false, false],
  ])('with the annotation %s it is left alone: %s, in all: %s', (annotation, isAlone, inAll) => {
    const machine = aMachine('workers-1', { annotations: { [annotation]: '' } });
    expect([isExcludedFromRemediation(machine), isPaused(machine)]).toEqual([isAlone, inAll]);
  });
});

describe('the pool', () => {
  const labelled = (pool: string): Node => aNode('node-1', { labels: { [LABELS.machinePool]: pool } });

  test.each([
    ['workers', 'workers', true],
    ['workers', 'storage', false],
    ['', '', false],
    ['', 'workers', false],
  ])('a Machine of %j and a Node of %j: %s', (own, other, isOwn) =>
    expect(isOfItsPool(aMachine('workers-1', { labels: { [LABELS.machinePool]: own } }), labelled(other))).toBe(isOwn),
  );
});

describe('whose pool it is (ruling 122)', () => {
  const machine = aMachine('workers-1');
  const given = (namespace?: string): Node =>
    aNode('node-1', {
      labels: { [LABELS.machinePool]: 'workers', ...(namespace !== undefined && { [LABELS.machinePoolNamespace]: namespace }) },
    });

  test.each([
    { title: 'that of its namespace', node: given('shop'), mine: true, claims: true },
    { title: 'that of another namespace', node: given('attic'), mine: false, claims: false },
    {
      title: 'no namespace in particular: what was claimed before stays, and nothing is claimed',
      node: given(),
      mine: true,
      claims: false,
    },
    { title: 'an empty name', node: given(''), mine: true, claims: false },
  ])('$title', ({ node, mine, claims }) => {
    expect(isOfItsPool(machine, node)).toBe(mine);
    expect(mayClaim(machine, node)).toBe(claims);
  });

  test('a pool of another name is not claimed, whatever namespace it is for', () =>
    expect(mayClaim(aMachine('workers-1', { labels: { [LABELS.machinePool]: 'storage' } }), given('shop'))).toBe(false));
});

describe('which Machine a Node names as its owner', () => {
  test('is read as it was written', () =>
    expect(claimantOf(claimText(aMachine('workers-1')))).toEqual({ namespace: 'shop', name: 'workers-1', uid: 'uid-workers-1' }));

  test.each(['', '/', 'shop', 'shop/workers-1', 'shop/workers-1/', 'shop//uid-1', '//uid-1', '//'])('%j is no Machine', (claim) =>
    expect(claimantOf(claim)).toBeUndefined(),
  );

  test('a later Machine of the name is another one', () =>
    expect(claimText(aMachine('workers-1', { uid: 'later' }))).not.toBe(claimText(aMachine('workers-1'))));
});
