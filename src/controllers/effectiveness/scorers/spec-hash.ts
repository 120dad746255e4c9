/** The spec at the moments that matter. */
export interface SpecHashes {
  /** Right after the workflow ran, when that could be read. */
  readonly applied?: string;
  /** When the assessment first looked. */
  readonly first?: string;
  readonly current: string;
}

/**
 * Whether somebody changed the target after the remediation: what is seen from here on would be their work. Measured from what the
 * workflow left behind, or, where that is not known, from the first look.
 */
export function hasDrifted({ applied, first, current }: SpecHashes): boolean {
  const baseline = applied ?? first;
  return baseline !== undefined && baseline !== current;
}
