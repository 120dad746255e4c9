import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { sameJson } from '../../base/index.ts';
import type { Mirror, MirrorChange, Simulation } from '../../simulation/index.ts';
import { inNamespace } from './fleet.ts';
import { REMEDIES } from './kinds.ts';
import { census, covers, healthOf, isOpen, isPaused } from './oracle.ts';
import { stated } from './remediators.ts';
import { openRequests, type Decided, type Moment, type Testimony } from './observation-log.ts';

/** A Machine that a check recorded in its status as under remediation. */
export interface Entry {
  readonly machine: string;
  readonly uid: string;
  readonly request?: { readonly kind: string };
}

export const entriesOf = ({ status }: MachineHealthCheck): readonly Entry[] =>
  (status as { readonly remediations?: readonly Entry[] } | undefined)?.remediations ?? [];

const REQUESTS = new Set<Resource>(Object.values(REMEDIES));

type Objection = (change: MirrorChange) => string | undefined;

/** What must hold of every change of the server's objects, and after every step. */
export function watchOver(simulation: Simulation, testimony: Testimony): void {
  const found = new Map<string, string>();
  const objections = objectionsOf(simulation, testimony);
  simulation.mirror.onChange((change) => {
    for (const [name, objection] of Object.entries(objections)) {
      const wrong = found.has(name) ? undefined : objection(change);
      if (wrong !== undefined) found.set(name, wrong);
    }
  });
  for (const name of Object.keys(objections)) simulation.require({ name, check: () => found.get(name) });
}

/** A Machine that has a request already gets no second one: recording the existing request in status does not affect it. */
const ofFresh = ({ mirror }: Simulation, objection: OfEntry): Objection =>
  ofEntry((entry, before, after) => (hasRequest(mirror, entry) ? undefined : objection(entry, before, after)));

const hasRequest = (mirror: Mirror, { machine, uid }: Entry): boolean =>
  Object.values(REMEDIES).some((resource) => {
    const request = mirror.get(resource, inNamespace(machine));
    return request !== undefined && ownerOf(request).metadata.uid === uid;
  });

const objectionsOf = (simulation: Simulation, testimony: Testimony): Readonly<Record<string, Objection>> => ({
  'whoever is handed out is on record': ofHandOut((machine) => notOnRecord(machine, testimony)),
  'nobody is handed out who was always well': ofHandOut((machine) =>
    testimony.everIll.has(machine.metadata.uid) ? undefined : machine.metadata.name,
  ),
  'the mark comes before the request': ofHandOut((machine) => notMarked(machine, testimony)),
  'a record rests on what its check had seen': ofFresh(simulation, (entry, before, after) =>
    unfounded(entry, { before, after }, testimony),
  ),
  'never more on record than the gate allows': ofFresh(simulation, (entry, _, after) => tooMany(entry, after, testimony)),
  'every gate over a Machine was open': ofFresh(simulation, (entry, _, after) => closedGate(entry, after, testimony)),
  'whoever is handed out was ill, and not to be left alone': ofFresh(simulation, (entry, _, after) => unfit(entry, after, testimony)),
  'a check that is paused hands out nobody': ofFresh(simulation, (entry, _, after) => (isPaused(after) ? entry.machine : undefined)),
  'no Machine is twice on one record': ({ resource, after }) =>
    resource === MachineHealthCheck && after ? twice(entriesOf(after as MachineHealthCheck).map(({ machine }) => machine)) : undefined,
  'one remediator per Machine': (change) => inTwoHands(change, simulation),
  'a Machine that failed says that it is well only when it was': (change) => falseRelief(change, testimony),
  'a request goes only when its Machine is well or gone': (change) => lostRequest(change, simulation, testimony),
});

/** A new request, or a Machine whose owner is newly asked. */
const ofHandOut =
  (objection: (machine: Machine) => string | undefined): Objection =>
  ({ resource, before, after }) => {
    if (resource === Machine && after)
      return isNewlyAsked(before as Machine | undefined, after as Machine) ? objection(after as Machine) : undefined;
    if (!REQUESTS.has(resource) || before || !after) return undefined;
    return objection(ownerOf(after));
  };

const isCheckedType = (machine: Machine | undefined): boolean =>
  machine !== undefined &&
  stated(machine, 'OwnerRemediated')?.status === 'False' &&
  stated(machine, 'OwnerRemediated')?.reason === 'WaitingForRemediation';

