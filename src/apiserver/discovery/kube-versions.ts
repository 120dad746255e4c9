const FORM = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const MATURITY: Readonly<Record<string, number>> = { alpha: 1, beta: 2, stable: 3 };

/**
 * Compares versions as Kubernetes prefers them: stable over beta over alpha over all others, newer over older.
 * @example ['v1beta1', 'v1', 'v2alpha1'].toSorted((a, b) => compareKubeVersions(b, a)) // v1, v1beta1, v2alpha1
 */
export function compareKubeVersions(a: string, b: string): number {
  const [first, second] = [rankOf(a), rankOf(b)];
  for (const [i, rank] of first.entries()) if (rank !== second[i]) return rank - second[i]!;
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

function rankOf(version: string): readonly [number, number, number] {
  const [, major, maturity = 'stable', minor = '0'] = FORM.exec(version) ?? [];
  return major === undefined ? [0, 0, 0] : [MATURITY[maturity]!, Number(major), Number(minor)];
}
