import { Machine } from '../../../api/machine/machine.ts';
import { keyOf } from '../../../api/meta.ts';
import { after, MINUTE, parseTime, sameJson, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import {
  claimed,
  claimOf,
  isAwaited,
  isMissed,
  isOurRequest,
  isTakenUp,
  notMade,
  unreadable,
  withoutTemplate,
  type Claim,
  type RequestKind,
} from './claim.ts';
import { requestDraft } from './external-request.ts';
import { isLiveElsewhere } from './requests-of-other-checks.ts';
import type { CheckSeen, TargetSeen, TemplateSeen } from '../check/observe-check.ts';
import type { Remediation } from './observe-requests.ts';
import { isLeftAlone, type ReadCheck } from '../targets/parse-check.ts';
import { state, statedOf, unstate, type Statement } from '../conditions/cluster-api-conditions.ts';

/** What becomes of one Machine: what is on record about it, what is done, and when to look again. */
export interface Course {
  readonly entry?: Remediation;
  readonly effects: readonly Effect[];
  readonly wakeAt?: Instant;
  /** Whether somebody is asked for the first time: only then can it be put off. */
  readonly begins?: boolean;
  /** Whether nobody is there who could be asked: it is on record, but nothing of it is under way. */
  readonly isAskedOfNobody?: boolean;
}

/** A template that is not there may be made any time, and its kind is not watched; nor is that of requests. */
const LOOK_FOR_TEMPLATE_MS = MINUTE / 2;
const LOOK_FOR_REQUEST_MS = MINUTE;
const LOOK_AT_ONCE_MS = SECOND;

type Seen = CheckSeen & { readonly read: ReadCheck };

/**
 * Asks for the remediation of an unhealthy Machine: of its owner, or of whoever acts on requests from the template. Never of both, and of
 * nobody while a request is open. `isOpen` says whether anybody may be asked now.
 */
export function handOut(seen: Seen, target: TargetSeen, { isOpen, now }: { readonly isOpen: boolean; readonly now: Instant }): Course {
  const { machine } = target.target;
  const kept = keep(target, now);
  if (target.request !== undefined && target.request.kind !== 'absent') return underWay(target, seen.read.name, now);
  const failedAt = markedAt(machine);
  if (!isOpen || failedAt === undefined || isKeptFrom(target)) return kept;
  // What another check has on record may end without a word to us.
  if (isSpokenFor(target, seen.read.name)) return { ...kept, wakeAt: after(now, LOOK_FOR_REQUEST_MS) };
  const from = after(failedAt, isGone(target) ? seen.read.check.missingNodeGraceMs : 0);
  if (now < from) return { ...kept, wakeAt: from };
  return seen.external ? askOutside(seen, target, { external: seen.external, now }) : askOwner(target, now);
}

/** A Machine that is on its way out, or whose other checks have closed their gates. */
const isKeptFrom = ({ target: { machine }, others }: TargetSeen): boolean =>
  machine.metadata.deletionTimestamp !== undefined || !others.every(({ allows }) => allows);

/** A Machine that another check has handed out, or may have. */
const isSpokenFor = (target: TargetSeen, check: string): boolean =>
  isLiveElsewhere(target, check) || target.isHeldElsewhere === true || isLeftToOthers(target);

/**
 * A Machine that is not on our record, and of which somebody outside says that it is at work without saying for whom. The check that asked, or the
 * template that it went by, may be gone since.
 */
export const isLeftToOthers = ({ entry, target: { machine } }: TargetSeen): boolean => !entry && isTakenUp(machine);

/** What is on record stays on record, and is looked at now and then. */
export const keep = ({ entry }: TargetSeen, now: Instant): Course =>
  entry ? { entry, effects: [], wakeAt: after(now, LOOK_FOR_REQUEST_MS) } : { effects: [] };

/** A request is open, or nobody can tell. One that we made is put on record if it is not; one of somebody else's keeps us from asking. */
function underWay(target: TargetSeen, check: string, now: Instant): Course {
  const { request, looksFor } = target;
  const { machine } = target.target;
  const isOurs = request?.kind === 'value' && isOurRequest(request.value, machine) && !isLiveElsewhere(target, check);
  const entry = target.entry ?? (isOurs ? entered(machine, looksFor, now) : undefined);
  const statements = isLiveElsewhere(target, check) ? [] : aboutRequest(target, { check, isOurs });
  const effects = statements.length > 0 ? said(machine, machine.status, { statements, now }) : [];
  return { ...(entry && { entry }), effects, wakeAt: after(now, LOOK_FOR_REQUEST_MS) };
}

/** That a request cannot be read, or that it is there where the Machine said otherwise. What somebody at work on it says stays. */
function aboutRequest(
  { request, looksFor, target: { machine } }: TargetSeen,
  { check, isOurs }: { readonly check: string; readonly isOurs: boolean },
): readonly Statement[] {
  if (!looksFor || isTakenUp(machine) || markedAt(machine) === undefined) return [];
  if (request?.kind === 'unreadable') {
    const what = `${looksFor.kind} ${machine.metadata.namespace ?? ''}/${machine.metadata.name}`;
    return [unreadable(`whether there is a ${what} cannot be read, so nobody is asked: ${request.reason}`, machine)];
  }
  return isOurs && isMissed(machine) ? [claimed(claimOf(machine) ?? { request: looksFor, check }, machine)] : [];
}

const entered = ({ metadata }: Machine, request: RequestKind | undefined, now: Instant): Remediation => ({
  machine: metadata.name,
  uid: metadata.uid,
  since: toTime(now),
  ...(request && { request: { apiVersion: request.apiVersion, kind: request.kind } }),
});

/** Since when the Machine says itself that it fails; nothing is asked for before it does. */
export function markedAt({ status }: Machine): Instant | undefined {
  const stated = status && statedOf(status, 'HealthCheckSucceeded');
  return stated?.status === 'False' ? parseTime(stated.lastTransitionTime) : undefined;
}

const isGone = ({ verdict }: TargetSeen): boolean => verdict.kind === 'unhealthy' && verdict.fault === 'NodeDeleted';

/** An owner that was asked already goes on in its own way: what it says about it stays. */
function askOwner(target: TargetSeen, now: Instant): Course {
  const { machine } = target.target;
  const { request: _formerKind, ...known } = target.entry ?? entered(machine, undefined, now);
  const owner: Statement = hasOwner(machine) ? OWNED : UNOWNED;
  // No request is open: what an earlier template left on the Machine is over.
  const status = unstate(machine.status ?? {}, 'ExternallyRemediated');
  const statements = isOwnerAsked(machine) ? [owner] : [WAITING_FOR_OWNER, owner];
  return {
    entry: known,
    effects: said(machine, status, { statements, now }),
    wakeAt: after(now, LOOK_FOR_REQUEST_MS),
    begins: !target.entry && !isOwnerAsked(machine),
    ...(isOrphan(machine) && { isAskedOfNobody: true }),
  };
}

const WAITING_FOR_OWNER: Statement = {
  type: 'OwnerRemediated',
  holds: false,
  reason: 'WaitingForRemediation',
  message: 'its owner is asked to replace it',
  old: { reason: 'WaitingForRemediation', message: '' },
};
const OWNED: Statement = { type: 'HasRemediatingOwner', holds: true, reason: 'HasOwner', message: '' };
const UNOWNED: Statement = {
  type: 'HasRemediatingOwner',
  holds: false,
  reason: 'NoOwner',
  message: 'no MachineSet or control plane owns it that would replace it: replace it by hand, or give its check a remediation template',
};

const hasOwner = ({ metadata }: Machine): boolean =>
  (metadata.ownerReferences ?? []).some(({ kind }) => kind === 'MachineSet' || kind.endsWith('ControlPlane'));

/** Whether nobody at all owns it, not even somebody whose way of mending it we do not know. */
const isOrphan = ({ metadata }: Machine): boolean => (metadata.ownerReferences ?? []).length === 0;

function askOutside(seen: Seen, target: TargetSeen, { external, now }: { readonly external: TemplateSeen; readonly now: Instant }): Course {
  const { requests, template, reference } = external;
  const { machine } = target.target;
  const kept = keep(target, now);
  if (!requests || target.request === undefined || isWithOwner(machine)) return kept;
  const request: RequestKind = { apiVersion: reference.apiVersion, kind: requests.kind };
  const begins = !target.entry;
  // What was looked for is of another kind, from an earlier template: that is over, and what this one makes is looked for first.
  if (!sameJson(target.looksFor, request)) {
    const effects = said(machine, unstate(machine.status ?? {}, 'ExternallyRemediated'), { statements: [], now });
    return { entry: entered(machine, request, now), effects, wakeAt: after(now, LOOK_AT_ONCE_MS), begins };
  }
  if (template?.kind !== 'value') {
    const statements = [templateMissing(external, machine)];
    return { ...kept, effects: said(machine, machine.status, { statements, now }), wakeAt: after(now, LOOK_FOR_TEMPLATE_MS) };
  }
  const present = stillFailing(target);
  if (!present) return { ...kept, wakeAt: after(now, LOOK_AT_ONCE_MS) };
  const { effects, wakeAt } = claiming(present, { request, check: seen.read.name }, now);
  return {
    entry: target.entry ?? entered(machine, request, now),
    effects: [...effects, { kind: 'Create', resource: requests, object: requestDraft(template.value, reference, present) }],
    wakeAt,
    begins,
  };
}

/** The claim, under the version that the server has. Where it stands already, what was asked for is missing: whether it comes now is looked at soon. */
function claiming(present: Machine, claim: Claim, now: Instant): Required<Pick<Course, 'effects' | 'wakeAt'>> {
  const isMissing = isAwaited(present, claim);
  const statements = [isMissing ? notMade(claim, present) : claimed(claim, present)];
  const wakeAt = after(now, isMissing ? LOOK_AT_ONCE_MS : LOOK_FOR_REQUEST_MS);
  return { effects: said(present, unheard(present), { statements, now }), wakeAt };
}

/** The Machine as the server has it, if that is the one that was judged and nobody else was asked meanwhile. */
function stillFailing({ target: { machine }, onServer }: TargetSeen): Machine | undefined {
  const present = onServer?.kind === 'value' ? onServer.value : undefined;
  if (!present || !isSame(present, machine) || present.metadata.deletionTimestamp !== undefined) return undefined;
  return !isWithOwner(present) && !isLeftAlone(present) && markedAt(present) !== undefined ? present : undefined;
}

/**
 * Whether nobody wrote there meanwhile: neither a check its claim, nor whoever acts on a request that it is at work, nor its provider that it has a
 * Node now, by which it may be well.
 */
const isSame = ({ metadata: one }: Machine, { metadata: other }: Machine): boolean =>
  one.uid === other.uid && one.resourceVersion === other.resourceVersion;

function templateMissing({ reference, template }: TemplateSeen, machine: Machine): Statement {
  const why = template?.kind === 'unreadable' ? `cannot be read: ${template.reason}` : 'is not there';
  return withoutTemplate(
    `${reference.kind} ${machine.metadata.namespace ?? ''}/${reference.name} ${why}; no request is made without it`,
    machine,
  );
}

const isOwnerAsked = ({ status = {} }: Machine): boolean => statedOf(status, 'OwnerRemediated')?.status === 'False';

/** Whether its owner may act, so that nobody else is asked. Where nobody owns it and nobody took it up, it was asked of nobody. */
const isWithOwner = (machine: Machine): boolean =>
  isOwnerAsked(machine) && (hasOwner(machine) || statedOf(machine.status ?? {}, 'OwnerRemediated')?.reason !== WAITING_FOR_OWNER.reason);

/** Without what was asked of nobody: an owner that comes later is not to take it up beside the request. */
const unheard = (machine: Machine): Machine['status'] =>
  isOwnerAsked(machine) && !isWithOwner(machine) ? unstate(machine.status ?? {}, 'OwnerRemediated') : machine.status;

/** The statements on the Machine, on top of a status that it is to have. */
function said(
  machine: Machine,
  status: Machine['status'],
  { statements, now }: { readonly statements: readonly Statement[]; readonly now: Instant },
): readonly Effect[] {
  const stated = state(status ?? {}, statements, { generation: machine.metadata.generation ?? 0, now });
  if (stated === machine.status) return [];
  const { resourceVersion } = machine.metadata;
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion, status: stated }];
}
