import type { MachineSet } from '../../../api/machine-set/machine-set.ts';
import { LABELS } from '../../../api/well-known.ts';
import { messageOf } from '../../../base/index.ts';
import { labelRequirements, matchesLabels, type LabelRequirement } from '../../../kube/selectors/index.ts';

/** A MachineSet with a valid spec. */
export interface ReadSet {
  readonly kind: 'valid';
  readonly replicas: number;
  readonly selects: readonly LabelRequirement[];
  /** How many may be replaced at the same time; undefined where all may. */
  readonly maxInFlight: number | undefined;
}

export type SetRead = ReadSet | { readonly kind: 'invalid'; readonly message: string };

/** Parses the spec. A set whose selector does not match its own Machines would create them forever. */
export function readSet({ spec }: MachineSet): SetRead {
  const { replicas = 1, template, selector } = spec;
  const labels = template.metadata?.labels ?? {};
  const selects = requirementsOf(selector);
  if (typeof selects === 'string') return { kind: 'invalid', message: `spec.selector: ${selects}` };
  if (!matchesLabels(selects, labels))
    return { kind: 'invalid', message: 'spec.selector: does not select the labels of spec.template.metadata.labels' };
  if (!labels[LABELS.machinePool])
    return {
      kind: 'invalid',
      message: `spec.template.metadata.labels: ${LABELS.machinePool} is missing, which says which Nodes its Machines get`,
    };
  return { kind: 'valid', replicas, selects, maxInFlight: limitOf(spec.remediation?.maxInFlight, replicas) };
}

function requirementsOf(selector: MachineSet['spec']['selector']): readonly LabelRequirement[] | string {
  try {
    const terms = labelRequirements(selector);
    return terms.length > 0 ? terms : 'selects nothing. Next: set the labels of the Machines';
  } catch (error) {
    return messageOf(error);
  }
}

/** A percentage is rounded up, as Cluster API does, so that a small set can still be remediated. */
function limitOf(limit: number | string | undefined, replicas: number): number | undefined {
  if (limit === undefined || typeof limit === 'number') return limit;
  return Math.ceil((Number.parseInt(limit, 10) * replicas) / 100);
}
