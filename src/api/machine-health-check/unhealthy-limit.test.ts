import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gateAllows, remediationsLeft, type Gate } from './unhealthy-limit.ts';

const percent = (value: number) => ({ unit: 'percent', percent: value }) as const;
const machines = (count: number) => ({ unit: 'machines', count }) as const;
const atMost = (limit: ReturnType<typeof percent> | ReturnType<typeof machines>): Gate => ({ kind: 'atMost', limit });
const below = (limit: ReturnType<typeof percent> | ReturnType<typeof machines>): Gate => ({ kind: 'below', limit });
const range = (min: number, max: number): Gate => ({ kind: 'range', min, max });

interface Case {
  readonly reason: string;
  readonly gate: Gate;
  readonly total: number;
  readonly unhealthy: number;
  readonly want: boolean;
}

const cases: readonly Case[] = [
  { reason: '40 % of 25 is 10, which is still allowed', gate: atMost(percent(40)), total: 25, unhealthy: 10, want: true },
  { reason: '11 of 25 is above 40 %', gate: atMost(percent(40)), total: 25, unhealthy: 11, want: false },
  { reason: '40 % of 6 is rounded down to 2', gate: atMost(percent(40)), total: 6, unhealthy: 2, want: true },
  { reason: '3 of 6 is above the rounded 2', gate: atMost(percent(40)), total: 6, unhealthy: 3, want: false },
  { reason: '60 % of 7 is rounded down to 4', gate: atMost(percent(60)), total: 7, unhealthy: 4, want: true },
  { reason: '5 of 7 is above the rounded 4', gate: atMost(percent(60)), total: 7, unhealthy: 5, want: false },
  { reason: '50 % of 5 is rounded down to 2', gate: atMost(percent(50)), total: 5, unhealthy: 3, want: false },
  { reason: '40 % of 3 is rounded down to 1', gate: atMost(percent(40)), total: 3, unhealthy: 1, want: true },
  { reason: '0 % allows nothing unhealthy', gate: atMost(percent(0)), total: 5, unhealthy: 1, want: false },
  { reason: '0 % with everything healthy is open', gate: atMost(percent(0)), total: 5, unhealthy: 0, want: true },
  { reason: '100 % allows everything', gate: atMost(percent(100)), total: 5, unhealthy: 5, want: true },
  { reason: 'no Machines, none unhealthy', gate: atMost(percent(100)), total: 0, unhealthy: 0, want: true },
  { reason: 'a number is the limit itself', gate: atMost(machines(2)), total: 3, unhealthy: 2, want: true },
  { reason: 'limit + 1 is above it', gate: atMost(machines(2)), total: 3, unhealthy: 3, want: false },
  { reason: 'a number above the total allows everything', gate: atMost(machines(9)), total: 3, unhealthy: 3, want: true },
  { reason: '1 of 5 is below 40 %', gate: below(percent(40)), total: 5, unhealthy: 1, want: true },
  { reason: '2 of 5 is 40 %, at the threshold', gate: below(percent(40)), total: 5, unhealthy: 2, want: false },
  { reason: '3 of 10 is below 40 %', gate: below(percent(40)), total: 10, unhealthy: 3, want: true },
  { reason: '4 of 10 is 40 %, at the threshold', gate: below(percent(40)), total: 10, unhealthy: 4, want: false },
  { reason: '1 of 3 is 33 %, compared exactly', gate: below(percent(40)), total: 3, unhealthy: 1, want: true },
  { reason: '2 of 6 is 33 %, compared exactly', gate: below(percent(40)), total: 6, unhealthy: 2, want: true },
  { reason: '3 of 6 is above 40 %', gate: below(percent(40)), total: 6, unhealthy: 3, want: false },
  { reason: 'at or above 100 % means all of them', gate: below(percent(100)), total: 5, unhealthy: 5, want: false },
  { reason: 'no Machines are below any percentage', gate: below(percent(40)), total: 0, unhealthy: 0, want: true },
  { reason: 'but nothing is below 0 %', gate: below(percent(0)), total: 0, unhealthy: 0, want: false },
  { reason: 'one under the number', gate: below(machines(2)), total: 9, unhealthy: 1, want: true },
  { reason: 'at the number', gate: below(machines(2)), total: 9, unhealthy: 2, want: false },
  { reason: 'nothing is below 0', gate: below(machines(0)), total: 9, unhealthy: 0, want: false },
  { reason: 'at the beginning of the range', gate: range(1, 3), total: 9, unhealthy: 1, want: true },
  { reason: 'at the end of the range', gate: range(1, 3), total: 9, unhealthy: 3, want: true },
  { reason: 'before the range', gate: range(1, 3), total: 9, unhealthy: 0, want: false },
  { reason: 'after the range', gate: range(1, 3), total: 9, unhealthy: 4, want: false },
];

