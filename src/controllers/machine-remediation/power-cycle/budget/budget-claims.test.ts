import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../../../api/builtin/index.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, HOUR } from '../../../../base/index.ts';
import type { Read, Reader } from '../../../../runtime/reconcile/controller.ts';
import { askBudget, writeLedger } from '../../../budget/index.ts';

import { aClaim, aLedger } from '../../../budget/testing/builders.ts';
import { aMachine } from '../../../machine-owner/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../../../default-settings.ts';
import type { Settings } from '../../../settings.ts';
import { powerCycleFinished } from './power-cycle-finished.ts';
import { powerCycleBudgetRole, endClaim, readPowerCycleBudget, powerCycleWaiter, dropClaim } from './budget-claims.ts';
import { aSilentNode, aRequest, NOW, seenWith, withoutClaim } from '../testing/builders.ts';

const NODE = { kind: 'value', value: aSilentNode() } as const;
const absent = { kind: 'absent' } as const;
const leavingMachine = { kind: 'value', value: aMachine('m-1', { deletionTimestamp: '2026-01-10T10:00:00Z' }) } as const;

/** A reader with this ledger, these waiters, and this execution or request on the server. */
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
  askBudget(await readPowerCycleBudget({ object, reader, now: NOW, settings }, NODE, true), settings, NOW).kind;

describe('the claim of a power cycle in the budget', () => {
  test('is on its Node, in no namespace', () =>
    expect(powerCycleWaiter(aRequest(), NODE)).toEqual({
      uid: 'pcr-0',
      kind: 'PowerCycleRemediation',
      key: 'machine-api/worker-0',
      target: 'Machine machine-api/worker-0',
      node: 'worker-0',
      createdAt: expect.any(Number) as number,
    }));

  test('is unknown where the Node is', () => expect(powerCycleWaiter(aRequest(), { kind: 'other-cluster' })).not.toHaveProperty('node'));

  test.each([
    { reason: 'the budget is free', claims: [], want: 'Granted' },
    { reason: 'a workflow acts on this node', claims: ['we-1@shop/worker-0'], want: 'Wait' },
    { reason: 'a workflow acts on another node', claims: ['we-1@shop/worker-1'], want: 'Granted' },
    { reason: 'five act in the cluster', claims: ['a@a', 'b@b', 'c@c', 'd@d', 'e@e'], want: 'Wait' },
  ])('$reason: $want', async ({ claims, want }) => {
    const ledger = found(aLedger(claims.map((text) => aClaim(text))));
    const server = { kind: 'unreadable', reason: 'no' } as const;
    expect(await ask(readerOf({ ledger, server }))).toBe(want);
  });

  test('has a slot again once a live read shows that the other one is gone', async () => {
    const ledger = found(aLedger([aClaim('we-1@shop/worker-0')]));
    expect(await ask(readerOf({ ledger, server: absent }))).toBe('Granted');
  });

  test.each([
    { reason: 'gone', server: absent, want: 'Granted' },
    { reason: 'leaving', server: leavingMachine, want: 'Wait' },
    { reason: 'out of sight', server: { kind: 'unreadable', reason: 'no' } as const, want: 'Wait' },
  ])('is $want where the Machine whose replacement had the slot is $reason', async ({ server, want }) => {
    const ledger = found(aLedger([{ ...aClaim('m-1@shop/worker-0'), kind: 'Machine' }]));
    expect(await ask(readerOf({ ledger, server: server as Read<never> }))).toBe(want);
  });

  test('is granted to no request while the budget is paused', async () => {
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
      (await readPowerCycleBudget({ object: aRequest(), reader: readerOf({ ledger }), now: NOW, settings: DEFAULT_SETTINGS }, NODE, true))
        .kind,
    ).toBe(want),
  );
});

describe('a claim', () => {
  test('is ended once, and only by its own request', () => {
    const [effect, ...more] = endClaim(seenWith().budget, NOW);
    expect([effect?.kind, more]).toEqual(['Patch', []]);
    expect(JSON.stringify(effect)).toContain('endedAt');
    expect(endClaim(withoutClaim(aRequest(), ['we-1@shop']), NOW)).toEqual([]);
    expect(endClaim({ kind: 'absent' }, NOW)).toEqual([]);
  });

  test('is removed where nothing was started', () => {
    const other = aClaim('we-1@shop', HOUR);
    const { budget } = seenWith();
    if (budget.kind !== 'value') throw new Error('no ledger');
    const both = { ...budget, question: { ...budget.question, claims: [...budget.question.claims, other] } };
    expect(dropClaim(both)).toEqual([writeLedger(budget.ledger, [other])]);
    expect(dropClaim(withoutClaim(aRequest(), ['we-1@shop']))).toEqual([]);
    expect(dropClaim({ kind: 'absent' })).toEqual([]);
  });

  test('leaves the others as they are', () => {
    const other = aClaim('we-1@shop', HOUR);
    const { budget } = seenWith();
    if (budget.kind !== 'value') throw new Error('no ledger');
    const both = { ...budget, question: { ...budget.question, claims: [...budget.question.claims, other] } };
    const [effect] = endClaim(both, after(NOW, 1));
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
    { reason: 'it cannot be read', server: { kind: 'unreadable', reason: 'no' }, want: false },
  ])('is finished where $reason: $want', async ({ server, want }) => {
    const judge = powerCycleFinished(readerOf({ ledger: absent, server: server as Read<never> }));
    const { createdAt: _, ...asker } = powerCycleWaiter(aRequest());
    expect(await judge.ask({ ...asker, claimedAt: NOW })).toBe(want);
    expect(judge.look({ ...asker, claimedAt: NOW })).toBe('unsure');
  });
});

describe('waiters', () => {
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
  ])('$one.status.phase $one.status.conditions.0.reason: $want', ({ one, want }) => expect(powerCycleBudgetRole(one)).toEqual(want));
});
