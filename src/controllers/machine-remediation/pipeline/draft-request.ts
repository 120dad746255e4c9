import { nodeFaults, type Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Draft } from '../../../api/meta.ts';
import type { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { fingerprintOf } from '../../../api/remediation-request/fingerprint.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { MACHINE_FAULT, MACHINE_FAULT_LASTED, MACHINE_HEALTH } from '../../../api/remediation-request/signal-source.ts';
import type { ArrivingSignal } from '../../../api/remediation-request/suppression.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { UNCORDON } from '../../../api/remediation-request/uncordons-machine.ts';
import { isObject, toTime, type Instant } from '../../../base/index.ts';
import { conditionOf } from '../../machine-health/conditions/cluster-api-conditions.ts';
import type { Settings } from '../../settings.ts';

/** The purpose of a RemediationRequest: to remediate an unhealthy Node, or to uncordon one that is healthy again. */
export type Purpose = 'remediate' | 'uncordon';

/** Signal name and severity, unless the PipelineRemediation overrides them. */
const SIGNALS: Readonly<Record<Purpose, { readonly name: string; readonly severity: string }>> = {
  remediate: { name: 'MachineUnhealthy', severity: 'high' },
  uncordon: { name: 'MachineRecovered', severity: 'low' },
};

/** The same that an alert about the Node has, so that the two never lead to two remediations. */
export const fingerprintOfNode = (name: string, { clusterID }: Settings): string =>
  fingerprintOf({ kind: 'Node', name, namespace: '' }, clusterID);

export interface MachineRequestInput {
  readonly object: PipelineRemediation;
  readonly machine: Machine;
  readonly node: Node;
  readonly settings: Settings;
  readonly purpose: Purpose;
  readonly name: string;
}

/** The RemediationRequest for the Node of an unhealthy Machine, or of one that has recovered. */
export function draftMachineRequest(opening: MachineRequestInput, now: Instant): Draft<RemediationRequest> {
  const { object, node, settings, name, purpose } = opening;
  const { namespace, name: machine, uid } = object.metadata;
  return {
    apiVersion: apiVersionOf(RemediationRequest),
    kind: RemediationRequest.kind,
    metadata: { namespace: settings.namespace, name },
    spec: {
      signalFingerprint: fingerprintOfNode(node.metadata.name, settings),
      ...signalFields(opening, now),
      signalType: 'machine',
      signalSource: MACHINE_HEALTH,
      targetType: 'kubernetes',
      targetResource: { kind: 'Node', name: node.metadata.name, apiVersion: 'v1' },
      receivedTime: toTime(now),
      signalLabels: { ...object.spec.signalLabels, node: node.metadata.name, machine: `${namespace}/${machine}` },
      providerData: JSON.stringify({ pipelineRemediation: { namespace, name: machine, uid }, ...(purpose === UNCORDON && { purpose }) }),
      ...(object.spec.dryRun === true && { dryRun: true }),
      ...(settings.clusterID !== '' && { clusterID: settings.clusterID }),
    },
  };
}

/** The signal of the requests that remediate a Machine. */
export const signalOf = ({ spec }: Pick<PipelineRemediation, 'spec'>): ArrivingSignal => ({
  name: spec.signalName ?? SIGNALS.remediate.name,
  severity: spec.severity ?? SIGNALS.remediate.severity,
});

function signalFields({ object: { spec }, machine, node, purpose }: MachineRequestInput, now: Instant) {
  const stated = machine.status && conditionOf(machine.status, 'HealthCheckSucceeded');
  const { name, severity } = purpose === 'remediate' ? signalOf({ spec }) : SIGNALS[purpose];
  return {
    signalName: name,
    severity,
    firingTime: stated?.lastTransitionTime ?? toTime(now),
    signalAnnotations: { ...spec.signalAnnotations, ...(purpose === 'remediate' && reportOf(node, stated?.message)) },
  };
}

/** The result of the health check where the Node itself shows no fault; otherwise that the fault has lasted. The analysis could not know either. */
const reportOf = (node: Node, message = 'its Machine fails its health check') =>
  nodeFaults(node).length > 0 ? { [MACHINE_FAULT_LASTED]: 'true' } : { [MACHINE_FAULT]: message };

/** Whether it is this PipelineRemediation that opened the request. */
export function isOurs({ spec }: RemediationRequest, { metadata }: PipelineRemediation): boolean {
  if (spec.signalSource !== MACHINE_HEALTH) return false;
  const from = parsed(spec.providerData);
  return isObject(from) && isObject(from['pipelineRemediation']) && from['pipelineRemediation']['uid'] === metadata.uid;
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
