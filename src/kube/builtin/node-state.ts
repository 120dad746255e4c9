import type { Node, NodeCondition } from './core.ts';

/** One thing that is wrong with a Node. */
export interface NodeFault {
  readonly type: string;
  /** In words, without the name of the Node. */
  readonly text: string;
  /** Absent where the Node does not say. */
  readonly since?: string;
}

/** Conditions that are bad when they are True: those of the kubelet, of the cloud, and of the usual problem detector. */
const BAD_IF_TRUE: ReadonlySet<string> = new Set([
  'MemoryPressure',
  'DiskPressure',
  'PIDPressure',
  'NetworkUnavailable',
  'KernelDeadlock',
  'ReadonlyFilesystem',
]);

/** What a Node says itself is wrong with it; unknown conditions are ignored. Not being ready comes first. */
export function nodeFaults({ status }: Node): readonly NodeFault[] {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const bad = conditions.filter(({ type, status: holds }) => holds === 'True' && BAD_IF_TRUE.has(type));
  return [...(ready?.status === 'True' ? [] : [unready(ready)]), ...bad.map((condition) => fault(condition, `${condition.type} is True`))];
}

/** Whether a condition of this type can report a fault of a Node. */
export const canReportFault = (type: string): boolean => type === 'Ready' || BAD_IF_TRUE.has(type);

function unready(ready: NodeCondition | undefined): NodeFault {
  if (!ready) return { type: 'Ready', text: 'it has never said that it is ready' };
  return fault(ready, ready.status === 'Unknown' ? 'its kubelet does not report' : 'it is not ready');
}

function fault({ type, reason, lastTransitionTime }: NodeCondition, what: string): NodeFault {
  const text = reason === undefined || reason === '' ? what : `${what} (${reason})`;
  return { type, text, ...(lastTransitionTime !== undefined && { since: lastTransitionTime }) };
}

/** Whether the Node takes no new pods. */
export const isCordoned = ({ spec }: Node): boolean => spec?.unschedulable === true;

const CONTROL_PLANE: readonly string[] = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** As much of a Node as shows its role; where only metadata was read, its taints are not known and its labels decide. */
interface RoleOfNode {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
}

/** Whether the Node belongs to the control plane: a label or a taint of either spelling says so. The only home of this rule. */
export const isControlPlaneNode = ({ metadata, spec }: RoleOfNode): boolean =>
  CONTROL_PLANE.some((role) => metadata.labels?.[role] !== undefined || (spec?.taints ?? []).some(({ key }) => key === role));

/** Taints that the cluster sets and takes away by itself, as the state of the Node tells. */
const SET_BY_THE_CLUSTER = /^(node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io)\//;

/** The desired part of a Node: its spec without the taints that only repeat its state. */
export function wishOf({ spec }: Node): Node['spec'] {
  const { taints, ...rest } = spec ?? {};
  const wanted = (taints ?? []).filter(({ key }) => !SET_BY_THE_CLUSTER.test(key));
  return { ...rest, ...(wanted.length > 0 && { taints: wanted }) };
}
