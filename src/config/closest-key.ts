/** The name that was probably meant, if any is near enough: a slip of the pen, another case, or the right name in the wrong section. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((candidate) => ({ candidate, distance: distanceOf(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= slipsAllowed(lastPart(candidate)))
    .toSorted((a, b) => a.distance - b.distance);
  return best?.candidate;
}

const slipsAllowed = (word: string): number => Math.max(1, Math.floor(word.length / 4));

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const distanceOf = (a: string, b: string): number => Math.min(editDistance(a, b), editDistance(lastPart(a), lastPart(b)));

/** Longer names are nobody's slip, and would take long to compare. */
const LONGEST = 100;

/** How many letters have to be added, dropped or replaced. */
function editDistance(a: string, b: string): number {
  if (a.length > LONGEST) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
