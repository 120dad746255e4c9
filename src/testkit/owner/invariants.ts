import { Cluster, ConfigMap, Node, Pod } from '../../api/builtin/index.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyText, keyOf } from '../../api/meta.ts';
import { resourceName } from '../../api/resource.ts';
import { instant, parseTime, SECOND, type Instant } from '../../base/index.ts';
import type { Mirror, MirrorChange, Simulation } from '../../simulation/index.ts';
import { covers, healthOf } from '../machines/oracle.ts';
import { stated } from '../machines/remediators.ts';
import type { Moment, Testimony } from '../machines/observation-log.ts';
import {
  claimantOf,
  inTheWay,
  isAsked,
  isClosed,
  isFit,
  isGivenUp,
  isLeaving,
  isLeftAlone,
  isOf,
  isOfPool,
  isPaused,
  isRenewed,
  isSetPaused,
  mostInFlight,
  mustLeave,
  stayingOf,
} from './judge.ts';
import { SETTINGS } from './settings.ts';

/** What the world did itself, so that what is left was done by a process. */
export interface Hands {
  /** Machines that people deleted, Nodes that they deleted, and pods that ended, by UID. */
  readonly machines: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
  readonly pods: ReadonlySet<string>;
  /** Nodes that people closed, by name. */
  readonly closed: ReadonlySet<string>;
  /** Node by UID → when a process first requested the eviction of one of its pods. */
  readonly drained: ReadonlyMap<string, Instant>;
}

interface Watched {
  readonly simulation: Simulation;
  readonly testimony: Testimony;
  readonly hands: Hands;
}

interface Watcher extends Watched {
  /** Machine by UID → since when its status records that its Node is being drained. */
  readonly draining: Map<string, Instant>;
  /** Nodes that were taken for a Machine that was leaving already, by UID. */
  readonly takenLate: Set<string>;
}

type Objection<T> = (before: T | undefined, after: T | undefined) => string | undefined;

/** What must hold of every change of the server's objects. */
export function watchOverOwner(watched: Watched): void {
  const { simulation } = watched;
  const watcher: Watcher = { ...watched, draining: new Map(), takenLate: new Set() };
  const found = new Map<string, string>();
  const of = { [Machine.kind]: ofMachines(watcher), [Node.kind]: ofNodes(watcher), [Pod.kind]: ofPods(watcher) };
  const judge = (kind: string, { before, after }: MirrorChange): void => {
    for (const [name, objection] of Object.entries(of[kind] ?? {})) {
      const wrong = found.has(name) ? undefined : (objection as Objection<unknown>)(before, after);
      if (wrong !== undefined) found.set(name, wrong);
    }
  };
  simulation.mirror.onChange((change) => {
    if (change.resource === Machine) noteDraining(change.after as Machine | undefined, watcher);
    if (change.resource === Node) noteLateClaim(change.before as Node | undefined, change.after as Node | undefined, watcher);
    judge(change.resource.kind, change);
  });
  for (const objections of Object.values(of))
    for (const name of Object.keys(objections)) simulation.require({ name, check: () => found.get(name) });
}

function noteDraining(machine: Machine | undefined, { simulation, draining }: Watcher): void {
  if (!machine) return;
  const { uid } = machine.metadata;
  const said = stated(machine, 'Draining');
  if (said?.status !== 'True') draining.delete(uid);
  else if (!draining.has(uid))
    draining.set(uid, instant(Math.max(simulation.time.now() - lateBy(simulation), parseTime(said.lastTransitionTime) ?? 0)));
}

/** Conditions record whole seconds; a process whose write is delayed may have decided that long ago. */
const lateBy = ({ injected }: Simulation): number => (injected.length === 0 ? 2 * SECOND : 120 * SECOND);

function noteLateClaim(before: Node | undefined, after: Node | undefined, { simulation: { mirror }, takenLate }: Watcher): void {
  const claimant = after && claimantOf(after);
  if (!after || !claimant || (before && claimantOf(before) === claimant)) return;
  const stays = mirror.all(Machine).some((machine) => machine.metadata.uid === claimant && !isLeaving(machine));
  if (stays) takenLate.delete(after.metadata.uid);
  else takenLate.add(after.metadata.uid);
}

