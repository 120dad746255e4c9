import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../base/index.ts';
import { judgeBudget, type BudgetQuestion } from './judge-budget.ts';
import { aClaim, aWaiter, NOW, SETTINGS } from './testing/builders.ts';
import { budgetWords } from './messages.ts';

function words(asking: string, question: Partial<BudgetQuestion>): string {
  const verdict = judgeBudget({
    asking: aWaiter(asking),
    claims: [],
    over: new Set(),
    waiting: [],
    settings: SETTINGS,
    now: NOW,
    ...question,
  });
  if (verdict.kind !== 'Wait' && verdict.kind !== 'Held') return verdict.kind;
  const { reason, message } = budgetWords(verdict);
  return `${reason}: ${message}`;
}

const claims = (...names: readonly string[]) => names.map((name) => aClaim(name));

test.each([
  {
    reason: 'the cluster is full',
    said: words('x@shop', { claims: claims('c', 'a@mail', 'b') }),
    want: 'WaitingForBudget: 1st in the queue; 3 of 3 running in the cluster (a, b, c): the next may start when one of them ends',
  },
  {
    reason: 'one before it will take the place',
    said: words('x@shop', { claims: claims('a@shop'), waiting: [aWaiter('w@shop')] }),
    want: 'WaitingForBudget: 2nd in the queue; 2 of 2 running in namespace shop (a, w, which is before it): the next may start when one of them ends',
  },
  {
    reason: 'the node and the hour',
    said: words('x@shop/n1', {
      claims: [aClaim('a@mail/n1'), ...['b', 'c', 'd', 'e'].map((name, i) => aClaim(`${name}@shop`, (i + 1) * 10 * MINUTE, NOW))],
    }),
    want:
      'WaitingForBudget: 1st in the queue; 1 of 1 running on node n1 (a): the next may start when one of them ends; ' +
      '4 of 4 started within an hour in namespace shop: the next may start at 2026-11-15T03:20:00Z',
  },
  {
    reason: 'nothing may start',
    said: words('x', { settings: { ...SETTINGS, perHour: { cluster: 0, namespace: 0 } } }),
    want: 'WaitingForBudget: 1st in the queue; 0 of 0 started within an hour in the cluster: nothing may start there',
  },
  {
    reason: 'not everybody is named',
    said: words('x', {
      settings: { ...SETTINGS, running: { cluster: 7, namespace: 2, node: 1 }, perHour: { cluster: 99, namespace: 99 } },
      claims: claims('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    }),
    want: 'WaitingForBudget: 1st in the queue; 7 of 7 running in the cluster (a, b, c, d, e, …): the next may start when one of them ends',
  },
  {
    reason: 'paused, and something runs',
    said: words('x', { claims: [...claims('b', 'a'), aClaim('c', 2 * HOUR, NOW)], settings: { ...SETTINGS, paused: 'incident 7' } }),
    want: 'BudgetPaused: starts are paused: incident 7; still running: a, b',
  },
  {
    reason: 'paused, and nothing runs',
    said: words('x', { settings: { ...SETTINGS, paused: '' } }),
    want: 'BudgetPaused: starts are paused; nothing is running',
  },
])('$reason', ({ said, want }) => expect(said).toBe(want));

const full = claims('a@p', 'b@q', 'c@r');
const behind = (others: number): string =>
  words('zz@shop', { claims: full, waiting: Array.from({ length: others }, (_, i) => aWaiter(`B${i}@mail`)) });

test.each([
  { others: 9, want: '10th in the queue; 3 of 3 running in the cluster (a, b, c)' },
  { others: 10, want: 'at least 10 others are before it in the queue; the limit is 3 running in the cluster' },
  { others: 19, want: 'at least 10 others are before it in the queue' },
  { others: 20, want: 'at least 20 others are before it in the queue' },
])('$others before it: exact only at the front, so that a start does not change what everybody is told', ({ others, want }) =>
  expect(behind(others)).toContain(want),
);

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
])('place %i is the %s', (place, want) => expect(behind(place - 1)).toContain(`: ${want} in the queue`));
