import type { PodTemplate } from '../../api/builtin/index.ts';
import { sameJson } from '../../base/index.ts';
import type { Revision } from '../evidence.ts';

/**
 * Whether two revisions run the same containers. They may differ in labels and annotations: `kubectl rollout restart` writes `restartedAt` and
 * changes nothing that runs, and a checksum of a ConfigMap does not bring the former ConfigMap back.
 */
export const hasSamePods = (a: Revision, b: Revision): boolean => sameJson(specOf(a), specOf(b));

const specOf = ({ replicaSet }: Revision): PodTemplate['spec'] | undefined => replicaSet.spec.template?.spec;

/** Whether two revisions keep their data in the same claims. */
export const hasSameClaims = (a: Revision, b: Revision): boolean => sameJson(claimsOf(a), claimsOf(b));

const claimsOf = (revision: Revision): readonly string[] =>
  (specOf(revision)?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []).toSorted();