const isMarked = (machine: Machine): boolean => stated(machine, 'HealthCheckSucceeded')?.status === 'False';

const isNewlyAsked = (before: Machine | undefined, after: Machine): boolean => !isCheckedType(before) && isCheckedType(after);

/** The part of the Machine that its request contains. */
const ownerOf = ({ metadata }: KubeObject): Machine =>
  ({ metadata: { name: metadata.name, namespace: metadata.namespace, uid: metadata.ownerReferences?.[0]?.uid ?? '' } }) as Machine;

/** A request may still be under way when the record is cleared: the Machine was recorded within the reach of the decision. */
function notOnRecord({ metadata: { name, uid } }: Machine, { reach }: Testimony): string | undefined {
  const isOn = reach.some(({ checks }) => checks.some((check) => entriesOf(check).some((entry) => entry.uid === uid)));
  return isOn ? undefined : name;
}

function notMarked({ metadata: { name, uid } }: Machine, { reach }: Testimony): string | undefined {
  const wasMarked = reach.some(({ seen }) => seen.some(({ machine }) => machine.metadata.uid === uid && isMarked(machine)));
  return wasMarked ? undefined : name;
}

type OfEntry = (entry: Entry, before: MachineHealthCheck, after: MachineHealthCheck) => string | undefined;

