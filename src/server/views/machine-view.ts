import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { pauseAnnotationOf } from '../../api/machine/machine-state.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { given } from '../../base/index.ts';
import type { MachineView } from '../contract/index.ts';

/** A Machine with its health. */
export function machineView(machine: Machine, check?: MachineHealthCheck): MachineView {
  const { metadata, spec, status = {} } = machine;
  const conditions = (status.conditions ?? []).map(conditionView);
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    uid: metadata.uid,
    version: `${metadata.resourceVersion}.${check?.metadata.resourceVersion ?? ''}`,
    excluded: pauseAnnotationOf(machine) !== undefined,
    conditions,
    ...healthIn(conditions),
    ...given({
      cluster: spec?.clusterName,
      node: status.nodeRef?.name,
      phase: status.phase,
      check: check?.metadata.name,
      remediation: remediationOf(machine, check),
    }),
  };
}

/** What its health check says; unknown where none watches it. */
function healthIn(conditions: MachineView['conditions']) {
  const found = conditions.find(({ type }) => type === 'HealthCheckSucceeded');
  if (!found) return { healthy: 'Unknown' as const };
  const { type: _type, status, ...why } = found;
  return { healthy: status, ...why };
}

/** The remediation that its check has requested. */
function remediationOf({ metadata }: Machine, check: MachineHealthCheck | undefined): MachineView['remediation'] {
  const found = check?.status?.remediations?.find(({ machine, uid }) => machine === metadata.name && uid === metadata.uid);
  if (!found) return undefined;
  const { since, request } = found;
  if (!request) return { since, by: 'its owner' };
  return { since, by: request.kind, object: { kind: request.kind, name: metadata.name, ...given({ namespace: metadata.namespace }) } };
}

type Condition = NonNullable<NonNullable<Machine['status']>['conditions']>[number];

/** A condition as the API shows it. */
export const conditionView = ({ type, status, reason, message, lastTransitionTime }: Condition): MachineView['conditions'][number] => ({
  type,
  status,
  ...given({ reason, message, since: lastTransitionTime }),
});
