import type { MachineSet } from '../../../api/machine-set/machine-set.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { Draft } from '../../../api/meta.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { FINALIZERS, LABELS } from '../../../api/well-known.ts';
import { ownerReference } from '../../../kube/objects/owner-references.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';

/** The number of Machines created in one pass; the next pass continues. */
const MAX_PER_PASS = 100;

/**
 * One after the other, by number. If a later number was created while the request for an earlier one is delayed, the next count would create
 * yet another number, and the one that was delayed would be one too many.
 */
const CREATION_ORDER = 'new Machines';

/** The Machines to create for a set. */
export interface Made {
  /** The highest number that a Machine of the set is known to have had. */
  readonly created: number;
  readonly effects: readonly Effect[];
}

export interface Fleet {
  readonly machines: readonly Machine[];
  readonly missing: number;
  /** Names in use; undefined where no Machine may be created. */
  readonly names: ReadonlySet<string> | undefined;
}

/**
 * Creates what is missing. A number is recorded in status once its Machine was seen, which is long before it can be replaced: no name is given twice,
 * and if the server refuses to create one, nothing changes, so that nothing wakes the set before its time.
 */
export function planNewMachines(set: MachineSet, { machines, missing, names }: Fleet): Made {
  const created = machines.reduce((highest, machine) => Math.max(highest, numberOf(set, machine)), set.status?.created ?? 0);
  if (!names) return { created, effects: [] };
  const numbers: number[] = [];
  for (let number = created + 1; numbers.length < Math.min(missing, MAX_PER_PASS); number++)
    if (!names.has(nameOf(set, number))) numbers.push(number);
  return { created, effects: numbers.map((number) => made(set, number)) };
}

const made = (set: MachineSet, number: number): Effect => ({
  kind: 'Create',
  resource: Machine,
  object: machineOf(set, number),
  series: CREATION_ORDER,
});

const nameOf = ({ metadata }: MachineSet, number: number): string => `${metadata.name}-${number}`;

/** The number in the name of a Machine; 0 where the name is not one that the set generates. */
function numberOf(set: MachineSet, { metadata: { name } }: Machine): number {
  const [, digits = '0'] = /-([1-9]\d{0,14})$/.exec(name) ?? [];
  return name === nameOf(set, Number(digits)) ? Number(digits) : 0;
}

function machineOf(set: MachineSet, number: number): Draft<Machine> {
  const { metadata, spec } = set;
  const { template, clusterName = template.spec.clusterName } = spec;
  return {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: {
      name: nameOf(set, number),
      namespace: metadata.namespace ?? '',
      labels: {
        ...template.metadata?.labels,
        ...(metadata.name.length <= LONGEST_LABEL && { [LABELS.setName]: metadata.name }),
        ...(clusterName !== undefined && { [LABELS.clusterName]: clusterName }),
      },
      ...(template.metadata?.annotations && { annotations: template.metadata.annotations }),
      // From its creation on: a Machine must not be gone without a drain.
      finalizers: [FINALIZERS.machineLifecycle],
      ownerReferences: [ownerReference({ ...set, apiVersion: apiVersionOf(Machine) }, { controller: true, blockOwnerDeletion: false })],
    },
    spec: { ...template.spec, ...(clusterName !== undefined && { clusterName }) },
  };
}

const LONGEST_LABEL = 63;
