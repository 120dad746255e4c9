import { describe, expect, test } from 'vitest';
import { approvalGate, isGuess, type Proposal } from './approval-gate.ts';

const judged = (change: Partial<Proposal> = {}) =>
  approvalGate({ environment: 'Staging', target: { kind: 'Deployment', namespace: 'shop' }, confidence: 0.9, ...change });

describe('approvalGate', () => {
  test.each(['Staging', 'Development', 'Test', 'staging'])('%s runs without being asked', (environment) =>
    expect(judged({ environment })).toEqual({ required: false, reason: `${environment} runs without approval` }),
  );

  test.each([
    ['Production', 'every change in Production needs approval'],
    ['production', 'every change in production needs approval'],
    ['canary', 'every change in canary needs approval'],
    ['', 'every change in  needs approval'],
    ['Unknown', 'label the namespace kubernaut.ai/environment='],
  ])('%j needs a person, and is told why', (environment, why) =>
    expect(judged({ environment })).toEqual({ required: true, reason: expect.stringContaining(why) as string }),
  );

  test.each([
    [{ kind: 'StatefulSet', namespace: 'shop' }, 'every change of a StatefulSet needs approval'],
    [{ kind: 'Node' }, 'every change of a Node needs approval'],
    [{ kind: 'PersistentVolume' }, 'a PersistentVolume is cluster-scoped, and every change of it needs approval'],
    [{ kind: 'PersistentVolume', namespace: '' }, 'a PersistentVolume is cluster-scoped, and every change of it needs approval'],
    [undefined, 'the plan does not say what it changes'],
  ])('%j needs a person wherever it is', (target, reason) => expect(judged({ target })).toEqual({ required: true, reason }));

  test('[CO-037] a Node in an unknown environment: what to label is told (ruling 130)', () =>
    expect(judged({ environment: 'Unknown', target: { kind: 'Node' } }).reason).toBe(
      'the environment is unknown: label the Node, or the namespaces of the pods on it, with kubernaut.ai/environment; ' +
        'every change of a Node needs approval',
    ));

  test.each([
    [0.7, true],
    [0.79, true],
    [0.8, false],
    [1, false],
  ])('a confidence of %d needs a person: %s', (confidence, required) => expect(judged({ confidence }).required).toBe(required));

  test('every reason that holds is given', () =>
    expect(judged({ environment: 'Production', target: { kind: 'StatefulSet', namespace: 'shop' }, confidence: 0.75 }).reason).toBe(
      'every change in Production needs approval; every change of a StatefulSet needs approval; a confidence of 0.75 is below the 0.8 required to run without approval',
    ));
});

test.each([
  [0.69, true],
  [0.7, false],
  [1, false],
])('a confidence of %d is a guess: %s', (confidence, want) => expect(isGuess(confidence)).toBe(want));
