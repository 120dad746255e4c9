import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom, systemRandom } from './random.ts';
import type { Random } from './random.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const take = (count: number, random: Random): readonly number[] => Array.from({ length: count }, () => random.next());

describe('seededRandom', () => {
  test('gives this sequence for ever: a seed in an old bug report must still replay', () => {
    expect(take(3, seededRandom(1)).map((value) => value * 2 ** 32)).toEqual([2693262067, 11749833, 2265367787]);
    expect(seededRandom(1).uuid()).toBe('a08ff49b-6f77-4263-8716-c43069c43a8c');
  });

  test('repeats from its seed, whatever is asked', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const ask = (random: Random): unknown => [
          random.next(),
          random.int(10),
          random.chance(0.5),
          random.pick(['a', 'b', 'c']),
          random.uuid(),
        ];
        expect(ask(seededRandom(seed))).toEqual(ask(seededRandom(seed)));
      }),
    );
  });

  test('neighbouring seeds differ', () => {
    expect(take(5, seededRandom(1))).not.toEqual(take(5, seededRandom(2)));
  });

  test('is spread evenly enough for fault injection', () => {
    const random = seededRandom(7);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 10_000; i++) counts[random.int(10)]!++;
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1_150);
  });
});

describe.each([
  { name: 'seeded', random: seededRandom(42) },
  { name: 'system', random: systemRandom },
])('$name', ({ random }) => {
  test('next is in [0, 1)', () => {
    expect(take(1_000, random).every((value) => value >= 0 && value < 1)).toBe(true);
  });

  test('int is whole and below its bound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (below) => {
        const value = random.int(below);
        return Number.isInteger(value) && value >= 0 && value < below;
      }),
    );
  });

  test('chance keeps to its ends', () => {
    const tries = Array.from({ length: 1_000 }, () => [random.chance(0), random.chance(1)]);
    expect(tries.every(([never, always]) => never === false && always === true)).toBe(true);
  });

  test('pick takes each item sooner or later, and nothing else', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => random.pick(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
  });

  test('uuid is a version 4 UUID, and not the same twice', () => {
    const ids = Array.from({ length: 100 }, () => random.uuid());
    expect(ids.every((id) => UUID.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(100);
  });
});
