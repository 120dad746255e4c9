import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../../../api/builtin/index.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, HOUR } from '../../../../base/index.ts';
import type { Read, Reader } from '../../../../runtime/reconcile/controller.ts';
import { askBudget, writeLedger } from '../../../budget/index.ts';

import { aClaim, aLedger } from '../../../budget/testing/builders.ts';
import { aMachine } from '../../../machine-owner/testing/builders.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../settings.ts';
import { powerCycleOver } from './power-cycle-finished.ts';
import { budgetRole, giveBack, readClaims, waiterOf, withdraw } from './budget-claims.ts';
import { aDeadNode, aRequest, NOW, seenWith, withoutClaim } from '../testing/builders.ts';

const NODE = { kind: 'there', node: aDeadNode() } as const;
const absent = { kind: 'absent' } as const;
const leavingMachine = { kind: 'value', value: aMachine('m-1', { deletionTimestamp: '2026-01-10T10:00:00Z' }) } as const;

/** A reader with this ledger, those who wait, and what the server has of an execution or a request. */
function readerOf({
  ledger,
  waiting = [],
  server = absent,
}: {
  ledger: Read<ConfigMap>;
  waiting?: PowerCycleRemediation[];
  server?: Read<never>;
}): Reader {
  const reader = {
    get: () => ledger,
    list: () => ({ kind: 'value', value: waiting }),
    fetch: (resource: { kind: string }) => Promise.resolve(resource.kind === 'ConfigMap' ? ledger : server),
    fetchList: () => Promise.resolve({ kind: 'value', value: [] }),
  };
  return reader as unknown as Reader;
}

const found = (object: ConfigMap): Read<ConfigMap> => ({ kind: 'value', value: object });
const ask = async (reader: Reader, settings: Settings = DEFAULT_SETTINGS, object = aRequest()) =>
  askBudget(await readClaims({ object, reader, now: NOW, settings }, NODE, true), settings, NOW).kind;

describe('the place of a power cycle in the budget', () => {
  test('is on its Node, in no namespace', () =>
    expect(waiterOf(aRequest(), NODE)).toEqual({
      uid: 'pcr-0',
      kind: 'PowerCycleRemediation',
      key: 'machine-api/worker-0',
      target: 'Machine machine-api/worker-0',
      node: 'worker-0',
      createdAt: expect.any(Number) as number,
    }));

  test('is unknown where the Node is', () => expect(waiterOf(aRequest(), { kind: 'elsewhere' })).not.toHaveProperty('node'));

  test.each([
    { reason: 'nobody is there', claims: [], want: 'Granted' },
    { reason: 'a workflow acts on this node', claims: ['we-1@shop/worker-0'], want: 'Wait' },
    { reason: 'a workflow acts on another node', claims: ['we-1@shop/worker-1'], want: 'Granted' },
    { reason: 'five act in the cluster', claims: ['a@a', 'b@b', 'c@c', 'd@d', 'e@e'], want: 'Wait' },
  ])('$reason: $want', async ({ claims, want }) => {
    const ledger = found(aLedger(claims.map((text) => aClaim(text))));
    const server = { kind: 'unreadable', reason: 'no' } as const;
    expect(await ask(readerOf({ ledger, server }))).toBe(want);
  });

  test('is free again when the server says that the other is gone', async () => {
    const ledger = found(aLedger([aClaim('we-1@shop/worker-0')]));
    expect(await ask(readerOf({ ledger, server: absent }))).toBe('Granted');
  });

  test.each([
    { reason: 'gone', server: absent, want: 'Granted' },
    { reason: 'leaving', server: leavingMachine, want: 'Wait' },
    { reason: 'out of sight', server: { kind: 'unreadable', reason: 'no' } as const, want: 'Wait' },
  ])('is $want where the Machine whose replacement held it is $reason', async ({ server, want }) => {
    const ledger = found(aLedger([{ ...aClaim('m-1@shop/worker-0'), kind: 'Machine' }]));
    expect(await ask(readerOf({ ledger, server: server as Read<never> }))).toBe(want);
  });

  test('is not given to anybody while all is paused, and others wait their turn', async () => {
    const paused = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: '' } };
    expect(await ask(readerOf({ ledger: found(aLedger([])) }), paused)).toBe('Wait');
    const one = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, running: { cluster: 1, namespace: 1, node: 1 } } };
    const before = aRequest({ metadata: { uid: 'pcr-1', name: 'worker-1', creationTimestamp: '2026-01-10T10:00:00Z' } });
    const leaving = aRequest({ metadata: { ...before.metadata, deletionTimestamp: '2026-01-10T10:00:00Z' } });
    expect(await ask(readerOf({ ledger: found(aLedger([])), waiting: [before] }), one)).toBe('Wait');
    expect(await ask(readerOf({ ledger: found(aLedger([])), waiting: [leaving] }), one)).toBe('Granted');
  });

  test.each([
    { reason: 'absent', ledger: absent, want: 'absent' },
    { reason: 'unreadable', ledger: { kind: 'unreadable', reason: 'no' } as const, want: 'unreadable' },
  ])('is not known where the ledger is $reason', async ({ ledger, want }) =>
    expect(
      (await readClaims({ object: aRequest(), reader: readerOf({ ledger }), now: NOW, settings: DEFAULT_SETTINGS }, NODE, true)).kind,
    ).toBe(want),
  );
});

