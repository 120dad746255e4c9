import { Machine } from '../../api/machine/machine.ts';
import { keyOf, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { Simulation } from '../../simulation/index.ts';
import { quietly, type Fleet } from './fleet.ts';
import { REMEDIES } from './kinds.ts';

const FINALIZER = 'fix.example.com/at-work';

type Stated = NonNullable<NonNullable<Machine['status']>['conditions']>[number];

export const stated = ({ status }: Machine, type: string): Stated | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

/** Fakes an external remediator: it needs time, and when its request is deleted it may have to clean up first. */
export function playRemediators(simulation: Simulation, fleet: Fleet): void {
  const { admin, mirror, random } = simulation;
  const requests = new Set<Resource>([REMEDIES.Reboot, REMEDIES.Swap]);
  mirror.onChange(({ resource, before, after }) => {
    if (!requests.has(resource) || !after) return;
    if (!before) return take(resource, after);
    if (after.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined)
      simulation.later(1_000 + random.int(30_000), 'remediator', () => letGo(resource, after));
  });
  const take = (resource: Resource, request: KubeObject): void => {
    if (random.chance(0.5)) simulation.later(100 + random.int(3_000), 'remediator', () => hold(resource, request));
    simulation.later(5_000 + random.int(40_000), 'remediator', () => act(resource, request));
  };
  const current = (resource: Resource, { metadata }: KubeObject): KubeObject | undefined => {
    const found = mirror.get(resource, { namespace: metadata.namespace ?? '', name: metadata.name });
    return found?.metadata.uid === metadata.uid ? found : undefined;
  };
  const finalizers = (resource: Resource, request: KubeObject, names: readonly string[] | null): Promise<void> =>
    quietly(admin.patch(resource, keyOf(request), { type: 'merge', body: { metadata: { uid: request.metadata.uid, finalizers: names } } }));
  const hold = async (resource: Resource, request: KubeObject): Promise<void> => {
    if (current(resource, request)?.metadata.deletionTimestamp === undefined && current(resource, request))
      await finalizers(resource, request, [FINALIZER]);
  };
  const letGo = async (resource: Resource, request: KubeObject): Promise<void> => {
    if (current(resource, request)) await finalizers(resource, request, null);
  };
  const act = async (resource: Resource, request: KubeObject): Promise<void> => {
    const found = current(resource, request);
    if (found && found.metadata.deletionTimestamp === undefined) await fleet.mend(request.metadata.name);
  };
}

/** Fakes the owner of Machines: it repairs or replaces those with a request, and clears its condition on healthy ones. */
export function playOwner(simulation: Simulation, fleet: Fleet): void {
  const { mirror, random } = simulation;
  const busy = new Set<string>();
  mirror.onChange(({ resource, after }) => {
    if (resource !== Machine || !after || busy.has(after.metadata.uid)) return;
    const machine = after as Machine;
    if (!isCheckedType(machine) && !isDone(machine)) return;
    busy.add(machine.metadata.uid);
    simulation.later(2_000 + random.int(30_000), 'owner', async () => {
      busy.delete(machine.metadata.uid);
      await look(machine);
    });
  });
  const look = async (seen: Machine): Promise<void> => {
    const machine = mirror.get(Machine, keyOf(seen));
    if (machine?.metadata.uid !== seen.metadata.uid || machine.metadata.deletionTimestamp !== undefined) return;
    if (isDone(machine)) return forget(machine);
    if (!isCheckedType(machine)) return;
    if (random.chance(0.5)) await fleet.replace(machine.metadata.name);
    else await fleet.mend(machine.metadata.name);
  };
  const forget = (machine: Machine): Promise<void> => {
    const conditions = (machine.status?.conditions ?? []).filter(({ type }) => type !== 'OwnerRemediated');
    const { resourceVersion } = machine.metadata;
    const body = { metadata: { resourceVersion }, status: { conditions } };
    return quietly(simulation.admin.patchStatus(Machine, keyOf(machine), { type: 'merge', body }));
  };
}

const hasOwner = ({ metadata }: Machine): boolean => (metadata.ownerReferences ?? []).length > 0;

const isCheckedType = (machine: Machine): boolean =>
  hasOwner(machine) &&
  stated(machine, 'HealthCheckSucceeded')?.status === 'False' &&
  stated(machine, 'OwnerRemediated')?.status === 'False';

/** As a MachineSet does: it clears the request when the Machine is healthy. */
const isDone = (machine: Machine): boolean =>
  hasOwner(machine) && stated(machine, 'HealthCheckSucceeded')?.status === 'True' && stated(machine, 'OwnerRemediated') !== undefined;
