import { Node } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { ObjectKey } from '../../../api/meta.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Listed, Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { evaluationStatusOf, type Definitions, type EvaluationStatus } from '../../machine-health/index.ts';
import type { Settings } from '../../settings.ts';
import { locateMachine } from '../locate-machine.ts';
import { fingerprintOfNode } from './draft-request.ts';

/** All that a decision about a PipelineRemediation rests on: what others did since is the server's word. */
export interface PipelineSeen {
  readonly object: PipelineRemediation;
  readonly settings: Settings;
  /** Sickbay's own account. */
  readonly account: string;
  /** The Machine of the same name, whether or not the request is owned by it. */
  readonly machine: Read<Machine>;
  /** Why the Machine's Node is not, or may not be, in this cluster; undefined when it is. */
  readonly elsewhere?: string;
  /** Whether a check still evaluates the Machine's health; not read where there is no Machine. */
  readonly renewal?: EvaluationStatus;
  /** Absent also where no Node is named. */
  readonly node: Read<Node>;
  /** All RemediationRequests about the Node, of whatever origin. */
  readonly requests: Listed<RemediationRequest>;
}

export interface PipelineContext {
  readonly settings: Settings;
  readonly account: string;
  /** Whether a Cluster object represents the local cluster; undefined while that is not known. */
  isLocalCluster(cluster: ObjectKey): boolean | undefined;
  /** Which controller's MachineHealthChecks evaluate Machines. */
  readonly definitions: Definitions;
}

export async function observe(
  key: ObjectKey,
  reader: Reader,
  { isLocalCluster, definitions, ...around }: PipelineContext,
): Promise<PipelineSeen | undefined> {
  const found = reader.get(PipelineRemediation, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const machine = await reader.fetch<Machine>(Machine, key);
  const elsewhere = machine.kind === 'value' ? await whyElsewhere(machine.value, reader, isLocalCluster) : undefined;
  const renewal = machine.kind === 'value' ? await evaluationStatusOf(machine.value, reader, definitions) : undefined;
  const name = nodeNameOf(object, machine, elsewhere);
  const seen = { object, machine, ...(elsewhere !== undefined && { elsewhere }), ...(renewal && { renewal }), ...around };
  if (name === undefined) return { ...seen, node: { kind: 'absent' }, requests: { kind: 'value', value: [] } };
  const fieldSelector = `spec.signalFingerprint=${fingerprintOfNode(name, around.settings)}`;
  const [node, requests] = await Promise.all([
    reader.fetch(Node, { namespace: '', name }),
    reader.fetchList<RemediationRequest>(RemediationRequest, { namespace: around.settings.namespace, fieldSelector }),
  ]);
  return { ...seen, node, requests };
}

/** The Node that remediation started on stays the target, also when the Machine is gone. */
const nodeNameOf = ({ status }: PipelineRemediation, machine: Read<Machine>, elsewhere: string | undefined): string | undefined =>
  status?.nodeName ?? (machine.kind === 'value' && elsewhere === undefined ? machine.value.status?.nodeRef?.name || undefined : undefined);

/** A Node of another cluster must not be confused with a local Node of the same name. */
async function whyElsewhere(
  machine: Machine,
  reader: Reader,
  isLocalCluster: PipelineContext['isLocalCluster'],
): Promise<string | undefined> {
  const location = await locateMachine(machine, reader, isLocalCluster);
  if (location.kind === 'unreadable') return location.reason;
  return location.kind === 'local'
    ? undefined
    : `its Node is in cluster ${location.cluster.name}, and RemediationRequests are for Nodes of this cluster`;
}