describe('a claim', () => {
  test('is given back once, and only by whose it is', () => {
    const [effect, ...more] = giveBack(seenWith().budget, NOW);
    expect([effect?.kind, more]).toEqual(['Patch', []]);
    expect(JSON.stringify(effect)).toContain('endedAt');
    expect(giveBack(withoutClaim(aRequest(), ['we-1@shop']), NOW)).toEqual([]);
    expect(giveBack({ kind: 'absent' }, NOW)).toEqual([]);
  });

  test('is as if it had never been, where nothing was begun', () => {
    const other = aClaim('we-1@shop', HOUR);
    const { budget } = seenWith();
    if (budget.kind !== 'value') throw new Error('no ledger');
    const both = { ...budget, question: { ...budget.question, claims: [...budget.question.claims, other] } };
    expect(withdraw(both)).toEqual([writeLedger(budget.ledger, [other])]);
    expect(withdraw(withoutClaim(aRequest(), ['we-1@shop']))).toEqual([]);
    expect(withdraw({ kind: 'absent' })).toEqual([]);
  });

  test('leaves the others as they are', () => {
    const other = aClaim('we-1@shop', HOUR);
    const { budget } = seenWith();
    if (budget.kind !== 'value') throw new Error('no ledger');
    const both = { ...budget, question: { ...budget.question, claims: [...budget.question.claims, other] } };
    const [effect] = giveBack(both, after(NOW, 1));
    const value = (effect?.kind === 'Patch' ? (effect.operations[0] as { value: Record<string, string> }).value : {}) as Record<
      string,
      string
    >;
    expect(value[other.uid]).not.toContain('endedAt');
  });

  test.each([
    { reason: 'the request is gone', server: absent, want: true },
    { reason: 'another has its name', server: { kind: 'value', value: aRequest({ metadata: { uid: 'pcr-1' } }) }, want: true },
    { reason: 'it is there', server: { kind: 'value', value: aRequest() }, want: false },
    { reason: 'nobody knows', server: { kind: 'unreadable', reason: 'no' }, want: false },
  ])('is over where $reason: $want', async ({ server, want }) => {
    const judge = powerCycleOver(readerOf({ ledger: absent, server: server as Read<never> }));
    const { createdAt: _, ...asker } = waiterOf(aRequest());
    expect(await judge.ask({ ...asker, claimedAt: NOW })).toBe(want);
    expect(judge.look({ ...asker, claimedAt: NOW })).toBe('unsure');
  });
});

describe('who waits', () => {
  const request = (phase: 'pending' | 'backoff' | 'power-off', reason: string) =>
    aRequest({
      status: { phase, conditions: [{ type: 'Ready', status: 'False', reason, message: '', lastTransitionTime: '2026-01-10T10:00:00Z' }] },
    });

  test.each([
    { one: request('pending', 'WaitingForBudget'), want: ['waiting'] },
    { one: request('backoff', 'BudgetPaused'), want: ['waiting'] },
    { one: request('power-off', 'WaitingForBudget'), want: [] },
    { one: request('pending', 'BmcUnreachable'), want: [] },
    { one: aRequest(), want: [] },
  ])('$one.status.phase $one.status.conditions.0.reason: $want', ({ one, want }) => expect(budgetRole(one)).toEqual(want));
});
