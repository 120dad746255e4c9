/** Paths whose content differs between two snapshots (path → digest), new and removed ones too. */
export const changedFiles = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).toSorted();
