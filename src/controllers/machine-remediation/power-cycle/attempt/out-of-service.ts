import { Node, type Pod } from '../../../../api/builtin/index.ts';
import type { Effect } from '../../../../runtime/reconcile/controller.ts';
import type { NodeSeen } from '../observed.ts';

/**
 * Tells Kubernetes that a Node is shut down for certain: its pods are deleted and its volumes detached at once, so that they can start
 * elsewhere. Set on a Node that still runs, it would let them run twice.
 */
const KEY = 'node.kubernetes.io/out-of-service';
const EFFECT = 'NoExecute';

/** By this a taint is known as ours. */
const VALUE = 'sickbay-power-cycle';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

const taintsOf = ({ spec }: Node): readonly Taint[] => spec?.taints ?? [];
const isOutOfService = ({ key, effect }: Taint): boolean => key === KEY && effect === EFFECT;
const isOurs = (taint: Taint): boolean => isOutOfService(taint) && taint.value === VALUE;

/** Whether it is marked, by us or by anybody else. */
export const isMarked = (node: Node): boolean => taintsOf(node).some(isOutOfService);

/** Whether its kubelet reports, be it that it is ill: then its host is not off, whatever is said of the host. */
export const isReporting = (node: Node): boolean => ['True', 'False'].includes(readyOf(node) ?? '');

/** Whether Kubernetes has not heard of it for so long that it says so. No kubelet writes that of itself. */
export const isSilent = (node: Node): boolean => readyOf(node) === 'Unknown';

const readyOf = ({ status }: Node): string | undefined => status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Marks it. */
export const mark = (node: Node): Effect => taint(node, [...taintsOf(node), { key: KEY, value: VALUE, effect: EFFECT }]);

/** Takes our mark off, and nobody else's. */
export function unmark(seen: NodeSeen): readonly Effect[] {
  if (seen.kind !== 'there' || !taintsOf(seen.node).some(isOurs)) return [];
  return [
    taint(
      seen.node,
      taintsOf(seen.node).filter((one) => !isOurs(one)),
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

/** Whether the pod has to leave a Node that is out of service. Those that the kubelet runs by itself are only shown. */
export const mustLeave = ({ metadata, spec, status }: Pod): boolean =>
  !('kubernetes.io/config.mirror' in (metadata.annotations ?? {})) &&
  status?.phase !== 'Succeeded' &&
  status?.phase !== 'Failed' &&
  !(spec.tolerations ?? []).some(tolerates);

function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: NonNullable<Pod['spec']['tolerations']>[number]): boolean {
  if (effect !== '' && effect !== EFFECT) return false;
  if (operator === 'Exists') return key === '' || key === KEY;
  return key === KEY && value === VALUE;
}
