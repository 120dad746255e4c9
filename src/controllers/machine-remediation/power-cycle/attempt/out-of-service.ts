import { isFinishedPod, isMirrorPod } from '../../../../kube/builtin/pod-state.ts';
import { Node, type Pod } from '../../../../kube/builtin/index.ts';
import type { Effect } from '../../../../runtime/reconcile/controller.ts';
import type { ObservedNode } from '../observed.ts';

/**
 * The taint that declares a Node shut down: Kubernetes then deletes its pods and detaches its volumes at once, so that they can start elsewhere.
 * On a Node that still runs it would make them run twice.
 */
const KEY = 'node.kubernetes.io/out-of-service';
const EFFECT = 'NoExecute';

/** Distinguishes our taint from an operator's. */
const VALUE = 'sickbay-power-cycle';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

const taintsOf = ({ spec }: Node): readonly Taint[] => spec?.taints ?? [];
const isOutOfServiceTaint = ({ key, effect }: Taint): boolean => key === KEY && effect === EFFECT;
const isOurs = (taint: Taint): boolean => isOutOfServiceTaint(taint) && taint.value === VALUE;

/** Whether the Node has the taint, from Sickbay or from an operator. */
export const isOutOfService = (node: Node): boolean => taintsOf(node).some(isOutOfServiceTaint);

/** Whether its kubelet reports, healthy or not: then its host is not off, whatever the management controller reports. */
export const isKubeletReporting = (node: Node): boolean => ['True', 'False'].includes(readyOf(node) ?? '');

/** Whether Kubernetes has not heard from the kubelet for so long that it set Ready to Unknown. A kubelet never sets that itself. */
export const isKubeletSilent = (node: Node): boolean => readyOf(node) === 'Unknown';

const readyOf = ({ status }: Node): string | undefined => status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Declares the Node shut down. */
export const taintNode = (node: Node): Effect => taint(node, [...taintsOf(node), { key: KEY, value: VALUE, effect: EFFECT }]);

/** Removes Sickbay's taint, and never an operator's. */
export function untaintNode(seen: ObservedNode): readonly Effect[] {
  if (seen.kind !== 'value' || !taintsOf(seen.value).some(isOurs)) return [];
  return [
    taint(
      seen.value,
      taintsOf(seen.value).filter((one) => !isOurs(one)),
    ),
  ];
}

const taint = ({ metadata }: Node, value: readonly Taint[]): Effect => ({
  kind: 'Patch',
  resource: Node,
  key: { namespace: '', name: metadata.name },
  uid: metadata.uid,
  resourceVersion: metadata.resourceVersion,
  operations: [{ op: 'add', path: '/spec/taints', value }],
});

/** Whether the pod has to terminate on a Node that is out of service. */
export const mustTerminate = (pod: Pod): boolean =>
  !isMirrorPod(pod) && !isFinishedPod(pod) && !(pod.spec.tolerations ?? []).some(tolerates);

function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: NonNullable<Pod['spec']['tolerations']>[number]): boolean {
  if (effect !== '' && effect !== EFFECT) return false;
  if (operator === 'Exists') return key === '' || key === KEY;
  return key === KEY && value === VALUE;
}
