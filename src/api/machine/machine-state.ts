import type { KubeObject } from '../meta.ts';
import { ANNOTATIONS, LABELS } from '../well-known.ts';
import type { Machine } from './machine.ts';

/** What a Machine says about itself. Every controller that acts on Machines reads it here. */

export const isDeleting = ({ metadata }: Pick<KubeObject, 'metadata'>): boolean => metadata.deletionTimestamp !== undefined;

/** Whether its MachineHealthCheck reports that it fails. A Machine without the condition does not fail. */
export const failsHealthCheck = (machine: Machine): boolean => healthOf(machine) === 'False';

const healthOf = ({ status }: Machine): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'HealthCheckSucceeded')?.status;

/** Whether the Machine itself is labelled as part of the control plane. Its owners and its Node may say so too. */
export const isControlPlaneMachine = ({ metadata }: Machine): boolean => LABELS.controlPlane in (metadata.labels ?? {});

/** The annotation by which an operator excludes the Machine from remediation; undefined where there is none. */
export const pauseAnnotationOf = ({ metadata }: Machine): string | undefined =>
  [ANNOTATIONS.paused, ANNOTATIONS.skipRemediation].find((annotation) => annotation in (metadata.annotations ?? {}));
