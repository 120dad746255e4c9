import { describe, expect, test } from 'vitest';
import { after, HOUR, MINUTE, type Instant } from '../../base/index.ts';
import type { BudgetSettings } from '../settings.ts';
import type { Claim } from './claim.ts';
import { judgeBudget, judgeQueue, placeOf, type BudgetVerdict } from './judge-budget.ts';
import { aClaim, aWaiter, NOW, SETTINGS } from './testing/builders.ts';

interface Case {
  readonly reason: string;
  readonly asking?: string;
  readonly claims?: readonly Claim[];
  readonly over?: readonly string[];
  readonly waiting?: readonly string[];
  readonly settings?: Partial<BudgetSettings>;
  readonly at?: Instant;
  /** `go`, or what is in the way. */
  readonly want: string;
  readonly place?: number;
}

const judge = ({ asking = 'x@shop', claims = [], over = [], waiting = [], settings, at = NOW }: Omit<Case, 'want' | 'reason'>) =>
  judgeBudget({
    asking: aWaiter(asking),
    claims,
    over: new Set(over.map((name) => `uid-${name}`)),
    waiting: waiting.map((text) => aWaiter(text)),
    settings: { ...SETTINGS, ...settings },
    now: at,
  });

const inShort = (verdict: BudgetVerdict): string =>
  verdict.kind === 'Wait'
    ? verdict.blocks.map(({ counts, scope, name }) => [counts, scope, name].filter(Boolean).join(' ')).join(', ')
    : verdict.kind;

const running = (...names: readonly string[]): readonly Claim[] => names.map((name) => aClaim(name));
const ended = (agoMs: number, ...names: readonly string[]): readonly Claim[] => names.map((name) => aClaim(name, agoMs, NOW));

const limits: readonly Case[] = [
  { reason: 'nothing is done', want: 'Granted' },
  { reason: 'one less than the cluster may have', claims: running('a@mail', 'b@post'), want: 'Granted' },
  { reason: 'as many as the cluster may have', claims: running('a@mail', 'b@post', 'c'), want: 'running cluster', place: 1 },
  {
    reason: 'more than the cluster may have: the limit was lowered',
    claims: running('a', 'b', 'c', 'd'),
    want: 'running cluster',
    place: 1,
  },
  { reason: 'one less than the namespace may have', claims: running('a@shop'), want: 'Granted' },
  { reason: 'as many as the namespace may have', claims: running('a@shop', 'b@shop'), want: 'running namespace shop', place: 1 },
  { reason: 'another namespace is full', claims: running('a@mail', 'b@mail'), want: 'Granted' },
  { reason: 'what has no namespace is bound by none', asking: 'x', claims: running('a@shop', 'b@shop'), want: 'Granted' },
  { reason: 'its node is busy', asking: 'x@/n1', claims: running('a@mail/n1'), want: 'running node n1', place: 1 },
  { reason: 'another node is busy', asking: 'x@shop/n1', claims: running('a@mail/n2'), want: 'Granted' },
  { reason: 'a namespace is not a node of its name', asking: 'x@n1', claims: running('a@/n1'), want: 'Granted' },
  {
    reason: 'all is full',
    asking: 'x@shop/n1',
    claims: running('a@shop', 'b@shop', 'c@/n1'),
    want: 'running cluster, running namespace shop, running node n1',
    place: 1,
  },
  { reason: 'what is over makes room', claims: running('a@shop', 'b@shop'), over: ['a'], want: 'Granted' },
  { reason: 'what is over by the ledger makes room', claims: [...running('a@shop'), ...ended(0, 'b@shop')], want: 'Granted' },
  {
    reason: 'that an hour went by ends nothing',
    claims: [aClaim('a@shop', 2 * HOUR), aClaim('b@shop', HOUR)],
    want: 'running namespace shop',
    place: 1,
  },
  {
    reason: 'a limit of none lets nothing start',
    settings: { running: { cluster: 0, namespace: 2, node: 1 } },
    want: 'running cluster',
    place: 1,
  },
];

