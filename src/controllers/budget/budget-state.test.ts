import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../base/index.ts';
import { budgetState, budgetSummary } from './budget-state.ts';
import { aClaim, aWaiter, NOW, SETTINGS } from './testing/builders.ts';

const question = {
  claims: [
    aClaim('b@shop', MINUTE),
    aClaim('a@shop', 2 * MINUTE),
    aClaim('c', 3 * MINUTE),
    aClaim('d', HOUR - 1, NOW),
    aClaim('e', HOUR, NOW),
  ],
  over: new Set(['uid-c']),
  waiting: [aWaiter('z@shop'), aWaiter('y@shop'), aWaiter('x@mail')],
  settings: SETTINGS,
  now: NOW,
};

test('says who runs, who waits, at which place and for what', () => {
  const state = budgetState(question);
  expect(state.running.map(({ key }) => key)).toEqual(['sickbay-system/a', 'sickbay-system/b']);
  expect(state.waiting.map(({ key, place, blocks }) => [key, place, blocks.map(({ scope }) => scope)])).toEqual([
    ['sickbay-system/x', 1, []],
    ['sickbay-system/y', 2, ['cluster', 'namespace']],
    ['sickbay-system/z', 3, ['cluster', 'namespace']],
  ]);
  expect(state).not.toHaveProperty('paused');
});

test('in numbers', () => {
  expect(budgetSummary(budgetState(question))).toEqual({
    paused: 0,
    running: 2,
    waiting: 3,
    startedInHour: 4,
    runningLimit: 3,
    perHourLimit: 6,
  });
  expect(budgetSummary(budgetState({ ...question, settings: { ...SETTINGS, paused: '' } })).paused).toBe(1);
});
