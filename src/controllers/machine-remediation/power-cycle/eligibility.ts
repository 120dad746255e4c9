import type { Machine } from '../../../api/machine/machine.ts';
import { keyOf, keyText } from '../../../api/meta.ts';
import { CLUSTER_API } from '../../../api/parts/group.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { isControlPlaneNode } from '../../../kube/builtin/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import { otherRemediator } from '../../machine-health/requests/claim.ts';
import { conditionOf } from '../../machine-health/conditions/cluster-api-conditions.ts';
import type { LeftAlone, NodeSeen, Standing } from './observed.ts';

/** Whether the Machine of a request is to be acted upon. What only its Node tells is judged where the Node is at hand. */
export function standingOf(request: PowerCycleRemediation, read: Read<Machine>, node?: NodeSeen): Standing {
  if (read.kind === 'unreadable') return { kind: 'unreadable', why: `Machine ${keyText(keyOf(request))} cannot be read: ${read.reason}` };
  if (read.kind === 'absent') return left('MachineMissing', `there is no Machine ${keyText(keyOf(request))}: nothing is done`);
  const machine = read.value;
  return whyNot(request, machine) ?? ofNode(node) ?? { kind: 'ill', machine };
}

function whyNot(request: PowerCycleRemediation, machine: Machine): Standing | undefined {
  const name = `Machine ${keyText(keyOf(machine))}`;
  if (!isOwnedBy(request, machine))
    return left('MachineMissing', `${name} does not own this request: only what a health check makes is acted upon`);
  if (machine.metadata.deletionTimestamp !== undefined) return left('MachineDeleting', `${name} is being deleted: it is left alone`);
  if (isControlPlane(machine))
    return left('ControlPlane', `${name} is of the control plane, which is never power-cycled: see to it by hand`);
  const paused = pausedBy(request, machine);
  if (paused !== undefined) return left('Paused', paused);
  const stated = machine.status && conditionOf(machine.status, 'HealthCheckSucceeded');
  if (stated?.status !== 'False') return left('MachineHealthy', `${name} does not say that it fails its health check: nothing is done`);
  const another = otherRemediator(machine, request.kind);
  return another === undefined ? undefined : left('AskedElsewhere', `${name} says that ${another} was asked to mend it: nothing is done`);
}

const left = (reason: LeftAlone, why: string): Standing => ({ kind: 'left', reason, why });

const isOwnedBy = ({ metadata }: PowerCycleRemediation, { metadata: { uid, name } }: Machine): boolean =>
  (metadata.ownerReferences ?? []).some(
    (owner) => owner.kind === 'Machine' && owner.uid === uid && owner.name === name && owner.apiVersion.startsWith(`${CLUSTER_API}/`),
  );

const isControlPlane = ({ metadata }: Machine): boolean =>
  LABELS.controlPlane in (metadata.labels ?? {}) ||
  (metadata.ownerReferences ?? []).some(({ kind, controller }) => controller === true && kind.endsWith('ControlPlane'));

function pausedBy(request: PowerCycleRemediation, machine: Machine): string | undefined {
  const on = (annotations: Readonly<Record<string, string>> | undefined, name: string): boolean => name in (annotations ?? {});
  if (on(request.metadata.annotations, ANNOTATIONS.paused)) return `the annotation ${ANNOTATIONS.paused} is on this request`;
  const found = [ANNOTATIONS.paused, ANNOTATIONS.skipRemediation].find((name) => on(machine.metadata.annotations, name));
  return found === undefined ? undefined : `the annotation ${found} is on the Machine`;
}

function ofNode(node: NodeSeen | undefined): Standing | undefined {
  if (node?.kind === 'unreadable') return node;
  // Nobody would say that the Machine is well again.
  if (node?.kind === 'elsewhere' && node.unseen !== undefined) return { kind: 'unreadable', why: node.unseen };
  if (node?.kind !== 'there') return undefined;
  if (!isControlPlaneNode(node.node)) return undefined;
  return left('ControlPlane', `Node ${node.node.metadata.name} is of the control plane, which is never power-cycled: see to it by hand`);
}
