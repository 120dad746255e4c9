import { describe, expect, test } from 'vitest';
import { approvalGate, isGuess } from './approval-gate.ts';

describe('approvalGate', () => {
  test.each(['Staging', 'Development', 'Test', 'staging'])('%s runs without being asked', (environment) =>
    expect(approvalGate(environment).required).toBe(false),
  );

  test.each([
    ['Production', 'every change in Production needs approval'],
    ['production', 'every change in production needs approval'],
    ['canary', 'every change in canary needs approval'],
    ['', 'every change in  needs approval'],
    ['Unknown', 'label the namespace kubernaut.ai/environment='],
  ])('%j needs a person, and is told why', (environment, why) =>
    expect(approvalGate(environment)).toEqual({ required: true, reason: expect.stringContaining(why) as string }),
  );
});

test.each([
  [0.69, true],
  [0.7, false],
  [1, false],
])('a confidence of %d is a guess: %s', (confidence, want) => expect(isGuess(confidence)).toBe(want));
