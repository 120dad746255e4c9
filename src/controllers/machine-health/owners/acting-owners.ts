import type { Machine } from '../../../api/machine/machine.ts';

/** For which kinds of owners a controller is known to act. An owner that no controller acts for replaces nothing (ruling 124). */
export interface ActingOwners {
  readonly machineSets: boolean;
  readonly controlPlanes: boolean;
}

type Reference = NonNullable<Machine['metadata']['ownerReferences']>[number];

const isMachineSet = ({ kind }: Reference): boolean => kind === 'MachineSet';
const isControlPlane = ({ kind }: Reference): boolean => kind.endsWith('ControlPlane');

/** Whether the Machine has an owner of a kind that replaces Machines, whoever acts for it. */
export const hasOwnerKind = ({ metadata }: Machine): boolean =>
  (metadata.ownerReferences ?? []).some((owner) => isMachineSet(owner) || isControlPlane(owner));

/** Whether the Machine has an owner that replaces it: of such a kind, and with a controller that is known to act. */
export const hasActingOwner = ({ metadata }: Machine, acting: ActingOwners): boolean =>
  (metadata.ownerReferences ?? []).some(
    (owner) => (acting.machineSets && isMachineSet(owner)) || (acting.controlPlanes && isControlPlane(owner)),
  );
