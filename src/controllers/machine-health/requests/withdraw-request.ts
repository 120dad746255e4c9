import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, type KubeObject } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import type { Effect, Read } from '../../../runtime/reconcile/controller.ts';
import { isOurRequest, saysWhyNot } from './claim.ts';
import { resourceOf } from './external-request.ts';
import type { Course } from './request-remediation.ts';
import { isLiveElsewhere } from './requests-of-other-checks.ts';
import type { TargetSeen } from '../check/observe-check.ts';
import type { Released } from './observe-requests.ts';
import { statedOf, unstate } from '../conditions/cluster-api-conditions.ts';

/** Whoever acts on a request may have to clear up before it goes, and its kind is not watched. */
const LOOK_AGAIN_MS = 10 * SECOND;
/** The check is not about it now, so that nobody is woken when it goes: until somebody looks it keeps its place at the gate. */
const LOOK_AT_PAUSED_MS = MINUTE;

/** A Machine is well when the check says so and so does the Machine, which speaks for every check. */
export const isWell = ({ verdict, target: { machine } }: TargetSeen): boolean => verdict.kind === 'healthy' && saysItIsWell(machine);

const saysItIsWell = ({ status = {} }: Machine): boolean => statedOf(status, 'HealthCheckSucceeded')?.status === 'True';

/** Whether the server has it say so too: what is kept here may be older than the request. */
const isWellThere = ({ target: { machine }, onServer }: TargetSeen): boolean =>
  onServer?.kind === 'value' && onServer.value.metadata.uid === machine.metadata.uid && saysItIsWell(onServer.value);

/** Takes back what was asked for a Machine that is well again, whether or not anything may be asked for now. */
export function takeBack(target: TargetSeen, check: string, now: Instant): Course {
  const { machine } = target.target;
  if (isLiveElsewhere(target, check)) return { effects: [] };
  if (target.looksFor === undefined) return { effects: isLeftOver(target) ? unclaimed(machine) : [] };
  return withdraw({ machine, request: target.request, entry: target.entry, isDue: isWellThere(target) }, now);
}

/** Why nobody was asked, said on a Machine of ours that is well. */
const isLeftOver = ({ others, target: { machine } }: TargetSeen): boolean =>
  saysWhyNot(machine) && others.every(({ isTheirs }) => !isTheirs);

/**
 * Takes back what was asked for a Machine that the check is not about any more: with whoever said that it is not to be mended, mending it ends.
 * One that is paused is left exactly as it is, and what another check has asked for is its own.
 */
export function release({ entry, machine, request, isClaimedElsewhere }: Released, now: Instant): Course {
  if (!machine || isClaimedElsewhere) return { effects: [] };
  if (ANNOTATIONS.paused in (machine.metadata.annotations ?? {})) return { entry, effects: [], wakeAt: after(now, LOOK_AT_PAUSED_MS) };
  if (entry.request === undefined) return { effects: [] };
  return withdraw({ machine, request, entry, isDue: true }, now);
}

interface Withdrawn {
  readonly machine: Machine;
  readonly request: Read<KubeObject> | undefined;
  readonly entry: Course['entry'];
  /** Whether it may go now. */
  readonly isDue: boolean;
}

/** Deletes the request; the record stays until the server says that there is none. */
function withdraw({ machine, request, entry, isDue }: Withdrawn, now: Instant): Course {
  const later: Course = { ...(entry && { entry }), effects: [], wakeAt: after(now, LOOK_AGAIN_MS) };
  if (request === undefined || request.kind === 'unreadable') return later;
  if (request.kind === 'absent') return { effects: unclaimed(machine) };
  const { value } = request;
  if (!isOurRequest(value, machine)) return { effects: [] };
  if (!isDue || value.metadata.deletionTimestamp !== undefined) return later;
  const resource = resourceOf(value.apiVersion, value.kind);
  return { ...later, effects: [{ kind: 'Delete', resource, key: keyOf(value), uid: value.metadata.uid }], wakeAt: after(now, SECOND) };
}

/** The Machine says no more that anybody was asked. */
function unclaimed(machine: Machine): readonly Effect[] {
  const status = unstate(machine.status ?? {}, 'ExternallyRemediated');
  if (machine.status === undefined || status === machine.status) return [];
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion: machine.metadata.resourceVersion, status }];
}