const four = ['a@shop', 'b@shop', 'c@shop', 'd@shop'];
const six = ['a@q', 'b@r', 'c@q', 'd@r', 'e@q', 'f@r'];
const hours: readonly Case[] = [
  { reason: 'one less than in an hour', claims: ended(MINUTE, ...four.slice(1)), want: 'Granted' },
  { reason: 'as many as in an hour', claims: ended(MINUTE, ...four), want: 'perHour namespace shop', place: 1 },
  { reason: 'a moment before the hour is over', claims: ended(HOUR - 1, ...four), want: 'perHour namespace shop', place: 1 },
  { reason: 'the hour is over to the moment', claims: ended(HOUR, ...four), want: 'Granted' },
  { reason: 'as many as in the cluster', claims: ended(MINUTE, ...six), want: 'perHour cluster', place: 1 },
  { reason: 'the hour of one of them is over', claims: [...ended(MINUTE, ...six.slice(1)), ...ended(HOUR, 'a@q')], want: 'Granted' },
  { reason: 'a claim of the future is one of now', claims: ended(-MINUTE, ...four), want: 'perHour namespace shop', place: 1 },
  { reason: 'no node has a limit by the hour', asking: 'x@/n1', claims: ended(MINUTE, 'a@/n1', 'b@/n1', 'c@/n1'), want: 'Granted' },
];

const queues: readonly Case[] = [
  { reason: 'the last place is for who came first', claims: running('a', 'b'), waiting: ['w@mail'], want: 'running cluster', place: 2 },
  { reason: 'two places, one before it', claims: running('a'), waiting: ['w@mail'], want: 'Granted' },
  { reason: 'who came later does not matter', claims: running('a', 'b'), waiting: ['y@mail', 'z@mail'], want: 'Granted' },
  { reason: 'a waiter does not wait for itself', claims: running('a', 'b'), waiting: ['x@shop'], want: 'Granted' },
  { reason: 'a waiter that has a claim already blocks no other', claims: running('a', 'b'), waiting: ['a@mail'], want: 'Granted' },
  {
    reason: 'the queue of another namespace does not block this one',
    claims: running('a@mail', 'b@mail'),
    waiting: ['v@mail', 'w@mail'],
    want: 'Granted',
  },
  {
    reason: 'the second of its namespace',
    claims: running('a@shop'),
    waiting: ['w@shop'],
    want: 'running namespace shop',
    place: 2,
  },
  {
    reason: 'its place is among those who wait for the same',
    claims: running('a@shop', 'b@shop'),
    waiting: ['t@mail', 'u@shop', 'v@mail', 'w@shop'],
    settings: { running: { cluster: 9, namespace: 2, node: 1 } },
    want: 'running namespace shop',
    place: 3,
  },
  {
    reason: 'the hour’s last place is for who came first',
    claims: ended(MINUTE, ...six.slice(1)),
    waiting: ['w@mail'],
    want: 'perHour cluster',
    place: 2,
  },
  {
    reason: 'a node is kept for who came first, whatever that waits for',
    asking: 'x@shop/n1',
    claims: running('a@mail', 'b@mail'),
    waiting: ['w@mail/n1'],
    want: 'running node n1',
    place: 2,
  },
  {
    reason: 'but its namespace and the cluster are not',
    asking: 'x@mail',
    claims: running('a@post/n1', 'b@mail'),
    waiting: ['w@mail/n1'],
    want: 'Granted',
  },
];

describe('the budget', () => {
  describe.each([
    { of: 'limits', rows: limits },
    { of: 'the hour', rows: hours },
    { of: 'the queue', rows: queues },
  ])('$of', ({ rows }) => {
    test.each(rows)('$want: $reason', (row) => {
      const verdict = judge(row);
      expect(inShort(verdict)).toBe(row.want);
      expect(verdict.kind === 'Wait' ? verdict.place : undefined).toBe(row.place);
    });
  });

  test('a claim that is there needs no other', () =>
    expect(judge({ claims: running('x@shop', 'b@shop', 'c', 'd') })).toEqual({ kind: 'Claimed' }));

  test('a claim that ended is no leave to start', () => {
    const verdict = judge({ claims: [...ended(MINUTE, 'x@shop'), ...running('a')] });
    expect(verdict.kind === 'Granted' && verdict.claims.filter(({ uid }) => uid === 'uid-x')).toEqual([aClaim('x@shop')]);
    expect(inShort(judge({ claims: [...ended(MINUTE, 'x@shop'), ...running('a', 'b', 'c')] }))).toBe('running cluster');
  });

  test.each([{ claims: [] }, { claims: running('x@shop') }])('while all is paused nothing starts, claim or not', ({ claims }) =>
    expect(judge({ claims: [...claims, ...running('b', 'a'), ...ended(1, 'c')], over: ['d'], settings: { paused: 'incident 7' } })).toEqual(
      {
        kind: 'Held',
        why: 'incident 7',
        running: ['a', 'b'],
      },
    ),
  );

  test('an empty reason pauses too', () => expect(judge({ settings: { paused: '' } }).kind).toBe('Held'));
});

