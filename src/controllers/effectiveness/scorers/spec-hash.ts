/** The spec at the moments that matter. */
export interface SpecHashes {
  /** Right after the workflow ran, when that could be read. */
  readonly applied?: string | undefined;
  /** When others had applied what the workflow changed; only of targets where that is so. */
  readonly baseline?: string | undefined;
  /** When the assessment first looked. */
  readonly first?: string | undefined;
  readonly current: string;
}

/**
 * Whether somebody changed the target after the remediation: what is seen from here on would be their work. Measured from what the
 * workflow left behind, or, where others apply it, from what they had made of it when it began to settle; where that is not known, from the
 * first look.
 */
export function hasDrifted(hashes: SpecHashes, { isAsync }: { readonly isAsync: boolean }): boolean {
  const { applied, baseline, first, current } = hashes;
  const from = (isAsync ? baseline : applied) ?? first;
  return from !== undefined && from !== current;
}
