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

/** Whom a change concerns, for one of the reconcilers: of what is watched here, and of Nodes in other clusters. */
export interface EventMapping extends WatchMapping {
  nodesElsewhere(change: NodesChange, related: Related, listed: RelatedObjects): readonly ObjectKey[];
}

/** Which Machines are looked at when something changes: those on the Node, of the cluster, in the namespace of the check. */
export function mapToMachines(isCheckedType: IsCheckedType, nodes?: WorkloadNodes): EventMapping {
  return {
    isCheckedType,
    machines: () => [],
    // A new selector may be about any Machine of its namespace.
    checks: ({ metadata }, related) => related(Machine, inNamespace(metadata.namespace)),
    nodes: onOurNode(nodes),
    clusters: (cluster, related) => related(Machine, ofCluster(keyOf(cluster))),
    nodesElsewhere: (change, related) => {
      const query = change.change === 'unseen' ? undefined : affected(change, isCheckedType);
      return query ? related(Machine, query) : [];
    },
  };
}

/** Which checks are looked at: exactly those that are about one of the Machines in question. */
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
    // Whether another check's gate is open counts where both are about a Machine.
    checks: ofNamespace,
    // An event of a Node on which there is no Machine wakes nobody.
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
 * How long a check's count may wait: nobody is handed out before its Machine says that it fails, and that wakes the check at once. Where others
 * are about the same Machines they go by its gate, which its count opens and closes.
 */
export function batchDelayOfCheck({ namespace, name }: ObjectKey, listed: RelatedObjects): number | undefined {
  const check = listed(MachineHealthCheck, inNamespace(namespace)).find(({ metadata }) => metadata.name === name);
  const isAlone = check?.status?.conditions?.some(({ type, status }) => type === 'Overlapping' && status === 'False');
  return isAlone ? BATCH_DELAY_MS : undefined;
}

const inNamespace = (namespace = ''): IndexQuery => ({ index: BY_NAMESPACE, value: namespace });
const ofCluster = (cluster: ObjectKey): IndexQuery => ({ index: BY_CLUSTER, value: keyText(cluster) });

/** Machines on a Node of our own cluster: not those of another cluster whose Node has the same name. */
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

/** The Machines that a change in another cluster is about; undefined when it says nothing that is asked for. */
function affected({ cluster, change }: NodesChange, isCheckedType: IsCheckedType): IndexQuery | undefined {
  if (typeof change === 'string') return ofCluster(cluster);
  if (change.kind === 'put' && change.before !== undefined && !checkedConditionsChanged(change.before, change.object, isCheckedType))
    return undefined;
  return { index: BY_CLUSTER_NODE, value: clusterNodeKey(cluster, change.object.metadata.name) };
}

const isAboutSome = (scope: CheckParseResult, machines: readonly Machine[]): boolean =>
  scope.kind === 'valid' && machines.some((machine) => selectsMachine(scope, machine));