/** A new entry in the recorded remediations of a check. */
const ofEntry =
  (objection: OfEntry): Objection =>
  ({ resource, before, after }) => {
    if (resource !== MachineHealthCheck || !before || !after) return undefined;
    const known = new Set(entriesOf(before as MachineHealthCheck).map(({ uid }) => uid));
    const added = entriesOf(after as MachineHealthCheck).filter(({ uid }) => !known.has(uid));
    for (const entry of added) {
      const wrong = objection(entry, before as MachineHealthCheck, after as MachineHealthCheck);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };

interface Written {
  readonly before: MachineHealthCheck;
  readonly after: MachineHealthCheck;
}

/** At least one decision on the replaced version saw the gate open and the Machine failing. */
function unfounded(entry: Entry, { before, after }: Written, testimony: Testimony): string | undefined {
  const { uid, resourceVersion } = before.metadata;
  const decisions = testimony.decisionsOn(uid, resourceVersion).filter(({ decision }) => sameRecord(decision.status, after));
  if (decisions.length === 0) return `${entry.machine}: nobody decided so`;
  const wrong = decisions.map((decided) => objectionTo(decided, entry, before));
  return wrong.includes(undefined) ? undefined : `${entry.machine}: ${wrong[0] ?? ''}`;
}

const sameRecord = (status: unknown, after: MachineHealthCheck): boolean =>
  sameJson((status as { remediations?: unknown } | undefined)?.remediations, (after.status as { remediations?: unknown }).remediations);

function objectionTo({ seen, now }: Decided, entry: Entry, check: MachineHealthCheck): string | undefined {
  const { bad, total, open } = census(check, seen);
  if (!open) return `${bad} of ${total} were seen not to be well, and the gate is closed`;
  const own = seen.find(({ machine }) => machine.metadata.uid === entry.uid);
  if (!own) return 'it was not seen';
  const health = healthOf(check, own.machine, own.node, now);
  return health === 'failing' ? undefined : `it was seen to be ${health}`;
}

/**
 * Recorded Machines count as unhealthy, whatever their last observation: they alone must not exceed the gate. A deleted Machine stays
 * recorded until a live read confirms that it is gone, and the gate counts it until then.
 */
function tooMany(entry: Entry, check: MachineHealthCheck, { reach }: Testimony): string | undefined {
  const entries = entriesOf(check);
  const handed = entries.length;
  const isAllowed = reach.some(({ seen }) => {
    const total = seen.filter(({ machine }) => covers(check, machine)).length;
    const gone = entries.filter(({ uid }) => !seen.some(({ machine }) => machine.metadata.uid === uid)).length;
    return couldBeOpen(check, handed, total + gone);
  });
  return isAllowed ? undefined : `${entry.machine} is the ${handed}th`;
}

/** A gate that requires a minimum may be opened by other unhealthy Machines. */
const couldBeOpen = (check: MachineHealthCheck, handed: number, total: number): boolean =>
  Array.from({ length: Math.max(total - handed, 0) + 1 }, (_, more) => handed + more).some((bad) => isOpen(check, bad, total));

/** The gates of the check and of the other checks that select the Machine, each at some time within reach. */
function closedGate(entry: Entry, check: MachineHealthCheck, { reach, present, isMisled }: Testimony): string | undefined {
  if (isMisled) return undefined;
  const others = present.checks.filter(({ metadata }) => metadata.uid !== check.metadata.uid);
  for (const one of [check, ...others]) {
    const isFine = reach.some(({ seen, checks }) => {
      // The observation of Nodes may be older than a recreated check.
      const then = checks.find(({ metadata }) => metadata.uid === one.metadata.uid) ?? one;
      const machine = seen.find((each) => each.machine.metadata.uid === entry.uid)?.machine;
      if (!machine || !covers(then, machine)) return one !== check;
      return census(then, seen).open;
    });
    if (!isFine) return `${entry.machine}, although ${one.metadata.name} was closed all the time`;
  }
  return undefined;
}

/** By what was true within reach. */
function unfit(entry: Entry, check: MachineHealthCheck, { reach, isMisled }: Testimony): string | undefined {
  const isFit = reach.some(({ seen }) => {
    const own = seen.find(({ machine }) => machine.metadata.uid === entry.uid);
    return own && covers(check, own.machine) && healthOf(check, own.machine, own.node, 0) !== 'well';
  });
  return isFit || isMisled ? undefined : entry.machine;
}

const twice = (names: readonly string[]): string | undefined => names.find((name, i) => names.indexOf(name) !== i);

/** A recovery is reported from a live read, so it also holds for a process whose watch missed an event. */
function falseRelief({ resource, before, after }: MirrorChange, { reach }: Testimony): string | undefined {
  if (resource !== Machine || !before || !after || !isMarked(before as Machine) || !isSaidWell(after as Machine)) return undefined;
  const { uid, name } = after.metadata;
  return reach.some((moment) => wasWell(uid, moment)) ? undefined : name;
}

const isSaidWell = (machine: Machine): boolean => stated(machine, 'HealthCheckSucceeded')?.status === 'True';

const wasSaidWell = (uid: string, { seen }: Moment): boolean =>
  seen.some(({ machine }) => machine.metadata.uid === uid && isSaidWell(machine));

/** The object exists and is not being deleted. */
const isThere = (object: KubeObject | undefined): object is KubeObject =>
  object !== undefined && object.metadata.deletionTimestamp === undefined;

/** Healthy for one of the checks that select it, or without any check. */
function wasWell(uid: string, { seen, checks }: Moment): boolean {
  const then = seen.find(({ machine }) => machine.metadata.uid === uid);
  if (!then) return true;
  const about = checks.filter((check) => covers(check, then.machine));
  return about.length === 0 || about.some((check) => healthOf(check, then.machine, then.node, 0) === 'well');
}

/**
 * Requests are withdrawn only for Machines that are healthy, gone, or no longer selected. A process whose watch missed an event relies on
 * the Machine's own conditions.
 */
function lostRequest(
  { resource, before, after }: MirrorChange,
  { mirror }: Simulation,
  { reach, isMisled }: Testimony,
): string | undefined {
  if (!REQUESTS.has(resource) || !isThere(before) || isThere(after)) return undefined;
  const { name, uid } = ownerOf(before).metadata;
  if (!isThere(mirror.all(Machine).find((one) => one.metadata.uid === uid))) return undefined;
  const isFine = reach.some((moment) => wasWell(uid, moment) || (isMisled && wasSaidWell(uid, moment)));
  return isFine ? undefined : name;
}

/** No Machine has two remediators. An owner acts only on a Machine that fails. */
function inTwoHands({ resource, after }: MirrorChange, simulation: Simulation): string | undefined {
  if (!after || (resource !== Machine && !REQUESTS.has(resource))) return undefined;
  const machine = simulation.mirror.get(Machine, inNamespace(after.metadata.name));
  if (!machine) return undefined;
  const hands = [
    ...openRequests(simulation, machine).map(({ kind }) => kind),
    ...(isCheckedType(machine) && isMarked(machine) ? ['its owner'] : []),
  ];
  return hands.length > 1 ? `${machine.metadata.name} is asked of ${hands.join(' and ')}` : undefined;
}