const ofMachines = (watcher: Watcher): Readonly<Record<string, Objection<Machine>>> => ({
  'a Machine is given up only while it says that it fails, its owner is asked, and it is not excluded from remediation': ofGivenUp(
    (before) => (isAsked(before) && !isLeftAlone(before) && !isLeaving(before) ? undefined : before.metadata.name),
  ),
  'a Machine is given up only when it was unhealthy': ofGivenUp((before) => alwaysWell(before, watcher)),
  'nothing is given up while its set, its cluster or its check is paused': ofGivenUp((before) => pausedAllTheTime(before, watcher)),
  'a Machine is deleted only while it is given up': ofDeleted(watcher, (before) =>
    isGivenUp(before) && isAsked(before) && !isLeftAlone(before) ? undefined : before.metadata.name,
  ),
  'never more replaced at a time than the budget allows': ofDeleted(watcher, (before) => overBudget(before, watcher)),
  'never more replaced at a time than their set allows': ofDeleted(watcher, (before) => overInFlight(before, watcher)),
  'a Machine is made only where one is missing, and nothing is paused': ofMade((machine) => unneeded(machine, watcher)),
  'no Machine has the name of an earlier one': ofMade((machine) => madeTwice(machine, watcher)),
  'never two Machines on one Node': (before, after) => (after ? shared(before, after, watcher) : undefined),
  'a Machine goes only after its Node': (before, after) => (before && !after ? leftNode(before, watcher) : undefined),
});

const ofNodes = (watcher: Watcher): Readonly<Record<string, Objection<Node>>> => ({
  'a Node is taken only when it is free': (before, after) =>
    before && after && claimantOf(after) !== undefined && claimantOf(before) !== claimantOf(after)
      ? wrongClaim(before, after, watcher)
      : undefined,
  'a Node is closed only when its Machine leaves': (before, after) =>
    before && after && !isClosed(before) && isClosed(after) && !watcher.hands.closed.has(after.metadata.name)
      ? untouchable(before, watcher)
      : undefined,
  'a Node is deleted only when its Machine leaves': ofLost(watcher, (node) => untouchable(node, watcher)),
  'a Node is deleted only when it is closed, and empty or out of time': ofLost(watcher, (node) => undrained(node, watcher)),
});

const ofPods = (watcher: Watcher): Readonly<Record<string, Objection<Pod>>> => ({
  'a pod is asked to leave only by a drain': (before, after) =>
    before && (!after || isLeaving(after)) && !isLeaving(before) && !watcher.hands.pods.has(before.metadata.uid)
      ? wrongEviction(before, watcher)
      : undefined,
});

const ofGivenUp =
  (objection: (before: Machine) => string | undefined): Objection<Machine> =>
  (before, after) =>
    before && after && !isGivenUp(before) && isGivenUp(after) ? objection(before) : undefined;

/** Deleted by an owner. */
const ofDeleted =
  ({ hands }: Watcher, objection: (before: Machine) => string | undefined): Objection<Machine> =>
  (before, after) =>
    before && !isLeaving(before) && (!after || isLeaving(after)) && !hands.machines.has(before.metadata.uid)
      ? objection(before)
      : undefined;

const ofMade =
  (objection: (machine: Machine) => string | undefined): Objection<Machine> =>
  (before, after) =>
    !before && after ? objection(after) : undefined;

const ofLost =
  ({ hands }: Watcher, objection: (node: Node) => string | undefined): Objection<Node> =>
  (before, after) =>
    before && !after && !hands.nodes.has(before.metadata.uid) ? objection(before) : undefined;

const machineIn = ({ seen }: Moment, uid: string): Machine | undefined => seen.find(({ machine }) => machine.metadata.uid === uid)?.machine;

/** By what was true at a recent moment; a watch that lost events silently may hide that it is healthy. */
function alwaysWell({ metadata: { name, uid } }: Machine, { testimony: { reach, isMisled } }: Watcher): string | undefined {
  const wasIll = reach.some(({ seen, checks }) => {
    const own = seen.find(({ machine }) => machine.metadata.uid === uid);
    return own && checks.some((check) => covers(check, own.machine) && healthOf(check, own.machine, own.node, 0) !== 'well');
  });
  return wasIll || isMisled ? undefined : name;
}

function pausedAllTheTime(machine: Machine, { testimony: { reach } }: Watcher): string | undefined {
  const wasFree = reach.some((moment) => {
    const set = moment.all(MachineSet).find((one) => isOf(one, machine));
    return set && !isSetPaused(set, moment.all(Cluster)) && isRenewed(machine, moment.checks);
  });
  return wasFree ? undefined : machine.metadata.name;
}

