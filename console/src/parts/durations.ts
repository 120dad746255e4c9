const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/**
 * A duration as kubectl writes it: two units at most.
 * @example durationText(7_265_000) === '2h1m'
 */
export function durationText(milliseconds: number): string {
  let rest = Math.max(0, Math.round(milliseconds / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    if (count === 0 && parts.length === 0) continue;
    rest -= count * seconds;
    if (count > 0) parts.push(`${count}${unit}`);
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break;
  }
  return parts.join('') || '0s';
}
