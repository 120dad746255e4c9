import type { Node } from '../../../../api/builtin/index.ts';
import { after, SECOND, type Instant } from '../../../../base/index.ts';
import type { Decision, Effect } from '../../../../runtime/reconcile/controller.ts';
import { anothers, anothersHost, leaveAnothers, ranOn, recordAnothers, stillRuns } from './wrong-host.ts';
import { callOff, calledOff } from './cancel-attempt.ts';
import { giveBack } from '../budget/budget-claims.ts';
import { NOTHING_TOLD, tellOffAgain, tellOn } from '../host/power-command.ts';
import { earliest, FREE_WITHIN_MS, hasPassed, limitsOf, LOOK_AGAIN_MS, phaseStart, POLL_MS, QUIET_AFTER_MS } from '../limits.ts';
import { isMarked, isSilent, mark } from './out-of-service.ts';
import { isOff, isOn, mayTell, type PowerCycleSeen, type Standing } from '../observed.ts';
import { enter, isOwing, stay, type Words } from '../status.ts';
import { clear, tellOnOnce, towardsOn } from './restore-power.ts';
import { unsuccessful } from './failed-attempt.ts';
import { poweringOff, wordsOr } from '../messages.ts';

/** Told to switch off: that it is off is read, never inferred. The host of a Machine that is to be left alone by now is not told again. */
export function decidePowerOff(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, machine } = seen;
  if (isOff(seen)) return enter('freeing', object, now, { words: FREEING, wakeAt: after(now, SECOND) });
  const left = calledOff(seen, now);
  if (left) return callOff(seen, now, left);
  const { offMs } = limitsOf(object);
  const deadline = after(phaseStart(object, now), offMs);
  if (now >= deadline) return unsuccessful(seen, now, `the host did not report that it is off within ${offMs / SECOND} s`);
  const { set, effects } = machine.kind === 'ill' && mayTell(seen, 'off') ? tellOffAgain(object, now) : NOTHING_TOLD;
  const words = wordsOr(seen, poweringOff(object.status?.retryCount ?? 0));
  return stay(object, now, { words, set, effects, wakeAt: earliest(deadline, after(now, POLL_MS)) });
}

const FREEING: Words = { reason: 'FreeingWorkloads', message: 'the host is off; its workloads may start elsewhere' };

/** Off: Kubernetes is told so, and the pods leave. Only a host that says in this very pass that it is off is marked, once its Node is silent. */
export function decideFreeing(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  if (isOn(seen)) return cameOn(seen, now);
  const deadline = after(phaseStart(object, now), FREE_WITHIN_MS);
  if (isFreed(seen) || now >= deadline) return switchOn(seen, now);
  const wakeAt = earliest(deadline, after(now, POLL_MS));
  const marked = mayMark(seen);
  if (!marked) return stay(object, now, { words: wordsOr(seen, FREEING), wakeAt });
  // On record first: whoever goes on from here has to find it.
  return stay(object, now, { words: FREEING, set: { taintedNode: marked.metadata.name }, effects: [mark(marked)], wakeAt });
}

/** Nothing is left to wait for, or there never was anything. */
const isFreed = (seen: PowerCycleSeen): boolean =>
  seen.machine.kind === 'left' || seen.node.kind === 'none' || seen.node.kind === 'elsewhere' || isEmpty(seen);

/** The Node, where it is to be marked now. */
function mayMark(seen: PowerCycleSeen): Node | undefined {
  const { machine, node } = seen;
  if (!isOff(seen) || machine.kind !== 'ill' || node.kind !== 'there') return undefined;
  return isSilent(node.node) && !isMarked(node.node) ? node.node : undefined;
}

const isEmpty = ({ node, pods }: PowerCycleSeen): boolean =>
  node.kind === 'there' && isMarked(node.node) && pods.kind === 'count' && pods.left === 0;

function switchOn(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  const { set, effects } = tellOn(object, now);
  const node = ranOn(seen, now);
  return enter('power-on', object, now, {
    words: node ? stillRuns(node) : POWERING_ON,
    set: { ...set, ...(node && recordAnothers(seen)) },
    effects,
    wakeAt: after(now, POLL_MS),
  });
}

const POWERING_ON: Words = { reason: 'PoweringOn', message: 'waiting for the host to switch on' };

/** Somebody switched it on: the cycle is complete all the same. */
function cameOn(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  const { set: cleared, effects } = clear(seen);
  const set = { ...cleared, switchOnOwed: !hasPassed(object.status?.powerOffRequestedAt, QUIET_AFTER_MS, now) };
  const another = anothersHost(object);
  if (another) return leaveAnothers(seen, now, another, { set, effects });
  return enter('waiting', object, now, { words: WAITING, set, effects, wakeAt: after(now, POLL_MS) });
}

const WAITING: Words = { reason: 'WaitingForNode', message: 'the host is on; waiting for its Node to be well' };

/** Told to switch on, whatever became of the Machine. */
export function decidePowerOn(seen: PowerCycleSeen, now: Instant): Decision {
  const { object } = seen;
  if (isOn(seen)) return cameOn(seen, now);
  const { onMs } = limitsOf(object);
  const deadline = after(phaseStart(object, now), onMs);
  if (now >= deadline) return unsuccessful(seen, now, `the host did not report that it is on within ${onMs / SECOND} s`);
  const { set, effects } = tellOnOnce(seen, now);
  const another = anothersHost(object);
  return stay(object, now, {
    words: wordsOr(seen, another ? anothers(another) : POWERING_ON),
    set,
    effects,
    wakeAt: earliest(deadline, after(now, POLL_MS)),
  });
}

/** On again. When the Node is well the check deletes the request. */
export function decideWaiting(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, machine } = seen;
  const { nodeMs } = limitsOf(object);
  const deadline = after(phaseStart(object, now), nodeMs);
  if (machine.kind === 'ill' && now >= deadline)
    return unsuccessful(seen, now, `the host is on, but its Node is not well after ${nodeMs / SECOND} s`);
  // It only waits to be deleted, or nobody can tell for how long: others wait for its place.
  const isOver = machine.kind === 'left' || now >= deadline;
  const owed = towardsOn(seen, now);
  const soon = after(now, isOwing(object) ? POLL_MS : LOOK_AGAIN_MS);
  return stay(object, now, {
    words: owed.words ?? (isOver ? whyOver(machine) : WAITING),
    set: owed.set,
    effects: [...owed.effects, ...(isOver ? giveWay(seen, now) : [])],
    wakeAt: isOwing(object) || isOver ? soon : deadline,
  });
}

/** Gives its place back, unless a late command switched the host off: that takes it up until it is on again. */
const giveWay = (seen: PowerCycleSeen, now: Instant): readonly Effect[] =>
  seen.power.kind === 'state' && !isOn(seen) ? [] : giveBack(seen.budget, now);

function whyOver(machine: Standing): Words {
  if (machine.kind === 'left') return { reason: machine.reason, message: machine.why };
  return machine.kind === 'unreadable' ? { reason: 'MachineUnreadable', message: machine.why, isWarning: true } : WAITING;
}
