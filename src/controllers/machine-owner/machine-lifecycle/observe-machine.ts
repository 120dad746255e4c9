import { Cluster, ConfigMap, Node, Pod } from '../../../api/builtin/index.ts';
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

/** All that a decision about a Machine's life rests on. */
export type LifeSeen = { readonly object: Machine; readonly settings: Settings; readonly provider: Provider } & (
  | { readonly kind: 'none of ours' }
  /** Nobody can tell in which cluster it is. */
  | { readonly kind: 'unsure' }
  | {
      readonly kind: 'staying';
      /** Its Node, from the cache; undefined where it has none. */
      readonly node: Read<Node> | undefined;
      /** Nodes that it may take; looked for only where it has none. */
      readonly free: Listed<Node>;
    }
  | {
      readonly kind: 'leaving';
      /** Where its Node is: nothing is done to one elsewhere. */
      readonly cluster: TargetCluster;
      /** Its Node, on the server's word; absent too where it never had one. */
      readonly node: Read<Node>;
      readonly pods: Listed<Pod>;
      readonly instance: Read<KubeObject>;
      readonly ledger: Ledger;
    }
);

const NONE = { kind: 'value', value: [] } as const;

/** Reads a Machine with what its life depends on at this point. */
export const observeMachine =
  (settings: () => Settings, provider: Provider) =>
  async (key: ObjectKey, reader: Reader): Promise<LifeSeen | undefined> => {
    const found = reader.get(Machine, key);
    if (found.kind !== 'value') return undefined;
    const seen = { object: found.value, settings: settings(), provider };
    if (!isOurs(found.value)) return { ...seen, kind: 'none of ours' };
    const cluster = clusterOfMachine(found.value, reader.list(Cluster));
    if (isLeaving(found.value)) return readLeaving({ ...seen, cluster }, reader);
    if (cluster.kind === 'local') return readStaying(seen, reader);
    return { ...seen, kind: cluster.kind === 'unreadable' ? 'unsure' : 'none of ours' };
  };

/** Only what was given a pool, is not of the control plane, and nobody paused. What has our finalizer must be able to go all the same. */
const isOurs = (machine: Machine): boolean =>
  !isPaused(machine) && (isLeaving(machine) ? isKept(machine) : poolOf(machine) !== undefined && !isOfControlPlane(machine));

type Common = Pick<LifeSeen, 'object' | 'settings' | 'provider'>;

async function readStaying(seen: Common, reader: Reader): Promise<LifeSeen> {
  const { object } = seen;
  const name = nodeName(object, reader.list(Node, { index: BY_POOL, value: poolOf(object) ?? '' }));
  if (name.kind === 'absent') return { ...seen, kind: 'staying', node: undefined, free: await freeNodes(poolOf(object) ?? '', reader) };
  const node = name.kind === 'value' ? reader.get(Node, { namespace: '', name: name.value }) : name;
  return { ...seen, kind: 'staying', node, free: NONE };
}

/** The Node that it names, or took without having it written down yet. */
function nodeName(machine: Machine, listed: Listed<Node>): Read<string> {
  const named = machine.status?.nodeRef?.name ?? '';
  if (named !== '') return { kind: 'value', value: named };
  if (listed.kind === 'unreadable') return listed;
  const taken = listed.value.find((node) => claimOn(node) === claimText(machine));
  return taken ? { kind: 'value', value: taken.metadata.name } : { kind: 'absent' };
}

/** What cannot be taken back rests on the server's word. */
async function readLeaving(seen: Common & { readonly cluster: TargetCluster }, reader: Reader): Promise<LifeSeen> {
  const { object, settings, provider } = seen;
  const name = nodeName(object, await nodesOfPool(object, reader));
  const node = name.kind === 'value' ? ofMachine(await reader.fetch(Node, { namespace: '', name: name.value }), object) : name;
  const pods = node.kind === 'value' ? await reader.fetchList(Pod, { fieldSelector: `spec.nodeName=${node.value.metadata.name}` }) : NONE;
  const instance = await provider.look(object, node, reader);
  const ledger = readLedger(await reader.fetch(ConfigMap, ledgerKey(settings.namespace)));
  return { ...seen, kind: 'leaving', node, pods, instance, ledger };
}

/** Asked for only where the Machine names no Node. It may have taken one that the cache does not show yet, which would be left behind. */
async function nodesOfPool(machine: Machine, reader: Reader): Promise<Listed<Node>> {
  const pool = poolOf(machine);
  if (pool === undefined || machine.status?.nodeRef?.name) return NONE;
  return reader.fetchList(Node, { labelSelector: `${LABELS.machinePool}=${pool}` });
}

/** A Node that another Machine took, or that only has the name of the one that it had, is not its Node. */
function ofMachine(found: Read<Node>, machine: Machine): Read<Node> {
  if (found.kind !== 'value') return found;
  const { uid } = machine.status?.nodeRef ?? {};
  const isOther = claimOn(found.value) !== claimText(machine) || (uid !== undefined && uid !== found.value.metadata.uid);
  return isOther ? { kind: 'absent' } : found;
}
