import { Node, Pod } from '../../../api/builtin/index.ts';
import type { KubeObject, LabelSelector } from '../../../api/meta.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Instant } from '../../../base/index.ts';
import type { Listed, Read } from '../../../kube/client/read.ts';
import { formatLabelSelector, labelRequirements } from '../../../kube/selectors/index.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { desiredReplicas, scoreHealth } from '../../effectiveness/health-of-targets.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { targetAddress, targetText, type Target } from '../../target/index.ts';

/** A target and its pods, from a live read. */
export interface SeenHealth {
  readonly target: Target;
  readonly object: Read<KubeObject>;
  /** Undefined where the target has no pods of its own. */
  readonly pods: Listed<Pod> | undefined;
}

/** Whether a target is healthy. `unknown`: it could not be read, or Sickbay cannot judge the health of its kind. */
export interface TargetHealth {
  readonly kind: 'healthy' | 'unhealthy' | 'gone' | 'unknown';
  /** For people: what was seen. */
  readonly message: string;
}

/** The kinds whose pods are found by their selector. */
const WITH_SELECTOR: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];

/** What the signal is about and, where the analysis found another cause, that too. */
const targetsOf = ({ spec, status }: RemediationRequest): readonly Target[] => {
  const all = [spec.targetResource, ...(status?.remediationTarget ? [status.remediationTarget] : [])];
  return all.filter((target, i) => all.findIndex((other) => targetText(other) === targetText(target)) === i);
};

/** Reads what the health of the targets is judged by from the server: a cache may show pods of a minute ago. */
export const readHealth = (reader: Reader, request: RemediationRequest): Promise<readonly SeenHealth[]> =>
  Promise.all(targetsOf(request).map((target) => readOne(reader, target)));

async function readOne(reader: Reader, target: Target): Promise<SeenHealth> {
  const address = targetAddress(target);
  if (!address) return { target, object: { kind: 'unreadable', reason: `${target.kind} is not a kind that can be read` }, pods: undefined };
  const object = await reader.fetch(address.resource, address.key);
  return { target, object, pods: object.kind === 'value' ? await readPods(reader, object.value) : undefined };
}

async function readPods(reader: Reader, object: KubeObject): Promise<Listed<Pod> | undefined> {
  if (object.kind === Pod.kind) return { kind: 'value', value: [object as Pod] };
  if (!WITH_SELECTOR.includes(object.kind)) return undefined;
  const { selector } = (object as KubeObject & { readonly spec: { readonly selector: LabelSelector } }).spec;
  return reader.fetchList(Pod, {
    namespace: object.metadata.namespace ?? '',
    labelSelector: formatLabelSelector(labelRequirements(selector)),
  });
}

/** The health of all targets together: the first that is not healthy decides. A restart since `since` is not healthy. */
export function judgeTargets(seen: readonly SeenHealth[], since: Instant): TargetHealth {
  const all = seen.map((one) => judgeOne(one, since));
  const worst = all.find(({ kind }) => kind !== 'healthy' && kind !== 'gone') ?? all.find(({ kind }) => kind === 'gone') ?? all[0];
  return worst ?? { kind: 'unknown', message: 'its target was not read' };
}

function judgeOne({ target, object, pods }: SeenHealth, since: Instant): TargetHealth {
  const name = describeTarget(target);
  const said = (kind: TargetHealth['kind'], what: string): TargetHealth => ({ kind, message: `${name} ${what}` });
  if (object.kind === 'absent') return said('gone', 'no longer exists');
  if (object.kind === 'unreadable') return said('unknown', `cannot be read: ${object.reason}`);
  if (object.value.metadata.deletionTimestamp !== undefined) return said('gone', 'is being deleted');
  if (target.kind === Node.kind) return judgeNode(object.value as Node, said);
  if (!pods) return said('unknown', `is of a kind whose health Sickbay cannot judge`);
  if (pods.kind === 'unreadable') return said('unknown', `has pods that cannot be read: ${pods.reason}`);
  const { score, message } = scoreHealth({ desired: desiredReplicas(object.value), pods: pods.value, since });
  return score === 1 ? said('healthy', `is healthy (${message})`) : said('unhealthy', `is not healthy (${message})`);
}

/** The conditions of a Node that say that it is short of something. */
const PRESSURES: readonly string[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];

function judgeNode({ spec, status }: Node, said: (kind: TargetHealth['kind'], what: string) => TargetHealth): TargetHealth {
  const conditions = status?.conditions ?? [];
  const isReady = conditions.some(({ type, status: holds }) => type === 'Ready' && holds === 'True');
  const pressure = conditions.find(({ type, status: holds }) => PRESSURES.includes(type) && holds === 'True');
  if (!isReady) return said('unhealthy', 'is not Ready');
  if (pressure) return said('unhealthy', `has the condition ${pressure.type}`);
  return spec?.unschedulable === true ? said('unhealthy', 'is cordoned') : said('healthy', 'is Ready');
}