describe('the ledger that is granted', () => {
  const granted = (question: Omit<Case, 'want' | 'reason'>): readonly Claim[] => {
    const verdict = judge(question);
    return verdict.kind === 'Granted' ? verdict.claims : [];
  };

  test('has the new claim, and none of the queue’s bookkeeping', () =>
    expect(granted({ asking: 'x@shop/n1' })).toEqual([aClaim('x@shop/n1')]));

  test('notes what is over, and forgets it after an hour', () =>
    expect(
      granted({ claims: [aClaim('a', HOUR - 1), aClaim('b', HOUR), aClaim('c', 2 * HOUR, NOW), aClaim('d', HOUR)], over: ['a', 'b'] }),
    ).toEqual([aClaim('a', HOUR - 1, NOW), aClaim('d', HOUR), aClaim('x@shop')]));

  test('keeps an end that is already recorded in the ledger', () => {
    const before = after(NOW, -MINUTE);
    expect(granted({ claims: [aClaim('a', 2 * MINUTE, before)], over: ['a'] })[0]?.endedAt).toBe(before);
  });

  test('counts each start of one that claims again, for its hour', () => {
    const first = aClaim('x@shop', 2 * MINUTE, NOW);
    const again = granted({ claims: [first] });
    expect(again).toEqual([{ ...first, uid: `uid-x.${first.claimedAt}` }, aClaim('x@shop')]);
    expect(granted({ claims: again.map((claim) => ({ ...claim, endedAt: NOW })), at: after(NOW, MINUTE) })).toHaveLength(3);
    expect(granted({ claims: [aClaim('x@shop', HOUR, NOW)] })).toEqual([aClaim('x@shop')]);
    const thrice = [3, 2, 1].map((ago) => ({ ...first, uid: `uid-x.${ago}`, claimedAt: after(NOW, -ago * MINUTE) }));
    expect(inShort(judge({ claims: [...thrice, first] }))).toBe('perHour namespace shop');
  });

  test('lets a claim of the future count from now', () => expect(granted({ claims: [aClaim('a', -HOUR)] })[0]?.claimedAt).toBe(NOW));
});

describe('when there is room again', () => {
  const untilOf = (question: Omit<Case, 'want' | 'reason'>): readonly (Instant | undefined)[] => {
    const verdict = judge(question);
    return verdict.kind === 'Wait' ? verdict.blocks.map(({ until }) => until) : [];
  };
  const started = [40, 10, 30, 20].map((minutes, i) => aClaim(`${'abcd'[i] ?? ''}@shop`, minutes * MINUTE, NOW));

  test('the oldest start of the hour makes the first room', () => expect(untilOf({ claims: started })).toEqual([after(NOW, 20 * MINUTE)]));

  test('the time is the same for a waiter further back in the queue', () =>
    expect(untilOf({ claims: started, waiting: ['w@shop'] })).toEqual([after(NOW, 20 * MINUTE)]));

  test('who comes after one that takes the room waits for the next', () => {
    const claims = [...started.slice(1), aClaim('a@shop', HOUR, NOW)];
    expect(untilOf({ claims, waiting: ['w@shop'] })).toEqual([after(NOW, 30 * MINUTE)]);
  });

  test('no time is given while it depends on the end of a run', () =>
    expect(untilOf({ claims: running('a@shop', 'b@shop') })).toEqual([undefined]));
});

test('the whole queue is judged in order', () => {
  const question = {
    claims: running('a@shop'),
    over: new Set<string>(),
    waiting: ['y@shop', 'x@shop', 'w@mail', 'z'].map((text) => aWaiter(text)),
    settings: SETTINGS,
    now: NOW,
  };
  const standings = [...judgeQueue(question)].map((one) => [one.waiter.uid, one.blocks.length === 0 ? 'may start' : placeOf(one)]);
  expect(standings).toEqual([
    ['uid-w', 'may start'],
    ['uid-x', 'may start'],
    ['uid-y', 3],
    ['uid-z', 4],
  ]);
});
