/**
 * Orders two resourceVersions as the integers they are: negative when `a` is the older one. Exact at any length, since
 * integers without leading zeros order by length first.
 */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether `a` was written after `b`; anything is newer than nothing. */
export const isNewer = (a: string, b: string | undefined): boolean => b === undefined || compareVersions(a, b) > 0;
