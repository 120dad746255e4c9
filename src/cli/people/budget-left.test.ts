import { describe, expect, test } from 'vitest';
import { after, HOUR, instant, MINUTE } from '../../base/index.ts';
import type { Claim, Ledger } from '../../controllers/budget/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { budgetLeft } from './budget-left.ts';

const NOW = instant(1_794_711_600_000);
const budget = { perHour: { cluster: 20, namespace: 5 }, running: { cluster: 3, namespace: 1, node: 1 } };
const settings = { budget: { ...DEFAULT_SETTINGS.budget, ...budget } };
const claim = (uid: string, ago: number): Claim => ({ uid, kind: 'WorkflowExecution', key: uid, target: uid, claimedAt: after(NOW, -ago) });
const ledgerOf = (...claims: Claim[]): Ledger => ({ kind: 'claims', claims, object: {} as never });

describe('what is left of the budget', () => {
  test('counts the actions of the last hour, not older ones', () => {
    const ledger = ledgerOf(claim('a', MINUTE), claim('b', HOUR - 1), claim('c', HOUR));
    expect(budgetLeft(ledger, { settings, running: 1, now: NOW })).toEqual({ startedInHour: 2, perHour: 20, running: 1, runningLimit: 3 });
  });

  test('is all of it before the first action', () => {
    expect(budgetLeft({ kind: 'absent' }, { settings, running: 0, now: NOW })).toMatchObject({ startedInHour: 0, running: 0 });
  });

  test('is not known while the ledger cannot be read', () => {
    expect(budgetLeft({ kind: 'unreadable', reason: 'forbidden' }, { settings, running: 0, now: NOW })).toBeUndefined();
  });

  test('says why everything is paused', () => {
    const paused = { budget: { ...settings.budget, paused: 'incident 7' } };
    expect(budgetLeft(ledgerOf(), { settings: paused, running: 0, now: NOW })).toMatchObject({ paused: 'incident 7' });
  });
});