/** Those that an owner deleted and that are still there, with this one. */
function overBudget({ metadata: { uid, name }, status }: Machine, { simulation, hands }: Watcher): string | undefined {
  const { running } = SETTINGS.budget;
  const going = simulation.mirror
    .all(Machine)
    .filter((machine) => isLeaving(machine) && !hands.machines.has(machine.metadata.uid) && machine.metadata.uid !== uid)
    .filter((machine) => !isReplaced(machine, simulation.mirror));
  const onNode = going.filter((other) => other.status?.nodeRef !== undefined && other.status.nodeRef.name === status?.nodeRef?.name);
  if (going.length < Math.min(running.cluster, running.namespace) && onNode.length < running.node) return undefined;
  return `${name} beside ${going.map(({ metadata }) => metadata.name).join(', ')}`;
}

/** Nothing is left of it but its name: its Node is gone, and its place was given back before its finalizer goes, so that none stays behind. */
function isReplaced({ metadata: { uid }, status }: Machine, mirror: Mirror): boolean {
  const hasNode = mirror.all(Node).some((node) => claimantOf(node) === uid || node.metadata.uid === status?.nodeRef?.uid);
  return !hasNode && mirror.all(ConfigMap).some(({ data }) => data?.[uid]?.includes('"endedAt"') === true);
}

function overInFlight(machine: Machine, { simulation: { mirror }, testimony: { reach } }: Watcher): string | undefined {
  const { uid, name } = machine.metadata;
  const going = mirror.all(Machine).filter((one) => one.metadata.uid !== uid && isLeaving(one) && isGivenUp(one));
  const isAllowed = reach.some((moment) => {
    const set = moment.all(MachineSet).find((one) => isOf(one, machine));
    return set && going.filter((one) => isOf(set, one)).length < mostInFlight(set);
  });
  return isAllowed ? undefined : `${name} beside ${going.map(({ metadata }) => metadata.name).join(', ')}`;
}

/**
 * A creation cannot be made to depend on anything but its name. One that was delayed until the first of that name was made, replaced and gone
 * comes through; no controller can prevent it.
 */
const isHeldUp = (machine: Machine, { simulation: { mirror, injected } }: Watcher): boolean =>
  timesMade(machine, mirror) > 1 && injected.some(({ fault }) => fault.kind === 'Freeze' || fault.kind === 'Delay');

/** Counted on the server: with this Machine there are no more than the set asked for at a recent moment. */
function unneeded(machine: Machine, watcher: Watcher): string | undefined {
  const { mirror } = watcher.simulation;
  const { reach } = watcher.testimony;
  if (isHeldUp(machine, watcher)) return undefined;
  const isWanted = reach.some((moment) => {
    const set = moment.all(MachineSet).find((one) => isOf(one, machine));
    return set && !isSetPaused(set, moment.all(Cluster)) && stayingOf(set, mirror.all(Machine)).length <= (set.spec.replicas ?? 1);
  });
  return isWanted ? undefined : machine.metadata.name;
}

const madeTwice = (machine: Machine, watcher: Watcher): string | undefined =>
  timesMade(machine, watcher.simulation.mirror) > 1 && !isHeldUp(machine, watcher) ? machine.metadata.name : undefined;

const timesMade = (machine: Machine, { created }: Mirror): number =>
  created.get(`${resourceName(Machine)} ${keyText(keyOf(machine))}`) ?? 0;

function shared(before: Machine | undefined, after: Machine, { simulation: { mirror } }: Watcher): string | undefined {
  const { nodeRef } = after.status ?? {};
  if (!nodeRef || nodeRef.uid === before?.status?.nodeRef?.uid) return undefined;
  const other = mirror
    .all(Machine)
    .find(({ metadata, status }) => metadata.uid !== after.metadata.uid && status?.nodeRef?.uid === nodeRef.uid);
  return other && `${after.metadata.name} and ${other.metadata.name} on ${nodeRef.name}`;
}

/** The Node that it had is gone, or was taken out of our hands. One that a process held up takes for it only when it is leaving was never its. */
function leftNode(machine: Machine, { simulation: { mirror }, takenLate }: Watcher): string | undefined {
  const { uid, name } = machine.metadata;
  const own = mirror.all(Node).filter((node) => claimantOf(node) === uid && isOfPool(node) && mayHave(machine, node.metadata.name));
  const left = own.find(({ metadata }) => !takenLate.has(metadata.uid));
  return left && `${name}, although ${left.metadata.name} is there`;
}

