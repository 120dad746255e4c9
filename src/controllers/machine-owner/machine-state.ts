import type { Node } from '../../api/builtin/index.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { ANNOTATIONS, FINALIZERS, LABELS } from '../../api/well-known.ts';
import { MACHINE_DELETING, conditionOf } from '../machine-health/conditions/cluster-api-conditions.ts';

const says = ({ status = {} }: Machine, type: 'HealthCheckSucceeded' | 'OwnerRemediated'): string | undefined =>
  conditionOf(status, type)?.status;

export const isLeaving = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;

/** Whether it fails its health check and its owner is requested to replace it: both are required. Only conditions of the new style count. */
export const isToBeReplaced = (machine: Machine): boolean =>
  says(machine, 'HealthCheckSucceeded') === 'False' && says(machine, 'OwnerRemediated') === 'False';

/** Whether its replacement is still requested although it is healthy again. */
export const isHealthyAgain = (machine: Machine): boolean =>
  says(machine, 'HealthCheckSucceeded') === 'True' && says(machine, 'OwnerRemediated') === 'False';

export const isFailing = (machine: Machine): boolean => says(machine, 'HealthCheckSucceeded') === 'False';

/** Whether its owner has started to replace it. */
export const isBeingReplaced = ({ status = {} }: Machine): boolean => conditionOf(status, 'OwnerRemediated')?.reason === MACHINE_DELETING;

/** The pool that its Node comes from; undefined where Sickbay provides none. An empty label names no pool. */
export const poolOf = ({ metadata }: Machine | Node): string | undefined => metadata.labels?.[LABELS.machinePool] || undefined;

/**
 * Whether a Node is in the Machine's pool: an operator who removes the label, or gives the pool to another namespace, excludes the Node from
 * changes by Sickbay.
 */
export const isOfItsPool = (machine: Machine, node: Node): boolean =>
  poolOf(machine) !== undefined &&
  poolOf(node) === poolOf(machine) &&
  (namespaceOf(node) === undefined || namespaceOf(node) === machine.metadata.namespace);

/**
 * Whether a Machine may claim a Node: the pool must name its namespace. The label on a Machine alone decides nothing, since who may create
 * Machines in one namespace would drain pods of all others (ruling 122).
 */
export const mayClaim = (machine: Machine, node: Node): boolean =>
  isOfItsPool(machine, node) && namespaceOf(node) === machine.metadata.namespace;

const namespaceOf = ({ metadata }: Node): string | undefined => metadata.labels?.[LABELS.machinePoolNamespace] || undefined;

export const isOfControlPlane = ({ metadata }: Machine): boolean => LABELS.controlPlane in (metadata.labels ?? {});

/** Whether it is paused entirely. The annotation that only skips remediation prevents its replacement, not its lifecycle. */
export const isPaused = ({ metadata }: Machine): boolean => ANNOTATIONS.paused in (metadata.annotations ?? {});

/** Whether its finalizer requires a drain before it is gone. */
export const isKept = ({ metadata }: Machine): boolean => (metadata.finalizers ?? []).includes(FINALIZERS.machineLifecycle);

/** The claim that a Node carries. A later Machine with the same name does not match it. */
export const claimText = ({ metadata }: Machine): string => `${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid}`;

export const claimOn = ({ metadata }: Node): string | undefined => metadata.annotations?.[ANNOTATIONS.nodeClaim];

/** The Machine that a claim names; undefined for a claim that is not well-formed. */
export function claimantOf(claim: string): { readonly namespace: string; readonly name: string; readonly uid: string } | undefined {
  const [namespace = '', name = '', uid = ''] = claim.split('/');
  return name === '' || uid === '' ? undefined : { namespace, name, uid };
}
