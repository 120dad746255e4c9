import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { given, messageOf } from '../../base/index.ts';
import type { LabelSelector } from '../../kube/meta.ts';
import { formatLabelSelector, labelRequirements } from '../../kube/selectors/index.ts';
import type { MachineCheck } from '../contract/index.ts';
import { conditionView } from './machine-view.ts';

/** A MachineHealthCheck with its counts. */
export function machineCheckView({ metadata, spec, status = {} }: MachineHealthCheck): MachineCheck {
  const { remediations = [], storm } = status;
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    uid: metadata.uid,
    version: metadata.resourceVersion,
    selector: selectorText(spec.selector),
    ...countsIn(status),
    ...stateIn(status),
    remediations: remediations.map(({ machine, since }) => ({ machine, since })),
    ...given({ cluster: spec.clusterName, limit: limitText(spec), storm: storm && { since: storm.since } }),
  };
}

/** Definitions of Cluster API take any operator: a check that no controller can follow must not hide the others. */
function selectorText(selector: LabelSelector): string {
  try {
    return formatLabelSelector(labelRequirements(selector));
  } catch (error) {
    return `invalid: ${messageOf(error)}`;
  }
}

type Status = NonNullable<MachineHealthCheck['status']>;

const countsIn = ({ expectedMachines: expected = 0, currentHealthy: healthy = 0, remediationsAllowed = 0 }: Status) => ({
  expected,
  healthy,
  remediationsAllowed,
});

function stateIn(status: Status) {
  const conditions = (status.conditions ?? []).map(conditionView);
  const allowed = conditions.find(({ type }) => type === 'RemediationAllowed') ?? { status: 'Unknown' as const };
  const paused = conditions.some((one) => one.type === 'Paused' && one.status === 'True');
  const why = allowed.status !== 'True' && 'message' in allowed ? { message: allowed.message } : {};
  return { conditions, allowed: allowed.status, paused, ...why };
}

/** As it is written, in any of the spellings; a range wins over a number. */
function limitText({ remediation, unhealthyRange, maxUnhealthy }: MachineHealthCheck['spec']): string | undefined {
  const { unhealthyInRange, unhealthyLessThanOrEqualTo } = remediation?.triggerIf ?? {};
  const written = unhealthyInRange ?? unhealthyRange ?? unhealthyLessThanOrEqualTo ?? maxUnhealthy;
  return written === undefined ? undefined : String(written);
}
