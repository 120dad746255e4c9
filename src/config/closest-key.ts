import { distance } from 'fastest-levenshtein';

/** The key that was probably meant, if one is close enough: a misspelling, another case, or the right name in the wrong section. */
export function closestKey(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((candidate) => ({ candidate, slips: distanceOf(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, slips }) => slips <= slipsAllowed(lastPart(candidate)))
    .toSorted((a, b) => a.slips - b.slips);
  return best?.candidate;
}

const slipsAllowed = (word: string): number => Math.max(1, Math.floor(word.length / 4));

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const distanceOf = (a: string, b: string): number => Math.min(editDistance(a, b), editDistance(lastPart(a), lastPart(b)));

/** A longer name is no slip. */
const LONGEST = 100;

/** How many letters have to be added, dropped or replaced. */
const editDistance = (a: string, b: string): number => (a.length > LONGEST ? Infinity : distance(a, b));