/** Under the version that was seen, so what is said of the Node holds to the letter. */
function wrongClaim(before: Node, after: Node, { simulation: { mirror }, testimony: { reach } }: Watcher): string | undefined {
  const { name } = after.metadata;
  const uid = claimantOf(after) ?? '';
  const earlier = claimantOf(before);
  const machines = mirror.all(Machine);
  const named = machines.find(
    ({ metadata, status }) => metadata.uid !== uid && status?.nodeRef?.name === name && isStayingOn(status.nodeRef, before),
  );
  const claimant = reach.map((moment) => machineIn(moment, uid)).find((machine) => machine && !isLeaving(machine) && !isPaused(machine));
  const objections = {
    'it may not be touched': !isOfPool(before),
    'it is not fit': !isFit(before) && claimant?.status?.nodeRef?.name !== name,
    'another Machine has it': machines.some((machine) => machine.metadata.uid === earlier && mayHave(machine, name)) || named !== undefined,
    'the Machine that takes it is being deleted': claimant === undefined,
    'it is for the Machines of another cluster': claimant?.spec.clusterName === 'there',
  };
  const [wrong] = Object.entries(objections).flatMap(([what, holds]) => (holds ? [what] : []));
  return wrong && `${name}: ${wrong}`;
}

/** A Machine for which two were taken has the one that it names. */
const mayHave = ({ status }: Machine, node: string): boolean => (status?.nodeRef?.name ?? node) === node;

const isStayingOn = (nodeRef: { readonly uid?: string }, { metadata }: Node): boolean => nodeRef.uid === metadata.uid;

/** Ours at a recent moment: in the pool, and of a Machine that is being deleted and is not paused. */
function untouchable({ metadata: { name, uid } }: Node, { testimony: { reach } }: Watcher): string | undefined {
  const wasOurs = reach.some((moment) => {
    const node = moment.all(Node).find((one) => one.metadata.uid === uid);
    const machine = node && machineIn(moment, claimantOf(node) ?? '');
    return node && isOfPool(node) && machine && isLeaving(machine) && !isPaused(machine);
  });
  return wasOurs ? undefined : name;
}

/** Closed, and empty, or its pods have had all of their time. Whose clock was set cannot know how long that is. */
function undrained(gone: Node, watcher: Watcher): string | undefined {
  const { simulation, testimony } = watcher;
  const { name, uid } = gone.metadata;
  if (simulation.injected.some(({ fault }) => fault.kind === 'ClockJump')) return undefined;
  const now = simulation.time.now();
  const isDue = now - drainedSince(gone, watcher) >= SETTINGS.machineOwner.drainTimeoutMs;
  const isDone = testimony.reach.some((moment) => {
    const node = moment.all(Node).find((one) => one.metadata.uid === uid);
    return node && isClosed(node) && (isDue || inTheWay(node, moment.all(Pod), now).length === 0);
  });
  return isDone ? undefined : name;
}

/**
 * Since when pods are evicted. A process that dies or is suspended between recording the start and evicting shortens their time: a refused
 * eviction leaves no trace, so the process that continues knows only what the Machine's status records.
 */
function drainedSince(node: Node, { simulation, hands, draining }: Watcher): Instant {
  const said = draining.get(claimantOf(node) ?? '');
  const asked = hands.drained.get(node.metadata.uid);
  return (simulation.injected.length === 0 && asked !== undefined ? instant(asked - lateBy(simulation)) : said) ?? simulation.time.now();
}

/** From a Node that is cordoned, whose Machine is being deleted and records since when it is drained. */
function wrongEviction(pod: Pod, { testimony: { reach } }: Watcher): string | undefined {
  if (!mustLeave(pod)) return `${pod.metadata.name} does not have to`;
  const wasDrained = reach.some((moment) => {
    const node = moment.all(Node).find(({ metadata }) => metadata.name === pod.spec?.nodeName);
    const machine = node && machineIn(moment, claimantOf(node) ?? '');
    if (!node || !machine || !isClosed(node) || !isLeaving(machine) || isPaused(machine)) return false;
    return isOfPool(node) && stated(machine, 'Draining')?.status === 'True';
  });
  return wasDrained ? undefined : pod.metadata.name;
}
