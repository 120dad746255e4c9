/** The digests of the target at the times that matter. */
export interface SpecHashes {
  /** Right after the workflow ran, when that could be read. */
  readonly applied?: string | undefined;
  /** When GitOps or an operator had applied the change; only for such targets. */
  readonly baseline?: string | undefined;
  /** At the first check of the assessment. */
  readonly first?: string | undefined;
  readonly current: string;
}

/**
 * Whether the target changed after the remediation, so that its state no longer shows the effect of the remediation. Compared with the state
 * right after the workflow ran, or, where GitOps or an operator applies the change, when it had been applied; if that is not known, with the
 * state at the first check.
 */
export function hasDrifted(hashes: SpecHashes, { isAsync }: { readonly isAsync: boolean }): boolean {
  const { applied, baseline, first, current } = hashes;
  const from = (isAsync ? baseline : applied) ?? first;
  return from !== undefined && from !== current;
}
