import type { Kind } from '../kinds/kind.ts';

/** The paths of the fields that a Scale shows, in objects of a kind. */
export interface ScalePaths {
  readonly wanted: readonly string[];
  readonly actual: readonly string[];
  /** A text where `selectorIsText`, else a LabelSelector. */
  readonly selector: readonly string[] | undefined;
  readonly selectorIsText: boolean;
}

const BUILTIN: ScalePaths = {
  wanted: ['spec', 'replicas'],
  actual: ['status', 'replicas'],
  selector: ['spec', 'selector'],
  selectorIsText: false,
};

const SCALED: ReadonlySet<string> = new Set(['apps/deployments', 'apps/replicasets', 'apps/statefulsets']);

/** Undefined for kinds that cannot be scaled. */
export function scalePathsOf(kind: Kind): ScalePaths | undefined {
  if (!kind.custom) return SCALED.has(kind.table) ? BUILTIN : undefined;
  const declared = kind.custom.subresources?.scale;
  if (!declared) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = declared;
  return {
    wanted: wayOf(specReplicasPath),
    actual: wayOf(statusReplicasPath),
    selector: labelSelectorPath === undefined ? undefined : wayOf(labelSelectorPath),
    selectorIsText: true,
  };
}

/** CRDs allow only `.a.b.c` here. */
const wayOf = (path: string): readonly string[] => path.split('.').slice(1);
