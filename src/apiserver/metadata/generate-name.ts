import type { Random } from '../../base/index.ts';

/** Without vowels and look-alikes, as in Kubernetes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const LONGEST_BASE = 58;

/** The name that generateName asks for: the base, cut, and five characters of chance. */
export function generateName(base: string, random: Random): string {
  let name = base.slice(0, LONGEST_BASE);
  for (let i = 0; i < 5; i++) name += ALPHABET[random.int(ALPHABET.length)]!;
  return name;
}
