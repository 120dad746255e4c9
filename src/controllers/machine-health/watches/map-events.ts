import { Cluster, type Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, keyText, type KubeObject, type ObjectKey } from '../../../api/meta.ts';
import { SECOND } from '../../../base/index.ts';
import type { IndexQuery } from '../../../kube/cache/cache.ts';
import type { Related, RelatedObjects } from '../../../runtime/reconcile/controller.ts';
import type { NodesChange, WorkloadNodes } from '../../../workload-clusters/index.ts';
import { saysOther, type IsAsked } from '../targets/node-state.ts';
import { isAbout, readScope, type CheckRead } from '../targets/parse-check.ts';
import { BY_CLUSTER, BY_NAMESPACE, BY_NODE, BY_PLACE, placeOf, type Keys, type Mapping } from './watches.ts';

/** Whom a change concerns, for one of the reconcilers: of what is watched here, and of Nodes in other clusters. */
export interface Waking extends Mapping {
  elsewhere(change: NodesChange, related: Related, listed: RelatedObjects): readonly ObjectKey[];
}

/** Which Machines are looked at when something changes: those on the Node, of the cluster, in the namespace of the check. */
export function machineWaking(isAsked: IsAsked, nodes?: WorkloadNodes): Waking {
  return {
    isAsked,
    machines: () => [],
    // A new selector may be about any Machine of its namespace.
    checks: ({ metadata }, related) => related(Machine, inNamespace(metadata.namespace)),
    nodes: onOurNode(nodes),
    clusters: (cluster, related) => related(Machine, ofCluster(keyOf(cluster))),
    elsewhere: (change, related) => {
      const query = change.change === 'unseen' ? undefined : affected(change, isAsked);
      return query ? related(Machine, query) : [];
    },
  };
}

/** Which checks are looked at: exactly those that are about one of the Machines in question. */
export function checkWaking(isAsked: IsAsked, nodes?: WorkloadNodes): Waking {
  const scopes = new WeakMap<MachineHealthCheck, CheckRead>();
  const scopeOf = (check: MachineHealthCheck): CheckRead => {
    const known = scopes.get(check) ?? readScope(check);
    scopes.set(check, known);
    return known;
  };
  const about = (machines: readonly Machine[], listed: RelatedObjects): readonly ObjectKey[] => {
    const namespaces = new Set(machines.map(({ metadata }) => metadata.namespace));
    const checks = [...namespaces].flatMap((namespace) => listed(MachineHealthCheck, inNamespace(namespace)));
    return checks.filter((check) => isAboutSome(scopeOf(check), machines)).map(keyOf);
  };
  const ofNamespace: Keys<KubeObject> = ({ metadata }, related) => related(MachineHealthCheck, inNamespace(metadata.namespace));
  const onNode = onOurNode(nodes);
  return {
    isAsked,
    machines: (machine, _, listed) => about([machine], listed),
    // Whether another check's gate is open counts where both are about a Machine.
    checks: ofNamespace,
    // An event of a Node on which there is no Machine wakes nobody.
    nodes: (node, related, listed) => {
      const keys = new Set(onNode(node, related, listed).map(keyText));
      if (keys.size === 0) return [];
      const machines = listed(Machine, { index: BY_NODE, value: node.metadata.name });
      return about(
        machines.filter((machine) => keys.has(keyText(keyOf(machine)))),
        listed,
      );
    },
    clusters: ofNamespace,
    elsewhere: (change, _, listed) => {
      const query = affected(change, isAsked);
      return query ? about(listed(Machine, query), listed) : [];
    },
  };
}

const COUNTS_EVERY_MS = 5 * SECOND;

/**
 * How long a check's count may wait: nobody is handed out before its Machine says that it fails, and that wakes the check at once. Where others
 * are about the same Machines they go by its gate, which its count opens and closes.
 */
export function patienceOfCheck({ namespace, name }: ObjectKey, listed: RelatedObjects): number | undefined {
  const check = listed(MachineHealthCheck, inNamespace(namespace)).find(({ metadata }) => metadata.name === name);
  const isAlone = check?.status?.conditions?.some(({ type, status }) => type === 'Overlapping' && status === 'False');
  return isAlone ? COUNTS_EVERY_MS : undefined;
}

const inNamespace = (namespace = ''): IndexQuery => ({ index: BY_NAMESPACE, value: namespace });
const ofCluster = (cluster: ObjectKey): IndexQuery => ({ index: BY_CLUSTER, value: keyText(cluster) });

/** Machines on a Node of our own cluster: not those of another cluster whose Node has the same name. */
const onOurNode =
  (nodes: WorkloadNodes | undefined): Keys<Node> =>
  ({ metadata: { name } }, related) => {
    const named = related(Machine, { index: BY_NODE, value: name });
    const namespaces = new Set(named.map(({ namespace }) => namespace));
    const clusters = [...namespaces].flatMap((namespace) => related(Cluster, inNamespace(namespace)));
    const others = clusters.filter((cluster) => nodes?.isLocal(cluster) !== true);
    if (others.length === 0) return named;
    const away = others.flatMap((cluster) => related(Machine, { index: BY_PLACE, value: placeOf(cluster, name) }));
    const isAway = new Set(away.map(keyText));
    return named.filter((machine) => !isAway.has(keyText(machine)));
  };

/** The Machines that a change in another cluster is about; undefined when it says nothing that is asked for. */
function affected({ cluster, change }: NodesChange, isAsked: IsAsked): IndexQuery | undefined {
  if (typeof change === 'string') return ofCluster(cluster);
  if (change.kind === 'put' && change.before !== undefined && !saysOther(change.before, change.object, isAsked)) return undefined;
  return { index: BY_PLACE, value: placeOf(cluster, change.object.metadata.name) };
}

const isAboutSome = (scope: CheckRead, machines: readonly Machine[]): boolean =>
  scope.kind === 'valid' && machines.some((machine) => isAbout(scope, machine));
