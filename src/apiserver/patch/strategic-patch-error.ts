/** A strategic patch that cannot be applied. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
  /** Whether the form is wrong; kube-apiserver does not classify what else can be. */
  readonly isMalformed: boolean;

  constructor(message: string, { isMalformed = false }: { readonly isMalformed?: boolean } = {}) {
    super(message);
    this.isMalformed = isMalformed;
  }
}

/** An unknown `$patch` directive. */
export const badDirective = (patch: { readonly $patch?: unknown }): StrategicPatchError =>
  new StrategicPatchError(`unknown patch type: ${String(patch.$patch)} in map: ${JSON.stringify(patch)}`);
