/** Text is never wrapped narrower than this. */
const LEAST = 30;

/**
 * Breaks a line at blanks so that it fits, its later parts under where its text begins. Words that are too long stay whole: names are copied.
 * @example wrap('  told  a long story', { width: 14, hang: 8 }) → ['  told  a long', '        story']
 */
export function wrap(line: string, { width, hang }: { readonly width: number; readonly hang: number }): readonly string[] {
  const room = Math.max(width, hang + LEAST);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > room) {
    const cut = rest.lastIndexOf(' ', room);
    const at = cut > hang ? cut : rest.indexOf(' ', room);
    if (at === -1) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = ' '.repeat(hang) + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}
