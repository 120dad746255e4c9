import { ALLOW, deny, mutate, type AdmissionOutcome, type AdmissionRequest } from '../apiserver/admission/admission.ts';
import type { Work } from '../apiserver/object.ts';

export type Annotations = Readonly<Record<string, string>>;

/** Two annotations that belong together: what a person asks for, and who asked. */
export interface SignedPair {
  readonly asked: string;
  readonly by: string;
  /** What the name stands for, e.g. `who cancelled`. */
  readonly names: string;
}

/** Where the request is withdrawn its name goes with it; a name without a request is refused. */
export function withdrawn(write: AdmissionRequest, { asked, by, names }: SignedPair, before: string | undefined): AdmissionOutcome {
  const { [by]: signature, ...rest } = write.object.metadata.annotations ?? {};
  if (signature === undefined) return ALLOW;
  return signature === before
    ? mutate(annotated(write.object, rest))
    : deny(write, `annotation ${by} names ${names}: it is only set together with ${asked}`);
}

/** The object with other annotations. */
export const annotated = (object: Work, annotations: Annotations): Work => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});
