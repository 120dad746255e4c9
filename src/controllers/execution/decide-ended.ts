import { Lease } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { after, type Instant } from '../../base/index.ts';
import type { Decision, Effect, Read } from '../../runtime/controller.ts';
import { remove } from '../../runtime/remove.ts';
import { stillAlive } from './clearing.ts';
import { keptUntil } from './deadlines.ts';
import { engineOf } from './engines/index.ts';
import { executionUidOf } from './names.ts';
import type { ExecutionSeen } from './observe.ts';
import { LOOK_AGAIN_MS } from './status.ts';

/** Clears up after an execution: a run that has not ended at once, everything else after the cooldown; the lock goes last. */
export function decideEnded(seen: ExecutionSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const [run, lock] = [ownRun(seen), ours(seen, seen.lock)];
  if (!run && !lock) return rest(seen, now);
  const until = keptUntil(object, settings);
  if (now < until && (!run || engineOf(run).endOf(run))) return { status: object.status, effects: [], wakeAt: until };
  return { status: object.status, effects: clear(seen, run, lock), wakeAt: after(now, LOOK_AGAIN_MS) };
}

/** What cannot be read may still be ours. */
function rest({ object, run, lock }: ExecutionSeen, now: Instant): Decision {
  const isKnown = run.kind !== 'unreadable' && lock.kind !== 'unreadable';
  return { status: object.status, effects: [], ...(isKnown ? {} : { wakeAt: after(now, LOOK_AGAIN_MS) }) };
}

function clear(seen: ExecutionSeen, run: KubeObject | undefined, lock: Lease | undefined): readonly Effect[] {
  if (run) return run.metadata.deletionTimestamp === undefined ? [remove(engineOf(run).resource, run)] : [];
  if (!lock || seen.run.kind === 'unreadable' || stillAlive(ownPods(seen)) !== undefined) return [];
  const message = `${seen.object.spec.targetResource} is free for others`;
  return [remove(Lease, lock), { kind: 'Event', type: 'Normal', reason: 'LockReleased', message }];
}

/** Another execution's pods are no reason to keep our lock. */
const ownPods = ({ object, pods }: ExecutionSeen): ExecutionSeen['pods'] =>
  pods.kind === 'value' ? { ...pods, value: pods.value.filter((pod) => executionUidOf(pod) === object.metadata.uid) } : pods;

/** Ours by its mark or, should somebody have taken that away, by its UID on our record. */
function ownRun(seen: ExecutionSeen): KubeObject | undefined {
  const { run, object } = seen;
  const recorded = object.status?.executionRef?.uid;
  return run.kind === 'value' && run.value.metadata.uid === recorded ? run.value : ours(seen, run);
}

const ours = <T extends KubeObject>({ object }: ExecutionSeen, read: Read<T>): T | undefined =>
  read.kind === 'value' && executionUidOf(read.value) === object.metadata.uid ? read.value : undefined;
