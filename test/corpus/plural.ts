const UNCHANGED = new Set(['Endpoints']);

/** How a kind is called in paths. */
export function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (UNCHANGED.has(kind)) return lower;
  if (lower.endsWith('s')) return `${lower}es`;
  return /[^aeo]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
