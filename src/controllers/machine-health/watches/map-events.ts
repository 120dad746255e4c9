import { Cluster, type Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, keyText, type KubeObject, type ObjectKey } from '../../../api/meta.ts';
import { SECOND } from '../../../base/index.ts';
import type { IndexQuery } from '../../../kube/cache/cache.ts';
import type { Related, RelatedObjects } from '../../../runtime/reconcile/controller.ts';
import type { NodesChange, WorkloadNodes } from '../../../workload-clusters/index.ts';
import { checkedConditionsChanged, type IsCheckedType } from '../targets/node-state.ts';
import { selectsMachine, parseCheckSelector, type CheckParseResult } from '../targets/parse-check.ts';
import { BY_CLUSTER, BY_NAMESPACE, BY_NODE_NAME, BY_CLUSTER_NODE, clusterNodeKey, type MapToKeys, type WatchMapping } from './watches.ts';

/** Which objects an event enqueues, for one of the reconcilers: events of watched objects, and of Nodes in other clusters. */
export interface EventMapping extends WatchMapping {
  nodesElsewhere(change: NodesChange, related: Related, listed: RelatedObjects): readonly ObjectKey[];
}

/** Events enqueue Machines: those on the Node, of the Cluster, or in the namespace of the check. */
export function mapToMachines(isCheckedType: IsCheckedType, nodes?: WorkloadNodes): EventMapping {
  return {
    isCheckedType,
    machines: () => [],
    // A new selector may select any Machine of its namespace.
    checks: ({ metadata }, related) => related(Machine, inNamespace(metadata.namespace)),
    nodes: onOurNode(nodes),
    clusters: (cluster, related) => related(Machine, ofCluster(keyOf(cluster))),
    nodesElsewhere: (change, related) => {
      const query = change.change === 'unseen' ? undefined : affected(change, isCheckedType);
      return query ? related(Machine, query) : [];
    },
  };
}

/** Events enqueue checks: exactly those that select one of the Machines concerned. */
export function mapToChecks(isCheckedType: IsCheckedType, nodes?: WorkloadNodes): EventMapping {
  const scopes = new WeakMap<MachineHealthCheck, CheckParseResult>();
  const scopeOf = (check: MachineHealthCheck): CheckParseResult => {
    const known = scopes.get(check) ?? parseCheckSelector(check);
    scopes.set(check, known);
    return known;
  };
  const about = (machines: readonly Machine[], listed: RelatedObjects): readonly ObjectKey[] => {
    const namespaces = new Set(machines.map(({ metadata }) => metadata.namespace));
    const checks = [...namespaces].flatMap((namespace) => listed(MachineHealthCheck, inNamespace(namespace)));
    return checks.filter((check) => isAboutSome(scopeOf(check), machines)).map(keyOf);
  };
  const ofNamespace: MapToKeys<KubeObject> = ({ metadata }, related) => related(MachineHealthCheck, inNamespace(metadata.namespace));
  const onNode = onOurNode(nodes);
  return {
    isCheckedType,
    machines: (machine, _, listed) => about([machine], listed),
    // The gate of another check counts where both select a Machine.
    checks: ofNamespace,
    // A Node without a Machine enqueues nothing.
    nodes: (node, related, listed) => {
      const keys = new Set(onNode(node, related, listed).map(keyText));
      if (keys.size === 0) return [];
      const machines = listed(Machine, { index: BY_NODE_NAME, value: node.metadata.name });
      return about(
        machines.filter((machine) => keys.has(keyText(keyOf(machine)))),
        listed,
      );
    },
    clusters: ofNamespace,
    nodesElsewhere: (change, _, listed) => {
      const query = affected(change, isCheckedType);
      return query ? about(listed(Machine, query), listed) : [];
    },
  };
}

const BATCH_DELAY_MS = 5 * SECOND;

/**
 * How long the count of a check may be delayed. No remediation is requested before the Machine is marked, and that event is not delayed.
 * Without delay where other checks select the same Machines, since they depend on this gate.
 */
export function batchDelayOfCheck({ namespace, name }: ObjectKey, listed: RelatedObjects): number | undefined {
  const check = listed(MachineHealthCheck, inNamespace(namespace)).find(({ metadata }) => metadata.name === name);
  const isAlone = check?.status?.conditions?.some(({ type, status }) => type === 'Overlapping' && status === 'False');
  return isAlone ? BATCH_DELAY_MS : undefined;
}

const inNamespace = (namespace = ''): IndexQuery => ({ index: BY_NAMESPACE, value: namespace });
const ofCluster = (cluster: ObjectKey): IndexQuery => ({ index: BY_CLUSTER, value: keyText(cluster) });

/** Machines on a local Node, without Machines of other clusters whose Node has the same name. */
const onOurNode =
  (nodes: WorkloadNodes | undefined): MapToKeys<Node> =>
  ({ metadata: { name } }, related) => {
    const named = related(Machine, { index: BY_NODE_NAME, value: name });
    const namespaces = new Set(named.map(({ namespace }) => namespace));
    const clusters = [...namespaces].flatMap((namespace) => related(Cluster, inNamespace(namespace)));
    const others = clusters.filter((cluster) => nodes?.isLocal(cluster) !== true);
    if (others.length === 0) return named;
    const away = others.flatMap((cluster) => related(Machine, { index: BY_CLUSTER_NODE, value: clusterNodeKey(cluster, name) }));
    const isAway = new Set(away.map(keyText));
    return named.filter((machine) => !isAway.has(keyText(machine)));
  };

/** The Machines that an event in another cluster concerns; undefined when no checked condition changed. */
function affected({ cluster, change }: NodesChange, isCheckedType: IsCheckedType): IndexQuery | undefined {
  if (typeof change === 'string') return ofCluster(cluster);
  if (change.kind === 'put' && change.before !== undefined && !checkedConditionsChanged(change.before, change.object, isCheckedType))
    return undefined;
  return { index: BY_CLUSTER_NODE, value: clusterNodeKey(cluster, change.object.metadata.name) };
}

const isAboutSome = (scope: CheckParseResult, machines: readonly Machine[]): boolean =>
  scope.kind === 'valid' && machines.some((machine) => selectsMachine(scope, machine));
