import type { Revision } from '../evidence.ts';
import type { FailedRollout } from './way-back.ts';

/** Why no pod of a release became ready. */
export interface Symptom {
  readonly fault: string;
  /** As it reads after the revision: `cannot pull its image x`. */
  readonly text: string;
}

/** Recognizes a symptom that going back to the revision would end; undefined where the release is not known to cause it. */
export type FindSymptom = (found: FailedRollout, back: Revision) => Symptom | undefined;
