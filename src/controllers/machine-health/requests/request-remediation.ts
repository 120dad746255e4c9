import { Machine } from '../../../api/machine/machine.ts';
import { keyOf } from '../../../api/meta.ts';
import { after, MINUTE, parseTime, sameJson, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import {
  claimCondition,
  claimOf,
  foreignRequestCondition,
  isRequestAwaited,
  isRequestReportedMissing,
  isRequestOfCheck,
  isInProgressElsewhere,
  requestMissingCondition,
  requestUnreadableCondition,
  templateMissingCondition,
  type RemediationClaim,
  type RequestKind,
} from './claim.ts';
import { requestDraft } from './external-request.ts';
import { isClaimedByOtherCheck } from './requests-of-other-checks.ts';
import type { CheckObservation, TargetObservation, TemplateObservation } from '../check/observe-check.ts';
import type { RecordedRemediation } from './observe-requests.ts';
import { hasActingOwner, hasOwnerKind, type ActingOwners } from '../owners/acting-owners.ts';
import { isExcludedFromRemediation, type ParsedCheck } from '../targets/parse-check.ts';
import { withConditions, conditionOf, withoutCondition, type DesiredCondition } from '../conditions/cluster-api-conditions.ts';

/** The action for one Machine: its record, the effects, and when to evaluate it again. */
export interface PlannedAction {
  readonly entry?: RecordedRemediation;
  readonly effects: readonly Effect[];
  readonly wakeAt?: Instant;
  /** Whether remediation is requested for the first time: only then can it be delayed. */
  readonly isNewRemediation?: boolean;
  /** Whether no owner exists that could act: the Machine is recorded, but nothing is running. */
  readonly hasNoRemediator?: boolean;
}

/** Templates and requests are not watched, so they are read again after a delay. */
const TEMPLATE_RECHECK_MS = MINUTE / 2;
const REQUEST_RECHECK_MS = MINUTE;
const IMMEDIATE_RECHECK_MS = SECOND;

type ValidCheckObservation = CheckObservation & { readonly parsed: ParsedCheck };

/**
 * Requests remediation of an unhealthy Machine from its owner or, with a template, from an external remediator. Never from both, and never
 * while a request is open. `isOpen` tells whether new remediations may start now.
 */
export function requestRemediation(
  seen: ValidCheckObservation,
  target: TargetObservation,
  { isOpen, now }: { readonly isOpen: boolean; readonly now: Instant },
): PlannedAction {
  const { machine } = target.target;
  const kept = keepRecorded(target, now);
  if (target.request.kind !== 'not-read' && target.request.kind !== 'absent') return keepOpenRequest(target, seen.parsed.name, now);
  const failedAt = unhealthySince(machine);
  if (!isOpen || failedAt === undefined || isNotAllowed(target)) return kept;
  // The end of another check's remediation may cause no event for this check.
  if (mayBeRequestedElsewhere(target, seen.parsed.name)) return { ...kept, wakeAt: after(now, REQUEST_RECHECK_MS) };
  const until = graceEnd(target, seen.parsed.check.missingNodeGraceMs, now);
  if (until !== undefined) return { ...kept, wakeAt: until };
  return seen.external
    ? requestFromTemplate(seen, target, { external: seen.external, now })
    : requestFromOwner(target, ownersOf(seen), now);
}

/** A Machine that is being deleted, or that another check's gate blocks. */
const isNotAllowed = ({ target: { machine }, others }: TargetObservation): boolean =>
  machine.metadata.deletionTimestamp !== undefined || !others.every(({ allows }) => allows);

/** Whether another check has requested remediation of the Machine, or may have. */
const mayBeRequestedElsewhere = (target: TargetObservation, check: string): boolean =>
  isClaimedByOtherCheck(target, check) || target.otherRequestMayBeOpen === true || isLeftToOtherRemediator(target);

/**
 * A Machine without a record on which another controller reports work without a claim. The check or template that requested it may no
 * longer exist.
 */
export const isLeftToOtherRemediator = ({ entry, target: { machine } }: TargetObservation): boolean =>
  !entry && isInProgressElsewhere(machine);

/** Keeps the record, and evaluates the Machine again after a delay. */
export const keepRecorded = ({ entry }: TargetObservation, now: Instant): PlannedAction =>
  entry ? { entry, effects: [], wakeAt: after(now, REQUEST_RECHECK_MS) } : { effects: [] };

/** A request is open, or cannot be read. An own request without a record is recorded; another creator's request prevents a new one. */
function keepOpenRequest(target: TargetObservation, check: string, now: Instant): PlannedAction {
  const { request, requestKind } = target;
  const { machine } = target.target;
  const isOurs = request.kind === 'value' && isRequestOfCheck(request.value, machine) && !isClaimedByOtherCheck(target, check);
  const entry = target.entry ?? (isOurs ? newRecord(machine, requestKind, now) : undefined);
  const statements = isClaimedByOtherCheck(target, check) ? [] : requestConditions(target, { check, isOurs });
  const effects = statements.length > 0 ? patchConditions(machine, machine.status, { statements, now }) : [];
  return { ...(entry && { entry }), effects, wakeAt: after(now, REQUEST_RECHECK_MS) };
}

/** Reports why no request can be created, or corrects such a report. A report of the remediator stays. */
function requestConditions(
  { request, requestKind, target: { machine } }: TargetObservation,
  { check, isOurs }: { readonly check: string; readonly isOurs: boolean },
): readonly DesiredCondition[] {
  if (!requestKind || isInProgressElsewhere(machine) || unhealthySince(machine) === undefined) return [];
  const obstacle = obstacleToRequest(request, requestKind, machine);
  if (obstacle) return [obstacle];
  return isOurs && isRequestReportedMissing(machine) ? [claimCondition(claimOf(machine) ?? { request: requestKind, check }, machine)] : [];
}

/** A request that cannot be read, or that another creator made. */
function obstacleToRequest(request: TargetObservation['request'], kind: RequestKind, machine: Machine): DesiredCondition | undefined {
  if (request.kind === 'value') return isRequestOfCheck(request.value, machine) ? undefined : foreignRequestCondition(kind, machine);
  if (request.kind !== 'unreadable') return undefined;
  const what = `${kind.kind} ${machine.metadata.namespace ?? ''}/${machine.metadata.name}`;
  return requestUnreadableCondition(`${what} cannot be read, so no remediation is requested: ${request.reason}`, machine);
}

const newRecord = ({ metadata }: Machine, request: RequestKind | undefined, now: Instant): RecordedRemediation => ({
  machine: metadata.name,
  uid: metadata.uid,
  since: toTime(now),
  ...(request && { request: { apiVersion: request.apiVersion, kind: request.kind } }),
});

/** Since when the Machine is reported unhealthy; no remediation is requested before. */
export function unhealthySince({ status }: Machine): Instant | undefined {
  const stated = status && conditionOf(status, 'HealthCheckSucceeded');
  return stated?.status === 'False' ? parseTime(stated.lastTransitionTime) : undefined;
}

/** Until when a Node that is gone may come back, so that no remediation is requested; undefined where none is waited for. */
export function graceEnd(target: TargetObservation, graceMs: number, now: Instant): Instant | undefined {
  const failedAt = isNodeDeleted(target) ? unhealthySince(target.target.machine) : undefined;
  const until = failedAt === undefined ? undefined : after(failedAt, graceMs);
  return until !== undefined && now < until ? until : undefined;
}

const isNodeDeleted = ({ verdict }: TargetObservation): boolean => verdict.kind === 'unhealthy' && verdict.fault === 'NodeDeleted';

/** Where it was not read whether a controller acts, none is known to. */
const ownersOf = ({ owners = NO_ACTING_OWNERS }: ValidCheckObservation): ActingOwners => owners;
const NO_ACTING_OWNERS: ActingOwners = { machineSets: false, controlPlanes: false };

/** Once requested, the owner proceeds by itself: its conditions stay. */
function requestFromOwner(target: TargetObservation, owners: ActingOwners, now: Instant): PlannedAction {
  const { machine } = target.target;
  const { request: _formerKind, ...known } = target.entry ?? newRecord(machine, undefined, now);
  const owner = remediatingOwner(machine, owners);
  // No request is open, so the condition of an earlier template is obsolete.
  const status = withoutCondition(machine.status ?? {}, 'ExternallyRemediated');
  const statements = isRequestedFromOwner(machine) ? [owner] : [WAITING_FOR_OWNER, owner];
  return {
    entry: known,
    effects: patchConditions(machine, status, { statements, now }),
    wakeAt: after(now, REQUEST_RECHECK_MS),
    isNewRemediation: !target.entry && !isRequestedFromOwner(machine),
    ...(hasNoOwnerAtAll(machine) && { hasNoRemediator: true }),
  };
}

const WAITING_FOR_OWNER: DesiredCondition = {
  type: 'OwnerRemediated',
  holds: false,
  reason: 'WaitingForRemediation',
  // Cluster API's words.
  message: 'Waiting for remediation',
  old: { reason: 'WaitingForRemediation', message: '' },
};
const OWNED: DesiredCondition = { type: 'HasRemediatingOwner', holds: true, reason: 'HasOwner', message: '' };
const UNOWNED: DesiredCondition = {
  type: 'HasRemediatingOwner',
  holds: false,
  reason: 'NoOwner',
  message:
    'no MachineSet or control plane owns it, so nothing replaces it. Next: replace it by hand, or give its MachineHealthCheck a remediation template',
};

const NOT_ACTING: DesiredCondition = {
  type: 'HasRemediatingOwner',
  holds: false,
  reason: 'OwnerNotActing',
  message:
    'no controller is known to act for its owner, so nothing replaces it. Next: start that controller (for MachineSets of Sickbay: machineOwner.enabled), ' +
    'replace the Machine by hand, or give its MachineHealthCheck a remediation template',
};

/** An owner counts only while a controller for it is known to act (ruling 124). */
function remediatingOwner(machine: Machine, owners: ActingOwners): DesiredCondition {
  if (hasActingOwner(machine, owners)) return OWNED;
  return hasOwnerKind(machine) ? NOT_ACTING : UNOWNED;
}

/** Whether the Machine has no owner at all, not even of an unknown kind. */
const hasNoOwnerAtAll = ({ metadata }: Machine): boolean => (metadata.ownerReferences ?? []).length === 0;

function requestFromTemplate(
  seen: ValidCheckObservation,
  target: TargetObservation,
  { external, now }: { readonly external: TemplateObservation; readonly now: Instant },
): PlannedAction {
  const { requests, template, reference } = external;
  const { machine } = target.target;
  const kept = keepRecorded(target, now);
  if (!requests || target.request.kind === 'not-read' || mayOwnerAct(machine, ownersOf(seen))) return kept;
  const request: RequestKind = { apiVersion: reference.apiVersion, kind: requests.kind };
  const isNewRemediation = !target.entry;
  // The request that was read is of an earlier template's kind, and finished. The current kind is read first.
  if (!sameJson(target.requestKind, request)) {
    const effects = patchConditions(machine, withoutCondition(machine.status ?? {}, 'ExternallyRemediated'), { statements: [], now });
    return { entry: newRecord(machine, request, now), effects, wakeAt: after(now, IMMEDIATE_RECHECK_MS), isNewRemediation };
  }
  if (template.kind !== 'value') {
    const statements = [templateMissing(external, machine)];
    return { ...kept, effects: patchConditions(machine, machine.status, { statements, now }), wakeAt: after(now, TEMPLATE_RECHECK_MS) };
  }
  const present = unchangedLiveMachine(target, ownersOf(seen));
  if (!present) return { ...kept, wakeAt: after(now, IMMEDIATE_RECHECK_MS) };
  const { effects, wakeAt } = claimAction(present, { claim: { request, check: seen.parsed.name }, owners: ownersOf(seen) }, now);
  return {
    entry: target.entry ?? newRecord(machine, request, now),
    effects: [...effects, { kind: 'Create', resource: requests, object: requestDraft(template.value, reference, present) }],
    wakeAt,
    isNewRemediation,
  };
}

/** Writes the claim under the live resourceVersion. If the claim exists already the request is missing: it is created again and read soon. */
function claimAction(
  present: Machine,
  { claim, owners }: { readonly claim: RemediationClaim; readonly owners: ActingOwners },
  now: Instant,
): Required<Pick<PlannedAction, 'effects' | 'wakeAt'>> {
  const isMissing = isRequestAwaited(present, claim);
  const statements = [isMissing ? requestMissingCondition(claim, present) : claimCondition(claim, present)];
  const wakeAt = after(now, isMissing ? IMMEDIATE_RECHECK_MS : REQUEST_RECHECK_MS);
  return { effects: patchConditions(present, withoutUnownedRequest(present, owners), { statements, now }), wakeAt };
}

/** The live Machine, if it is the version that was evaluated and no other remediation was requested meanwhile. */
function unchangedLiveMachine({ target: { machine }, liveMachine }: TargetObservation, owners: ActingOwners): Machine | undefined {
  const present = liveMachine.kind === 'value' ? liveMachine.value : undefined;
  if (!present || !isSameVersion(present, machine) || present.metadata.deletionTimestamp !== undefined) return undefined;
  return !mayOwnerAct(present, owners) && !isExcludedFromRemediation(present) && unhealthySince(present) !== undefined
    ? present
    : undefined;
}

/** Whether no other writer changed the Machine meanwhile: another check with its claim, a remediator, or a provider that set its Node. */
const isSameVersion = ({ metadata: one }: Machine, { metadata: other }: Machine): boolean =>
  one.uid === other.uid && one.resourceVersion === other.resourceVersion;

function whyMissing(template: TemplateObservation['template']): string {
  if (template.kind === 'unreadable') return `cannot be read: ${template.reason}`;
  return template.kind === 'absent' ? 'does not exist' : 'was not read';
}

function templateMissing({ reference, template }: TemplateObservation, machine: Machine): DesiredCondition {
  const why = whyMissing(template);
  return templateMissingCondition(
    `${reference.kind} ${machine.metadata.namespace ?? ''}/${reference.name} ${why}; no request is created without it`,
    machine,
  );
}

const isRequestedFromOwner = ({ status = {} }: Machine): boolean => conditionOf(status, 'OwnerRemediated')?.status === 'False';

/** Whether the owner may act, so that no other remediation is requested. Where no owner acts the condition alone requests nothing. */
const mayOwnerAct = (machine: Machine, owners: ActingOwners): boolean =>
  isRequestedFromOwner(machine) &&
  (hasActingOwner(machine, owners) || conditionOf(machine.status ?? {}, 'OwnerRemediated')?.reason !== WAITING_FOR_OWNER.reason);

/** Without a request on which no owner acts: an owner added or started later must not act on it beside the external request. */
const withoutUnownedRequest = (machine: Machine, owners: ActingOwners): Machine['status'] =>
  isRequestedFromOwner(machine) && !mayOwnerAct(machine, owners)
    ? withoutCondition(machine.status ?? {}, 'OwnerRemediated')
    : machine.status;

/** Writes the conditions on top of the given status; no effect when nothing changes. */
function patchConditions(
  machine: Machine,
  status: Machine['status'],
  { statements, now }: { readonly statements: readonly DesiredCondition[]; readonly now: Instant },
): readonly Effect[] {
  const stated = withConditions(status ?? {}, statements, { generation: machine.metadata.generation ?? 0, now });
  if (stated === machine.status) return [];
  const { resourceVersion } = machine.metadata;
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion, status: stated }];
}
