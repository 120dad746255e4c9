/**
 * The text, cut to at most `most` characters with a mark at its end. Never in the middle of a character: half of one is stored as another,
 * and would look like a change for ever.
 */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
}
