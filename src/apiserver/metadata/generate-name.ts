import type { Random } from '../../base/index.ts';

/** Without vowels and characters that look alike, as in Kubernetes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const LONGEST_BASE = 58;

/** The name for generateName: the base, truncated, and five random characters. */
export function generateName(base: string, random: Random): string {
  let name = base.slice(0, LONGEST_BASE);
  for (let i = 0; i < 5; i++) name += ALPHABET[random.int(ALPHABET.length)]!;
  return name;
}
