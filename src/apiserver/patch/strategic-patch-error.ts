/** A strategic patch that asks for something that cannot be done. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
  /** Whether the form is wrong; kube-apiserver does not classify what else can be. */
  readonly isMalformed: boolean;

  constructor(message: string, { isMalformed = false }: { readonly isMalformed?: boolean } = {}) {
    super(message);
    this.isMalformed = isMalformed;
  }
}

/** A `$patch` that is none of those that exist. */
export const badDirective = (patch: { readonly $patch?: unknown }): StrategicPatchError =>
  new StrategicPatchError(`unknown patch type: ${String(patch.$patch)} in map: ${JSON.stringify(patch)}`);
