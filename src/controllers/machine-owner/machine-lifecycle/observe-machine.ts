import { ConfigMap, Node, Pod } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import { LABELS } from '../../../api/well-known.ts';
import type { Listed, Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { ledgerKey, readLedger, type Ledger } from '../../budget/index.ts';
import { clusterOfMachine } from '../../machine-health/targets/cluster-of-machine.ts';
import type { TargetCluster } from '../../machine-health/targets/target.ts';
import type { Settings } from '../../settings.ts';
import { BY_POOL, freeNodes } from './free-nodes.ts';
import { claimOn, claimText, isKept, isLeaving, isOfControlPlane, isPaused, poolOf } from '../machine-state.ts';
import type { Provider } from './provider.ts';

/** Everything that a decision about a Machine's lifecycle is based on. */
export type LifecycleSeen = { readonly object: Machine; readonly settings: Settings; readonly provider: Provider } & (
  | { readonly kind: 'none of ours' }
  /** In which cluster it is cannot be read. */
  | { readonly kind: 'unsure' }
  | {
      readonly kind: 'staying';
      /** Its Node, from the cache; undefined where it has none. */
      readonly node: Read<Node> | undefined;
      /** Nodes that it may claim; read only where it has none. */
      readonly free: Listed<Node>;
    }
  | {
      readonly kind: 'leaving';
      /** The cluster of its Node: a Node of another cluster is not changed. */
      readonly cluster: TargetCluster;
      /** Its Node, from a live read; absent also where it never had one. */
      readonly node: Read<Node>;
      readonly pods: Listed<Pod>;
      readonly instance: Read<KubeObject>;
      readonly ledger: Ledger;
    }
);

const NONE = { kind: 'value', value: [] } as const;

/** Reads a Machine with everything that its next step depends on. */
export const observeMachineLifecycle =
  (settings: () => Settings, provider: Provider) =>
  async (key: ObjectKey, reader: Reader): Promise<LifecycleSeen | undefined> => {
    const found = reader.get(Machine, key);
    if (found.kind !== 'value') return undefined;
    const seen = { object: found.value, settings: settings(), provider };
    if (!isOurs(found.value)) return { ...seen, kind: 'none of ours' };
    const cluster = clusterOfMachine(found.value, reader);
    if (isLeaving(found.value)) return readLeaving({ ...seen, cluster }, reader);
    if (cluster.kind === 'local') return readStaying(seen, reader);
    return { ...seen, kind: cluster.kind === 'unknown' ? 'unsure' : 'none of ours' };
  };

/** Only Machines of a pool that are neither in the control plane nor paused. A Machine with Sickbay's finalizer is always taken down. */
const isOurs = (machine: Machine): boolean =>
  !isPaused(machine) && (isLeaving(machine) ? isKept(machine) : poolOf(machine) !== undefined && !isOfControlPlane(machine));

type Common = Pick<LifecycleSeen, 'object' | 'settings' | 'provider'>;

async function readStaying(seen: Common, reader: Reader): Promise<LifecycleSeen> {
  const { object } = seen;
  const name = nodeName(object, reader.list(Node, { index: BY_POOL, value: poolOf(object) ?? '' }));
  if (name.kind === 'absent') return { ...seen, kind: 'staying', node: undefined, free: await freeNodes(object, reader) };
  const node = name.kind === 'value' ? reader.get(Node, { namespace: '', name: name.value }) : name;
  return { ...seen, kind: 'staying', node, free: NONE };
}

/** The Node that status names, or that the Machine claimed without having it recorded yet. */
function nodeName(machine: Machine, listed: Listed<Node>): Read<string> {
  const named = machine.status?.nodeRef?.name ?? '';
  if (named !== '') return { kind: 'value', value: named };
  if (listed.kind === 'unreadable') return listed;
  const taken = listed.value.find((node) => claimOn(node) === claimText(machine));
  return taken ? { kind: 'value', value: taken.metadata.name } : { kind: 'absent' };
}

/** Steps that cannot be undone are based on live reads. */
async function readLeaving(seen: Common & { readonly cluster: TargetCluster }, reader: Reader): Promise<LifecycleSeen> {
  const { object, settings, provider } = seen;
  const name = nodeName(object, await nodesOfPool(object, reader));
  const node = name.kind === 'value' ? ofMachine(await reader.fetch(Node, { namespace: '', name: name.value }), object) : name;
  const pods = node.kind === 'value' ? await reader.fetchList(Pod, { fieldSelector: `spec.nodeName=${node.value.metadata.name}` }) : NONE;
  const instance = await provider.look(object, node, reader);
  const ledger = readLedger(await reader.fetch(ConfigMap, ledgerKey(settings.namespace)));
  return { ...seen, kind: 'leaving', node, pods, instance, ledger };
}

/** Read only where the Machine names no Node. It may have claimed one that the cache does not show yet, which would be orphaned. */
async function nodesOfPool(machine: Machine, reader: Reader): Promise<Listed<Node>> {
  const pool = poolOf(machine);
  if (pool === undefined || machine.status?.nodeRef?.name) return NONE;
  return reader.fetchList(Node, { labelSelector: `${LABELS.machinePool}=${pool}` });
}

/** A Node that another Machine claimed, or that only has the name of its former Node, is not its Node. */
function ofMachine(found: Read<Node>, machine: Machine): Read<Node> {
  if (found.kind !== 'value') return found;
  const { uid } = machine.status?.nodeRef ?? {};
  const isOther = claimOn(found.value) !== claimText(machine) || (uid !== undefined && uid !== found.value.metadata.uid);
  return isOther ? { kind: 'absent' } : found;
}
