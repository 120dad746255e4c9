import type { Node } from '../../api/builtin/index.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { ANNOTATIONS, FINALIZERS, LABELS } from '../../api/well-known.ts';
import { MACHINE_DELETING, conditionOf } from '../machine-health/conditions/cluster-api-conditions.ts';

const says = ({ status = {} }: Machine, type: 'HealthCheckSucceeded' | 'OwnerRemediated'): string | undefined =>
  conditionOf(status, type)?.status;

export const isLeaving = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;

/** Whether it fails its health check and its owner was asked: nothing less lets an owner act. Only the new style counts. */
export const isToBeReplaced = (machine: Machine): boolean =>
  says(machine, 'HealthCheckSucceeded') === 'False' && says(machine, 'OwnerRemediated') === 'False';

/** Whether its owner was asked, though it is well again. */
export const isWellAgain = (machine: Machine): boolean =>
  says(machine, 'HealthCheckSucceeded') === 'True' && says(machine, 'OwnerRemediated') === 'False';

export const isFailing = (machine: Machine): boolean => says(machine, 'HealthCheckSucceeded') === 'False';

/** Whether its owner has begun to replace it. */
export const isBeingReplaced = ({ status = {} }: Machine): boolean => conditionOf(status, 'OwnerRemediated')?.reason === MACHINE_DELETING;

/** Which Nodes may become its Node; undefined where nobody here gives it one. An empty label names no pool. */
export const poolOf = ({ metadata }: Machine | Node): string | undefined => metadata.labels?.[LABELS.machinePool] || undefined;

/** Whether a Node is of the Machine's pool: whoever takes the label off a Node takes it out of our hands. */
export const isOfItsPool = (machine: Machine, node: Node): boolean => poolOf(machine) !== undefined && poolOf(node) === poolOf(machine);

export const isOfControlPlane = ({ metadata }: Machine): boolean => LABELS.controlPlane in (metadata.labels ?? {});

/** Whether somebody wants nothing at all done to it. To be taken out of remediation is less: it is never replaced then, but lives and goes like any other. */
export const isPaused = ({ metadata }: Machine): boolean => ANNOTATIONS.paused in (metadata.annotations ?? {});

/** Whether it is drained before it goes. */
export const isKept = ({ metadata }: Machine): boolean => (metadata.finalizers ?? []).includes(FINALIZERS.machineLifecycle);

/** How a Node says whose it is. A later Machine of the name is another one. */
export const claimText = ({ metadata }: Machine): string => `${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid}`;

export const claimOn = ({ metadata }: Node): string | undefined => metadata.annotations?.[ANNOTATIONS.nodeClaim];

/** Whose a Node says it is; undefined for what no Machine is called. */
export function claimantOf(claim: string): { readonly namespace: string; readonly name: string; readonly uid: string } | undefined {
  const [namespace = '', name = '', uid = ''] = claim.split('/');
  return name === '' || uid === '' ? undefined : { namespace, name, uid };
}
