import type { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { Draft } from '../../api/meta.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { FINALIZERS, LABELS } from '../../api/well-known.ts';
import { ownerReference } from '../../kube/owner-references.ts';
import type { Effect } from '../../runtime/controller.ts';

/** So many are made in one pass; the next one goes on. */
const AT_ONCE = 100;

/** The Machines that a set lacks. */
export interface Made {
  /** How many it has made in all, with these. */
  readonly created: number;
  readonly effects: readonly Effect[];
}

/** Makes `missing` Machines. Their numbers go on record first, so that no name is ever given twice. */
export function makeMachines(set: MachineSet, missing: number): Made {
  const { created = 0 } = set.status ?? {};
  const count = Math.min(Math.max(missing, 0), AT_ONCE);
  const effects = Array.from({ length: count }, (_, index): Effect => {
    return { kind: 'Create', resource: Machine, object: machineOf(set, created + index + 1) };
  });
  return { created: created + count, effects };
}

function machineOf(set: MachineSet, number: number): Draft<Machine> {
  const { metadata, spec } = set;
  const { template, clusterName = template.spec.clusterName } = spec;
  return {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: {
      name: `${metadata.name}-${number}`,
      namespace: metadata.namespace ?? '',
      labels: {
        ...template.metadata?.labels,
        ...(metadata.name.length <= LONGEST_LABEL && { [LABELS.setName]: metadata.name }),
        ...(clusterName !== undefined && { [LABELS.clusterName]: clusterName }),
      },
      ...(template.metadata?.annotations && { annotations: template.metadata.annotations }),
      // From the first moment on: it must not go without being drained.
      finalizers: [FINALIZERS.machineLifecycle],
      ownerReferences: [ownerReference({ ...set, apiVersion: apiVersionOf(Machine) }, { controller: true, blockOwnerDeletion: false })],
    },
    spec: { ...template.spec, ...(clusterName !== undefined && { clusterName }) },
  };
}

const LONGEST_LABEL = 63;
