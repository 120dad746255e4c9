import type { Job } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { numberOf, safeLetters } from '../safe-letters.ts';

/** The one pod that a Job ever has. */
export const jobPodKey = ({ metadata }: Job): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: `${metadata.name.slice(0, 57)}-${safeLetters(numberOf(metadata.uid), 5)}`,
});
