import type { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { sameJson } from '../../../base/index.ts';
import { conditionOf, type DesiredCondition } from '../conditions/cluster-api-conditions.ts';

/** The kind of a request; its name is that of the Machine. */
export interface RequestKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Which check requested remediation of a Machine, and with what kind of request. */
export interface RemediationClaim {
  readonly request: RequestKind;
  readonly check: string;
}

const WAITING = 'WaitingForRemediation';
const NO_TEMPLATE = 'RemediationTemplateNotFound';
const UNREADABLE = 'RemediationRequestUnreadable';
const FOREIGN = 'RemediationRequestNotOurs';
const NOT_MADE = 'RemediationRequestCreationFailed';

/**
 * The claim, as a condition of the Machine. It is written under the Machine's resourceVersion before a request is created: of two checks or
 * two processes, only one succeeds.
 */
export const claimCondition = ({ request, check }: RemediationClaim, { metadata }: Machine): DesiredCondition => ({
  type: 'ExternallyRemediated',
  holds: false,
  reason: WAITING,
  message: claimText({ request, check }, metadata.name),
});

/** Reports a missing template. An existing claim stays: a stalled process may still create the request. */
export const templateMissingCondition = (why: string, machine: Machine): DesiredCondition =>
  keepingClaim(claimOf(machine), machine, { reason: NO_TEMPLATE, why });

/** Reports that the request cannot be read, so that none is created or withdrawn. */
export const requestUnreadableCondition = (why: string, machine: Machine): DesiredCondition =>
  keepingClaim(claimOf(machine), machine, { reason: UNREADABLE, why });

/** Reports that an object of the request's kind and name is there that no check created for this Machine, so that none can be created. */
export function foreignRequestCondition({ kind }: RequestKind, machine: Machine): DesiredCondition {
  const why =
    `${kind} ${machine.metadata.namespace ?? ''}/${machine.metadata.name} exists and was not created by Sickbay for this Machine, so no remediation ` +
    'is requested while it does. Next: delete it, if no remediator works on it';
  return keepingClaim(claimOf(machine), machine, { reason: FOREIGN, why });
}

/** Reports that the requested object does not exist. Only the process that tried to create it knows why. */
export function requestMissingCondition(claim: RemediationClaim, machine: Machine): DesiredCondition {
  const { kind } = claim.request;
  const why =
    `${kind} ${machine.metadata.name} does not exist although it was requested. Sickbay creates it again. If this stays, the server refuses it: ` +
    `check that kind ${kind} is defined and that Sickbay may create it (Sickbay's log has the answer)`;
  return keepingClaim(claim, machine, { reason: NOT_MADE, why });
}

function keepingClaim(
  claim: RemediationClaim | undefined,
  { metadata }: Machine,
  { reason, why }: { readonly reason: string; readonly why: string },
): DesiredCondition {
  const message = claim ? `${why}; ${claimText(claim, metadata.name)}` : why;
  return { type: 'ExternallyRemediated', holds: false, reason, message };
}

const claimText = ({ request, check }: RemediationClaim, name: string): string =>
  `remediation was requested from ${request.kind} ${name} (${request.apiVersion}) by MachineHealthCheck ${check}`;

/** The second form was written by earlier versions of Sickbay. */
const CLAIMS = [
  /(?:^|; )remediation was requested from (\S+) \S+ \((\S+)\) by MachineHealthCheck (\S+)$/,
  /(?:^|; )(\S+) \S+ \((\S+)\) was asked to mend it by the check (\S+)$/,
];

/** The claim on a Machine; undefined when no check requested remediation through a template. */
export function claimOf({ status = {} }: Machine): RemediationClaim | undefined {
  const stated = conditionOf(status, 'ExternallyRemediated');
  if (!isWrittenByChecks(stated?.reason)) return undefined;
  const message = stated?.message ?? '';
  const [, kind, apiVersion, check] = CLAIMS.map((pattern) => pattern.exec(message)).find((found) => found !== null) ?? [];
  return kind !== undefined && apiVersion !== undefined && check !== undefined ? { request: { kind, apiVersion }, check } : undefined;
}

/**
 * Whether another controller reports in ExternallyRemediated that it is at work. Its text replaces the claim, so it does not tell which check
 * requested it.
 */
export function isInProgressElsewhere(machine: Machine): boolean {
  const stated = conditionOf(machine.status ?? {}, 'ExternallyRemediated');
  return stated?.status === 'False' && !isWrittenByChecks(stated.reason);
}

const BY_US: readonly string[] = [WAITING, NO_TEMPLATE, UNREADABLE, FOREIGN, NOT_MADE];
const isWrittenByChecks = (reason = ''): boolean => BY_US.includes(reason);

const hasReason = ({ status = {} }: Machine, reasons: readonly string[]): boolean =>
  reasons.includes(conditionOf(status, 'ExternallyRemediated')?.reason ?? '');

/** Whether the Machine reports that a request of this kind by this check is awaited. */
export const isRequestAwaited = (machine: Machine, claim: RemediationClaim): boolean =>
  hasReason(machine, [WAITING, NOT_MADE]) && sameJson(claimOf(machine), claim);

/** Whether the Machine reports its request as missing, unreadable or created by another. */
export const isRequestReportedMissing = (machine: Machine): boolean => hasReason(machine, [UNREADABLE, FOREIGN, NOT_MADE]);

/** Whether the Machine only reports why no remediation was requested. Nothing was started, so it may be cleared when the Machine is healthy. */
export const reportsNoRequest = (machine: Machine): boolean =>
  hasReason(machine, [NO_TEMPLATE, UNREADABLE, FOREIGN]) && claimOf(machine) === undefined;

/**
 * Which other remediator was requested for a Machine; undefined when none was. A stale request, created by a process that had stalled, stops
 * here before it acts.
 */
export function otherRemediator(machine: Machine, kind: string): string | undefined {
  const claim = claimOf(machine);
  if (claim) return claim.request.kind === kind ? undefined : `a ${claim.request.kind}`;
  return conditionOf(machine.status ?? {}, 'OwnerRemediated')?.status === 'False' ? 'its owner' : undefined;
}

/** Whether a check created this request for this Machine. Requests created by hand, or for an earlier Machine of the name, are not changed. */
export const isRequestOfCheck = ({ metadata }: KubeObject, machine: Machine): boolean =>
  (metadata.ownerReferences ?? []).some(({ kind, uid }) => kind === 'Machine' && uid === machine.metadata.uid) &&
  ANNOTATIONS.clonedFromName in (metadata.annotations ?? {}) &&
  ANNOTATIONS.clonedFromGroupKind in (metadata.annotations ?? {});
