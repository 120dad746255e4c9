/** Longer values are refused, not matched. */
const LONGEST = 253;
/** A longer pattern is not tried either. */
const LONGEST_PATTERN = 512;
/** How many ways to match are tried at most, as a power of two: some milliseconds of nothing else. */
const MOST_WAYS = 26;

/**
 * Whether a whole value matches a pattern from the catalogue; undefined when the pattern is wrong or too complicated to be
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
  if (pattern.length > LONGEST_PATTERN || /\\[1-9k]|\{\d{4}|,\d{4}/.test(pattern)) return false;
  const bare = pattern
    .replaceAll(/\\./g, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll('(?:', '(');
  return !/\)[*+{]/.test(bare) && !bare.includes('(?') && waysOf(bare) <= MOST_WAYS;
}

/** A repetition can end in as many places as the longest value has characters; a choice has two sides. */
const waysOf = (bare: string): number => 8 * countOf(bare, /[*+{]/g) + countOf(bare, /[?|]/g);

const countOf = (text: string, what: RegExp): number => (text.match(what) ?? []).length;
