import type { BodyRepeats } from '../../kube/client/transport.ts';
import type { ParsedWriteOptions } from './options.ts';

/** Duplicate and unknown fields of a body. */
export interface FieldFaults {
  /** Warnings for the answer. */
  readonly warnings: readonly string[];
  /** Why the body is refused; undefined when it is not. */
  readonly refusal: string | undefined;
}

/** The `fieldValidation` of the request. */
export function fieldFaults(
  { fieldValidation }: ParsedWriteOptions,
  { repeats, unknown }: { readonly repeats: BodyRepeats | undefined; readonly unknown: readonly string[] },
): FieldFaults {
  const strange = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  const all = [...(repeats ? [repeats.summary] : []), ...strange];
  if (fieldValidation === 'Strict' && all.length > 0) return { warnings: [], refusal: `strict decoding error: ${all.join(', ')}` };
  return { warnings: fieldValidation === 'Warn' ? [...(repeats?.warnings ?? []), ...strange] : [], refusal: undefined };
}
