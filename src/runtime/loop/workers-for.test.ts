import { expect, test } from 'vitest';
import type { Resource } from '../../api/resource.ts';
import { workersFor } from './control-loop.ts';
import type { Controller } from '../reconcile/controller.ts';

const THING: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const plain: Controller = { name: 'things', primary: THING, watches: [], observe: () => undefined, decide: () => ({ effects: [] }) };

test.each([
  { asks: {}, told: {}, want: 8, reason: 'the default' },
  { asks: { workers: 32 }, told: {}, want: 32, reason: 'the controller asks for so many' },
  { asks: { workers: 32 }, told: { workers: 1 }, want: 1, reason: 'the loop has a limit' },
  { asks: { workers: 32 }, told: { workers: 1, workersOf: { things: 3 } }, want: 3, reason: 'the loop has a limit for this controller' },
  { asks: { workers: 32 }, told: { workersOf: { others: 3 } }, want: 32, reason: 'the loop has a limit for another controller' },
])('$want passes at a time: $reason', ({ asks, told, want }) => {
  expect(workersFor({ ...plain, ...asks }, told)).toBe(want);
});
