/** Longer values are refused, not matched. */
const LONGEST = 253;
/** With more repetitions than these, a pattern could take for ever to fail. */
const MOST_REPETITIONS = 4;

/**
 * Whether a whole value matches a pattern that somebody wrote into the catalogue; undefined when the pattern is wrong or too complicated to be
 * tried here. The engine tries every way to match, so that only patterns with few ways are let through: no repeated groups, no looking
 * around, no references back.
 */
export function matchesPattern(pattern: string, value: string): boolean | undefined {
  if (!isSimple(pattern)) return undefined;
  try {
    return value.length <= LONGEST && new RegExp(`^(?:${pattern})$`, 'u').test(value);
  } catch {
    return undefined;
  }
}

function isSimple(pattern: string): boolean {
  if (/\\[1-9k]/.test(pattern)) return false;
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  return !/\)[*+{]/.test(bare) && !/\(\?[^:]/.test(bare) && (bare.match(/[*+{]/g) ?? []).length <= MOST_REPETITIONS;
}
