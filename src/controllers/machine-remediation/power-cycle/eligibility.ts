import { isControlPlaneNode } from '../../../kube/builtin/index.ts';
import { failsHealthCheck, isControlPlaneMachine, isDeleting, pauseAnnotationOf } from '../../../api/machine/machine-state.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyOf, keyText } from '../../../api/meta.ts';
import { CLUSTER_API } from '../../../api/parts/group.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Read } from '../../../kube/client/read.ts';
import { otherRemediator } from '../../machine-health/requests/claim.ts';
import type { Eligibility, IneligibleReason, ObservedNode } from './observed.ts';

/** Whether the Machine of a request may be power-cycled. Rules about its Node are checked only where the Node is given. */
export function eligibilityOf(request: PowerCycleRemediation, read: Read<Machine>, node?: ObservedNode): Eligibility {
  const name = `Machine ${keyText(keyOf(request))}`;
  if (read.kind === 'unreadable') return { kind: 'unreadable', reason: `${name} cannot be read: ${read.reason}` };
  if (read.kind === 'absent') return ineligible('MachineMissing', `${name} does not exist: nothing is done`);
  return byMachine(request, read.value) ?? byNode(node) ?? { kind: 'eligible', machine: read.value };
}

function byMachine(request: PowerCycleRemediation, machine: Machine): Eligibility | undefined {
  const name = `Machine ${keyText(keyOf(machine))}`;
  if (!isOwnedBy(request, machine))
    return ineligible('MachineMissing', `${name} does not own this request: only requests of a MachineHealthCheck are carried out`);
  if (isDeleting(machine)) return ineligible('MachineDeleting', `${name} is being deleted: nothing is done`);
  if (isControlPlane(machine)) return controlPlane(name);
  const paused = pausedBy(request, machine);
  if (paused !== undefined) return ineligible('Paused', paused);
  if (!failsHealthCheck(machine))
    return ineligible('MachineHealthy', `${name} does not fail its health check (HealthCheckSucceeded is not False): nothing is done`);
  const another = otherRemediator(machine, request.kind);
  return another === undefined
    ? undefined
    : ineligible('AskedElsewhere', `remediation of ${name} was requested from ${another}: nothing is done`);
}

const ineligible = (reason: IneligibleReason, message: string): Eligibility => ({ kind: 'ineligible', reason, message });

const controlPlane = (name: string): Eligibility =>
  ineligible('ControlPlane', `${name} belongs to the control plane, which is never power-cycled: repair it by hand`);

const isOwnedBy = ({ metadata }: PowerCycleRemediation, { metadata: { uid, name } }: Machine): boolean =>
  (metadata.ownerReferences ?? []).some(
    (owner) => owner.kind === 'Machine' && owner.uid === uid && owner.name === name && owner.apiVersion.startsWith(`${CLUSTER_API}/`),
  );

const isControlPlane = (machine: Machine): boolean =>
  isControlPlaneMachine(machine) ||
  (machine.metadata.ownerReferences ?? []).some(({ kind, controller }) => controller === true && kind.endsWith('ControlPlane'));

function pausedBy(request: PowerCycleRemediation, machine: Machine): string | undefined {
  if (ANNOTATIONS.paused in (request.metadata.annotations ?? {})) return `the annotation ${ANNOTATIONS.paused} is set on this request`;
  const found = pauseAnnotationOf(machine);
  return found === undefined ? undefined : `the annotation ${found} is set on the Machine`;
}

function byNode(node: ObservedNode | undefined): Eligibility | undefined {
  if (node?.kind === 'unreadable') return node;
  // While its Node cannot be read, no check would report that the Machine is healthy again.
  if (node?.kind === 'other-cluster' && node.unreadable !== undefined) return { kind: 'unreadable', reason: node.unreadable };
  if (node?.kind !== 'value') return undefined;
  return isControlPlaneNode(node.value) ? controlPlane(`Node ${node.value.metadata.name}`) : undefined;
}