describe('gateAllows', () => {
  test.each(cases)('$gate.kind, $unhealthy of $total: $reason', ({ gate, total, unhealthy, want }) =>
    expect(gateAllows(gate, { total, unhealthy })).toBe(want),
  );
});

describe('remediationsLeft', () => {
  test.each([
    { reason: 'what is left below the limit', gate: atMost(percent(40)), total: 25, unhealthy: 4, want: 6 },
    { reason: 'none at the limit', gate: atMost(machines(2)), total: 5, unhealthy: 2, want: 0 },
    { reason: 'none, not minus one, above it', gate: atMost(machines(2)), total: 5, unhealthy: 3, want: 0 },
    { reason: 'the last one before the threshold', gate: below(percent(40)), total: 10, unhealthy: 2, want: 1 },
    { reason: 'up to the end of the range', gate: range(1, 3), total: 9, unhealthy: 1, want: 2 },
    { reason: 'none before the range', gate: range(1, 3), total: 9, unhealthy: 0, want: 0 },
  ])('$reason', ({ gate, total, unhealthy, want }) => expect(remediationsLeft(gate, { total, unhealthy })).toBe(want));
});

const limits = fc.oneof(fc.integer({ min: 0, max: 100 }).map(percent), fc.integer({ min: 0, max: 50 }).map(machines));
const counts = fc
  .integer({ min: 0, max: 60 })
  .chain((total) => fc.record({ total: fc.constant(total), unhealthy: fc.integer({ min: 0, max: total }) }));

describe('for every limit and every number of Machines', () => {
  test('the v1alpha3 form is never looser than the others', () => {
    fc.assert(fc.property(limits, counts, (limit, count) => !gateAllows(below(limit), count) || gateAllows(atMost(limit), count)));
  });

  test('more unhealthy Machines never open a gate without a range', () => {
    fc.assert(
      fc.property(limits, counts, (limit, count) => {
        const worse = { ...count, unhealthy: count.unhealthy + 1 };
        for (const gate of [atMost(limit), below(limit)]) expect(gateAllows(gate, worse) && !gateAllows(gate, count)).toBe(false);
      }),
    );
  });

  test('what is left is exactly how far it is to the closed gate', () => {
    fc.assert(
      fc.property(limits, counts, (limit, count) => {
        for (const gate of [atMost(limit), below(limit)]) {
          fc.pre(gateAllows(gate, count));
          const left = remediationsLeft(gate, count);
          expect([
            gateAllows(gate, { ...count, unhealthy: count.unhealthy + left }),
            gateAllows(gate, { ...count, unhealthy: count.unhealthy + left + 1 }),
          ]).toEqual([true, false]);
        }
      }),
    );
  });

  test('"below" compares shares without rounding', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), counts, (share, count) => {
        fc.pre(count.total > 0);
        expect(gateAllows(below(percent(share)), count)).toBe(count.unhealthy * 100 < share * count.total);
      }),
    );
  });
});
