import { isControlPlaneNode, type Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { judgeScope } from '../../../scope/index.ts';
import { otherRemediator } from '../../machine-health/requests/claim.ts';
import { conditionOf } from '../../machine-health/conditions/cluster-api-conditions.ts';
import type { PipelineSeen } from './observe.ts';

/** Why no RemediationRequest is created for a Machine now. */
export interface IneligibleTarget {
  /** The reason of the condition. */
  readonly reason: string;
  readonly message: string;
}

/** The Machine and the Node that may be remediated. */
export interface EligibleTarget {
  readonly machine: Machine;
  readonly node: Node;
}

/** The Machine and its Node, if both are eligible; otherwise the first objection. */
export function findEligibleNode(seen: PipelineSeen): EligibleTarget | IneligibleTarget {
  const machine = ownMachine(seen);
  if ('reason' in machine) return machine;
  const objection = MACHINE_CHECKS.map((ask) => ask(machine, seen)).find((said) => said !== undefined);
  if (objection) return objection;
  const node = theNode(machine, seen);
  return 'reason' in node ? node : { machine, node };
}

/** The Machine that owns the request, and never a later Machine with the same name. */
export function ownMachine({ object, machine }: PipelineSeen): Machine | IneligibleTarget {
  const { name, ownerReferences = [] } = object.metadata;
  if (machine.kind === 'unreadable') return { reason: 'MachineUnreadable', message: `Machine ${name} cannot be read: ${machine.reason}` };
  const found = machine.kind === 'value' ? machine.value : undefined;
  if (found && ownerReferences.some(({ kind, uid }) => kind === 'Machine' && uid === found.metadata.uid)) return found;
  return {
    reason: 'NoMachine',
    message: `no Machine ${name} owns this request, so that nothing is done: each request of a MachineHealthCheck is owned by its Machine`,
  };
}

/** Whether the Machine reports that it fails its health check. */
export const failsHealthCheck = ({ status = {} }: Machine): boolean => conditionOf(status, 'HealthCheckSucceeded')?.status === 'False';

const MACHINE_CHECKS: readonly ((machine: Machine, seen: PipelineSeen) => IneligibleTarget | undefined)[] = [
  ({ metadata }) =>
    metadata.deletionTimestamp === undefined
      ? undefined
      : { reason: 'MachineDeleting', message: `Machine ${metadata.name} is being deleted` },
  ({ metadata }) => {
    const mark = [ANNOTATIONS.paused, ANNOTATIONS.skipRemediation].find((annotation) => annotation in (metadata.annotations ?? {}));
    return mark === undefined ? undefined : { reason: 'Paused', message: `Machine ${metadata.name} has the annotation ${mark}` };
  },
  (machine) =>
    failsHealthCheck(machine)
      ? undefined
      : {
          reason: 'NotUnhealthy',
          message: `Machine ${machine.metadata.name} does not fail its health check: HealthCheckSucceeded is not False`,
        },
  (_, { renewal }) => {
    if (renewal === undefined || renewal.kind === 'renewed') return undefined;
    return { reason: renewal.kind === 'held' ? renewal.reason : 'MachineUnreadable', message: renewal.why };
  },
  (machine, { object }) => {
    const another = otherRemediator(machine, object.kind);
    return another === undefined
      ? undefined
      : { reason: 'AskedElsewhere', message: `remediation of Machine ${machine.metadata.name} was requested from ${another}` };
  },
  ({ metadata }) => (LABELS.controlPlane in (metadata.labels ?? {}) ? controlPlane(`Machine ${metadata.name}`) : undefined),
  ({ metadata }, { elsewhere }) =>
    elsewhere === undefined
      ? undefined
      : { reason: 'AnotherCluster', message: `nothing is done about Machine ${metadata.name}: ${elsewhere}` },
];

/** Sickbay has no rule for the control plane: an operator who wants more writes a workflow and a request. */
const controlPlane = (what: string): IneligibleTarget => ({
  reason: 'ControlPlane',
  message: `${what} belongs to the control plane, which is never remediated without an explicit rule: repair it by hand`,
});

function theNode({ metadata, status }: Machine, seen: PipelineSeen): Node | IneligibleTarget {
  const name = seen.object.status?.nodeName ?? status?.nodeRef?.name ?? '';
  const { node } = seen;
  if (name === '') return { reason: 'NoNode', message: `Machine ${metadata.name} has no Node that can be remediated: replace the Machine` };
  if (node.kind === 'unreadable') return { reason: 'NodeUnreadable', message: `Node ${name} cannot be read: ${node.reason}` };
  if (node.kind === 'value') return mayBeWorkedOn(node.value, seen);
  return {
    reason: 'NoNode',
    message: `Node ${name} no longer exists, so that there is nothing to remediate: replace Machine ${metadata.name}`,
  };
}

function mayBeWorkedOn(node: Node, { settings }: PipelineSeen): Node | IneligibleTarget {
  const { name } = node.metadata;
  if (isControlPlaneNode(node)) return controlPlane(`Node ${name}`);
  const read = { target: { kind: 'value', value: node }, namespace: { kind: 'absent' } } as const;
  const scope = judgeScope({ kind: 'Node', name, namespace: '' }, read, settings);
  if (scope.kind === 'in') return node;
  return { reason: 'Unmanaged', message: scope.kind === 'out' ? scope.message : scope.reason };
}
