import { isCordoned, nodeFaults, Node } from '../../../api/builtin/index.ts';
import type { Draft } from '../../../api/meta.ts';
import { activeOf } from '../../../api/remediation-request/fingerprint-state.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { MACHINE_HEALTH, NODE_RECOVERY } from '../../../api/remediation-request/signal-source.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { undoRecordOn } from '../../../api/undo-record.ts';
import { after, given, instant, MINUTE, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { Decision, Effect, Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { hasEnded } from '../end/has-ended.ts';
import type { RemediationSeen } from '../observe.ts';
import { targetOf } from '../request-target.ts';

/** A Node that a workflow may have cordoned, from a live read, and the request that uncordons it. */
export interface SeenCordon {
  readonly node: Read<Node>;
  readonly uncordoning: Read<RemediationRequest>;
}

/** How often a cordoned Node is read, and how long it must have been without a fault before it is uncordoned. */
const RECHECK_MS = MINUTE;
const HEALTHY_MS = MINUTE;

/** What has to be uncordoned later: only a drain cordons for as long as the Node is unhealthy. */
const DRAIN = 'drain-node';
const UNCORDON = 'uncordon-node';

/** By name, so that there is one at most; a person who rejects it is not asked again. */
const uncordonName = ({ metadata }: RemediationRequest): string => `rr-uncordon-${metadata.uid}`;

/** Whether the Node of an ended request is read to find out whether it stayed cordoned. Nodes of Machines are uncordoned for their Machine. */
const mayHaveCordoned = (request: RemediationRequest): boolean =>
  hasEnded(request) &&
  request.metadata.deletionTimestamp === undefined &&
  request.status?.workflowExecutionRef !== undefined &&
  targetOf(request).kind === Node.kind &&
  request.spec.signalSource !== MACHINE_HEALTH;

/** Reads the Node of an ended request that may have cordoned it; undefined for any other request. */
export async function readCordon(reader: Reader, object: RemediationRequest): Promise<SeenCordon | undefined> {
  if (!mayHaveCordoned(object)) return undefined;
  const node = await reader.fetch(Node, { namespace: '', name: targetOf(object).name });
  const namespace = object.metadata.namespace ?? '';
  return { node, uncordoning: reader.get(RemediationRequest, { namespace, name: uncordonName(object) }) };
}

/**
 * Opens a request that uncordons the Node that this request drained, once it is healthy again. No alert does: what resolved is not sent again.
 * Like any other, that request is analysed, approved by policy, and drawn from the budget.
 */
export function uncordonOnceRecovered(seen: RemediationSeen, decision: Decision, now: Instant): Decision {
  const { cordon, object } = seen;
  if (!cordon) return decision;
  const { node, uncordoning } = cordon;
  const recheck = after(now, RECHECK_MS);
  if (node.kind === 'unreadable' || uncordoning.kind === 'unreadable') return wakeBy(decision, recheck);
  if (node.kind === 'absent' || uncordoning.kind === 'value' || !isCordonedBy(object, node.value)) return decision;
  const since = healthySinceOf(node.value);
  if (since === undefined || mayBeBusy(seen)) return wakeBy(decision, recheck);
  if (now < after(since, HEALTHY_MS)) return wakeBy(decision, after(since, HEALTHY_MS));
  const create: Effect = { kind: 'Create', resource: RemediationRequest, object: uncordonRequestFor(object, { since, now }) };
  return wakeBy({ ...decision, effects: [...decision.effects, create] }, recheck);
}

const wakeBy = (decision: Decision, at: Instant): Decision => ({ ...decision, wakeAt: instant(Math.min(decision.wakeAt ?? Infinity, at)) });

/** Another request is active for the Node, or may be. */
const mayBeBusy = ({ siblings }: RemediationSeen): boolean => siblings.kind !== 'value' || activeOf(siblings.value) !== undefined;

/** Only what the run of this request cordoned: any other Node may be cordoned on purpose. */
function isCordonedBy({ status }: RemediationRequest, node: Node): boolean {
  const record = undoRecordOn(node);
  if (!isCordoned(node) || record?.workflow !== DRAIN || record.execution !== status?.workflowExecutionRef?.name) return false;
  return 'workflow' in record.undo && record.undo.workflow === UNCORDON;
}

/** When the last condition of a Node changed that has no fault now; undefined while it has one. */
function healthySinceOf(node: Node): Instant | undefined {
  if (nodeFaults(node).length > 0) return undefined;
  const changes = (node.status?.conditions ?? []).map(({ lastTransitionTime }) => parseTime(lastTransitionTime) ?? 0);
  return instant(Math.max(0, ...changes));
}

/** A request for the same Node, which stands for no alert. */
function uncordonRequestFor(
  request: RemediationRequest,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Draft<RemediationRequest> {
  const { signalFingerprint, targetType, clusterID } = request.spec;
  const { name } = targetOf(request);
  return {
    apiVersion: apiVersionOf(RemediationRequest),
    kind: RemediationRequest.kind,
    metadata: { name: uncordonName(request), namespace: request.metadata.namespace ?? '' },
    spec: {
      signalFingerprint,
      signalName: 'NodeRecovered',
      severity: 'low',
      signalType: 'node',
      signalSource: NODE_RECOVERY,
      targetType,
      targetResource: { kind: Node.kind, name, apiVersion: apiVersionOf(Node) },
      firingTime: toTime(since),
      receivedTime: toTime(now),
      signalLabels: { node: name },
      signalAnnotations: { summary: `${name} is healthy again, and still cordoned by ${request.metadata.name}` },
      ...given({ clusterID }),
    },
  };
}
