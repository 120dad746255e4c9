import { isCordoned, type Container, type Node, type PodSpec } from '../../api/builtin/index.ts';
import { thousandths } from '../../base/quantity.ts';

/** A node and what runs on it. */
export interface Candidate {
  readonly node: Node;
  readonly pods: readonly PodSpec[];
}

/** The node that takes the pod, or why none does, in the words of the scheduler. */
export type Placement = { readonly node: string } | { readonly refusal: string };

/** Chooses the node with the fewest pods among those that can take the pod. */
export function place(pod: PodSpec, candidates: readonly Candidate[]): Placement {
  const judged = candidates.map((candidate) => ({ candidate, objections: objectionsOf(pod, candidate) }));
  const open = judged.filter(({ objections }) => objections.length === 0).map(({ candidate }) => candidate);
  const [best] = open.toSorted((a, b) => a.pods.length - b.pods.length || (a.node.metadata.name < b.node.metadata.name ? -1 : 1));
  if (best) return { node: best.node.metadata.name };
  return { refusal: refusalOf(judged.map(({ objections }) => objections)) };
}

/** The scheduler names each reason with the number of nodes that it keeps the pod from. */
function refusalOf(objections: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const reason of objections.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return `0/${objections.length} nodes are available${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}.`;
}

function objectionsOf(pod: PodSpec, candidate: Candidate): readonly string[] {
  const { node } = candidate;
  if (isCordoned(node)) return ['node(s) were unschedulable'];
  const taint = node.spec?.taints?.find((one) => /^No(Schedule|Execute)$/.test(one.effect) && !tolerates(pod, one));
  if (taint) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  if (!isSelected(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  return RESOURCES.filter((name) => !fits(pod, candidate, name)).map((name) => `Insufficient ${name}`);
}

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

const tolerates = ({ tolerations = [] }: PodSpec, taint: Taint): boolean =>
  tolerations.some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (key === undefined || key === taint.key) &&
      (effect === undefined || effect === taint.effect) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );

const isSelected = ({ nodeSelector = {} }: PodSpec, { metadata }: Node): boolean =>
  Object.entries(nodeSelector).every(([name, value]) => metadata.labels?.[name] === value);

const RESOURCES = ['cpu', 'memory'] as const;
type ResourceName = (typeof RESOURCES)[number];

function fits(pod: PodSpec, { node, pods }: Candidate, name: ResourceName): boolean {
  const room = thousandths(node.status?.allocatable?.[name]);
  const wanted = requestOf(pod, name);
  return room === undefined || wanted === 0n || pods.reduce((sum, one) => sum + requestOf(one, name), wanted) <= room;
}

const requestOf = ({ containers }: PodSpec, name: ResourceName): bigint =>
  containers.reduce((sum, container) => sum + containerRequest(container, name), 0n);

const containerRequest = ({ resources }: Container, name: ResourceName): bigint =>
  thousandths(resources?.requests?.[name] ?? resources?.limits?.[name]) ?? 0n;
