import { randomBytes, randomUUID } from 'node:crypto';

/** The one source of chance. Seeded in tests and simulation, so a run can be repeated from its seed. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  int(below: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of the items; the list must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** A version 4 UUID. */
  uuid(): string;
}

/** The machine's own chance. */
export const systemRandom: Random = makeRandom(() => Math.random(), randomUUID);

/** A text that cannot be guessed: 256 bits, in letters, digits, `-` and `_`. Never part of a simulation. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Chance that repeats: the same seed gives the same sequence on every machine (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number): string => {
    let text = '';
    for (let i = 0; i < digits; i++) text += Math.floor(next() * 16).toString(16);
    return text;
  };
  const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[Math.floor(next() * 4)]!}${hex(3)}-${hex(12)}`;
  return makeRandom(next, uuid);
}

function makeRandom(next: () => number, uuid: () => string): Random {
  const int = (below: number): number => Math.floor(next() * below);
  return { next, int, chance: (probability) => next() < probability, pick: (items) => items[int(items.length)]!, uuid };
}
