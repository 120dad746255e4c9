import { Cluster, ConfigMap, Node } from '../../api/builtin/index.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyOf, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { ANNOTATIONS, LABELS } from '../../api/well-known.ts';
import { SECOND } from '../../base/index.ts';
import type { LifecycleSeen } from '../../controllers/machine-owner/machine-lifecycle/observe-machine.ts';
import type { SetSeen } from '../../controllers/machine-owner/machine-set/observe-set.ts';
import type { Controller, Decision, Effect, Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import {
  ALL_AT_ONCE,
  CHECK_PAUSED,
  FAR,
  FAR_AND_GONE,
  FULL,
  NEVER_ITS_TURN,
  ONE_BY_ONE,
  OUT_OF_POOL,
  PAUSED_DURING_DRAIN,
} from './cases.ts';
import { POOL } from './hosts.ts';
import { isLeaving } from './judge.ts';
import { FEW, type Plot } from './plot.ts';
import type { Mistake } from './scenario.ts';

/** Changes the reconciler of sets, or of Machines' lives, and leaves the other one as it is. */
const only =
  (primary: Resource, change: (right: Controller) => Controller): Mistake =>
  (right) =>
    right.map((controller) => (controller.primary === primary ? change(controller) : controller));

/** Sees a set otherwise than it is. */
const sets = (see: (seen: SetSeen) => SetSeen): Mistake =>
  only(MachineSet, (right) => ({ ...right, decide: (seen, now) => right.decide(see(seen as SetSeen), now) }));

type Leaving = Extract<LifecycleSeen, { kind: 'leaving' }>;

/** Sees a Machine that leaves otherwise than it is. */
const leaving = (see: (seen: Leaving) => Leaving): Mistake =>
  only(Machine, (right) => ({
    ...right,
    decide: (seen, now) => right.decide((seen as LifecycleSeen).kind === 'leaving' ? see(seen as Leaving) : seen, now),
  }));

/** Does something else than was decided. */
const doing =
  (primary: Resource, change: (decision: Decision, seen: SetSeen) => readonly Effect[]): Mistake =>
  (right) =>
    only(primary, (controller) => ({
      ...controller,
      decide(seen, now) {
        const decision = controller.decide(seen, now);
        return { ...decision, effects: change(decision, seen as SetSeen) };
      },
    }))(right);

const without = (primary: Resource, drops: (effect: Effect) => boolean): Mistake =>
  doing(primary, ({ effects }) => effects.filter((effect) => !drops(effect)));

/** Reads objects of a kind otherwise than they are, from the cache and from the server. */
const reading =
  <Kind extends KubeObject>(from: Resource<Kind>, see: (object: Kind) => readonly Kind[]): Mistake =>
  (right) =>
    right.map((controller) => ({ ...controller, observe: (key, reader, now) => controller.observe(key, seenAs(reader, from, see), now) }));

/** Takes the absence of an object for the absence of its kind. */
const missing =
  (from: Resource): Mistake =>
  (right) =>
    right.map((controller) => ({ ...controller, observe: (key, reader, now) => controller.observe(key, withoutKind(reader, from), now) }));

function withoutKind(reader: Reader, from: Resource): Reader {
  const one = <T extends KubeObject>({ kind }: Resource<T>, read: Read<T>): Read<T> =>
    kind === from.kind && read.kind === 'absent' ? { kind: 'absent', isKindUnknown: true } : read;
  return {
    ...reader,
    get: (resource, at) => one(resource, reader.get(resource, at)),
    fetch: async (resource, at, options) => one(resource, await reader.fetch(resource, at, options)),
  };
}

function seenAs<Kind extends KubeObject>(reader: Reader, from: Resource<Kind>, see: (object: Kind) => readonly Kind[]): Reader {
  const change = <T extends KubeObject>(object: T): readonly T[] =>
    see(object as KubeObject as Kind) as readonly KubeObject[] as readonly T[];
  const one = <T extends KubeObject>({ kind }: Resource<T>, read: Read<T>): Read<T> => {
    if (kind !== from.kind || read.kind !== 'value') return read;
    const [value] = change(read.value);
    return value ? { ...read, value } : { kind: 'absent' };
  };
  const all = <T extends KubeObject>({ kind }: Resource<T>, read: Listed<T>): Listed<T> =>
    kind === from.kind && read.kind === 'value' ? { ...read, value: read.value.flatMap(change) } : read;
  return {
    get: (resource, key) => one(resource, reader.get(resource, key)),
    list: (resource, by) => all(resource, reader.list(resource, by)),
    fetch: async (resource, key, options) => one(resource, await reader.fetch(resource, key, options)),
    fetchList: async (resource, options) => all(resource, await reader.fetchList(resource, options)),
  };
}

function unannotated<T extends KubeObject>(object: T): readonly T[] {
  const { [ANNOTATIONS.paused]: _, [ANNOTATIONS.skipRemediation]: __, ...annotations } = object.metadata.annotations ?? {};
  return [{ ...object, metadata: { ...object.metadata, annotations } }];
}

const ofNoCluster = (machine: Machine): readonly Machine[] => {
  const { [LABELS.clusterName]: _, ...labels } = machine.metadata.labels ?? {};
  const { clusterName: __, ...spec } = machine.spec;
  return [{ ...machine, metadata: { ...machine.metadata, labels }, spec }];
};

const labelled = (node: Node): readonly Node[] => [
  { ...node, metadata: { ...node.metadata, labels: { ...node.metadata.labels, [LABELS.machinePool]: POOL } } },
];

const sayingOf = ({ status }: Machine, type: string): string | undefined =>
  status?.conditions?.find((condition) => condition.type === type)?.status;

/** Takes every Machine that fails for one that it was asked for. */
const doesNotWaitToBeAsked = sets((seen) => {
  const known = new Set(seen.toReplace.map(({ machine }) => machine.metadata.uid));
  const failing = seen.machines.filter(
    (machine) => !known.has(machine.metadata.uid) && !isLeaving(machine) && sayingOf(machine, 'HealthCheckSucceeded') === 'False',
  );
  const toReplace = failing.map((machine) => ({ machine, cluster: { kind: 'local' as const }, node: undefined }));
  return { ...seen, toReplace: [...seen.toReplace, ...toReplace], budget: seen.budget ?? claimedBy(failing) };
});

const claimedBy = (machines: readonly Machine[]): NonNullable<SetSeen['budget']> => ({
  kind: 'claims',
  claims: machines.map(({ metadata }) => ({
    uid: metadata.uid,
    kind: 'Machine',
    key: metadata.name,
    target: '',
    claimedAt: 0 as never,
  })) as never,
  object: {} as ConfigMap,
  over: new Set(),
});

const deletesAtOnce = doing(MachineSet, ({ effects }, { toReplace }) =>
  effects.map((effect) => {
    if (effect.kind !== 'PatchStatus' || !JSON.stringify(effect.status).includes('MachineDeleting')) return effect;
    const patient = toReplace.find(({ machine }) => effect.key.name === machine.metadata.name);
    if (!patient) return effect;
    return { kind: 'Delete', resource: Machine, key: keyOf(patient.machine), uid: patient.machine.metadata.uid };
  }),
);

const knowsNoBudget = sets((seen) => ({
  ...seen,
  settings: { ...seen.settings, budget: { ...seen.settings.budget, running: { cluster: 9, namespace: 9, node: 9 } } },
}));

const withRead = (change: (read: Extract<SetSeen['read'], { kind: 'valid' }>) => SetSeen['read']): Mistake =>
  sets((seen) => (seen.read.kind === 'valid' ? { ...seen, read: change(seen.read) } : seen));

/** Remembers no number, and counts only those that stay. */
const givesNamesAgain = sets((seen) => {
  const machines = seen.machines.filter((machine) => !isLeaving(machine));
  const { created: _, ...status } = seen.object.status ?? {};
  const names = seen.names && new Set(machines.map(({ metadata }) => metadata.name));
  return { ...seen, object: { ...seen.object, status }, machines, ...(names && { names }) };
});

/** Takes any Node of the pool for a free one. */
const takesAnyNode: Mistake = only(Machine, (right) => ({
  ...right,
  async observe(key, reader, now) {
    const seen = (await right.observe(key, reader, now)) as LifecycleSeen | undefined;
    if (seen?.kind !== 'staying' || seen.node) return seen;
    return { ...seen, free: reader.list(Node, { index: 'pool', value: POOL }) };
  },
}));

const asClosed = ({ spec, ...node }: Node): Node => ({ ...node, spec: { ...spec, unschedulable: true } });
const closed = (read: Read<Node>): Read<Node> => (read.kind === 'value' ? { ...read, value: asClosed(read.value) } : read);

const absent = { kind: 'absent' } as const;
const none = { kind: 'value', value: [] } as const;

const isOfLedger = (effect: Effect): boolean => effect.kind === 'Patch' && effect.resource.kind === ConfigMap.kind;

/** Reports every Machine as healthy. */
const saysItself = doing(MachineSet, ({ effects }) =>
  effects.map((effect) =>
    effect.kind === 'PatchStatus'
      ? { ...effect, status: JSON.parse(JSON.stringify(effect.status).replaceAll('UnhealthyNode', 'Fine')) as unknown }
      : effect,
  ),
);

const writesAgain = doing(MachineSet, ({ effects }, { toReplace }) => [
  ...effects,
  ...toReplace.map(({ machine }): Effect => ({
    kind: 'PatchStatus',
    resource: Machine,
    key: keyOf(machine),
    resourceVersion: machine.metadata.resourceVersion,
    status: machine.status,
  })),
]);

const UNSETTLED = /not settled/;
const OF_DRAIN = /a pod is asked to leave only by a drain|a Node is deleted only when it is closed/;

interface Caught {
  readonly make: Mistake;
  readonly complaint: RegExp;
  /** Where chance brings it about too seldom. */
  readonly plot?: Plot;
}

/** Owners with one mistake each, and what must be said about it. */
export const MISTAKES: Readonly<Record<string, Caught>> = {
  'does not mind that its set is paused': { make: reading(MachineSet, unannotated), complaint: /nobody paused|nothing is given up while/ },
  'does not mind who is to be left alone': {
    make: reading(Machine, unannotated),
    complaint: /nobody wants it left alone|when its Machine leaves/,
    plot: PAUSED_DURING_DRAIN,
  },
  'does not mind that its check is paused': {
    make: sets((seen) => ({ ...seen, toReplace: seen.toReplace.map(({ machine, cluster, node }) => ({ machine, cluster, node })) })),
    complaint: /nothing is given up while/,
    plot: CHECK_PAUSED,
  },
  'does not wait to be asked': { make: doesNotWaitToBeAsked, complaint: /a Machine is given up only while/ },
  'deletes without saying so': { make: deletesAtOnce, complaint: /a Machine is deleted only while it is given up/ },
  'knows no budget': { make: knowsNoBudget, complaint: /than the budget allows/, plot: ALL_AT_ONCE },
  'replaces as many as it likes': {
    make: withRead((read) => ({ ...read, maxInFlight: undefined })),
    complaint: /than their set allows/,
    plot: ONE_BY_ONE,
  },
  'makes one too many': {
    make: withRead((read) => ({ ...read, replicas: read.replicas + 1 })),
    complaint: /only where one is missing|not settled/,
  },
  'makes none': { make: without(MachineSet, ({ kind }) => kind === 'Create'), complaint: UNSETTLED },
  'replaces no Machine': { make: without(MachineSet, ({ kind }) => kind === 'Delete'), complaint: UNSETTLED, plot: FEW },
  'gives names again': { make: givesNamesAgain, complaint: /the name of an earlier one/ },
  'takes any Node': { make: takesAnyNode, complaint: /a Node is taken only when it is free/ },
  'gives Nodes to Machines of other clusters': {
    make: reading(Machine, ofNoCluster),
    complaint: /for the Machines of another cluster|has a Node from here/,
    plot: FAR,
  },
  'takes a Cluster that is gone for the local one': {
    make: missing(Cluster),
    complaint: /for the Machines of another cluster|has a Node from here/,
    plot: FAR_AND_GONE,
  },
  'does not close the Node': {
    make: leaving((seen) => ({ ...seen, node: closed(seen.node) })),
    complaint: OF_DRAIN,
    plot: FULL,
  },
  'does not drain': { make: leaving((seen) => ({ ...seen, pods: none })), complaint: OF_DRAIN, plot: FULL },
  'has no drain timeout': {
    make: leaving((seen) => ({ ...seen, settings: { ...seen.settings, machineOwner: { enabled: true, drainTimeoutMs: 10 * SECOND } } })),
    complaint: OF_DRAIN,
    plot: FULL,
  },
  'leaves the Node behind': {
    make: leaving((seen) => ({ ...seen, node: absent, instance: absent })),
    complaint: /a Machine goes only after its Node/,
  },
  'touches Nodes outside the pool': { make: reading(Node, labelled), complaint: /when its Machine leaves/, plot: OUT_OF_POOL },
  'never gives its place back': {
    make: without(Machine, isOfLedger),
    complaint: UNSETTLED,
    plot: FEW,
  },
  'never releases a Machine that recovered': {
    make: without(MachineSet, (effect) => effect.kind === 'PatchStatus' && !JSON.stringify(effect.status).includes('OwnerRemediated')),
    complaint: UNSETTLED,
    plot: NEVER_ITS_TURN,
  },
  'says itself whether a Machine is healthy': { make: saysItself, complaint: /whether it is healthy/ },
  'writes what is there already': { make: writesAgain, complaint: /that it has/ },
};
