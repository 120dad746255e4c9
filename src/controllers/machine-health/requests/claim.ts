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

/** Which check asked for a Machine to be mended, and with what kind of request. */
export interface RemediationClaim {
  readonly request: RequestKind;
  readonly check: string;
}

const WAITING = 'WaitingForRemediation';
const NO_TEMPLATE = 'RemediationTemplateNotFound';
const UNREADABLE = 'RemediationRequestUnreadable';
const NOT_MADE = 'RemediationRequestCreationFailed';

/**
 * The claim as the Machine states it. It is written under the Machine's version before a request is made: of two checks that are about one
 * Machine, or of two processes, only one gets it through.
 */
export const claimCondition = ({ request, check }: RemediationClaim, { metadata }: Machine): DesiredCondition => ({
  type: 'ExternallyRemediated',
  holds: false,
  reason: WAITING,
  message: claimText({ request, check }, metadata.name),
});

/** That nothing can be asked for without a template. A claim outlasts it: the request may be on its way from a process that came to a halt. */
export const templateMissingCondition = (why: string, machine: Machine): DesiredCondition =>
  keepingClaim(claimOf(machine), machine, { reason: NO_TEMPLATE, why });

/** That nobody can tell whether a request is open, so that none is made and none taken back. */
export const requestUnreadableCondition = (why: string, machine: Machine): DesiredCondition =>
  keepingClaim(claimOf(machine), machine, { reason: UNREADABLE, why });

/** That what was asked for is not there. Why that is, only the process knows that tried to make it. */
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

/** Whether somebody outside says that it is at work on a Machine, where the claim stood: that is theirs to write, and does not say who asked. */
export function isInProgressElsewhere(machine: Machine): boolean {
  const stated = conditionOf(machine.status ?? {}, 'ExternallyRemediated');
  return stated?.status === 'False' && !isWrittenByChecks(stated.reason);
}

const BY_US: readonly string[] = [WAITING, NO_TEMPLATE, UNREADABLE, NOT_MADE];
const isWrittenByChecks = (reason = ''): boolean => BY_US.includes(reason);

const hasReason = ({ status = {} }: Machine, reasons: readonly string[]): boolean =>
  reasons.includes(conditionOf(status, 'ExternallyRemediated')?.reason ?? '');

/** Whether the Machine says that a request is awaited, of this kind and by this check. */
export const isRequestAwaited = (machine: Machine, claim: RemediationClaim): boolean =>
  hasReason(machine, [WAITING, NOT_MADE]) && sameJson(claimOf(machine), claim);

/** Whether the Machine says that its request is not there or cannot be read. */
export const isRequestReportedMissing = (machine: Machine): boolean => hasReason(machine, [UNREADABLE, NOT_MADE]);

/** Whether the Machine says no more than why nobody was asked. Nothing was begun with that: whoever finds it well may take it off. */
export const reportsNoRequest = (machine: Machine): boolean =>
  hasReason(machine, [NO_TEMPLATE, UNREADABLE]) && claimOf(machine) === undefined;

/**
 * Who else than this kind of request was asked to mend a Machine; undefined when nobody was. A request that came too late, from a process
 * that had come to a halt, finds that out before it does anything.
 */
export function otherRemediator(machine: Machine, kind: string): string | undefined {
  const claim = claimOf(machine);
  if (claim) return claim.request.kind === kind ? undefined : `a ${claim.request.kind}`;
  return conditionOf(machine.status ?? {}, 'OwnerRemediated')?.status === 'False' ? 'its owner' : undefined;
}

/** Whether a check made this request for this Machine: what a person made, or what belongs to an earlier Machine of the name, is left alone. */
export const isRequestOfCheck = ({ metadata }: KubeObject, machine: Machine): boolean =>
  (metadata.ownerReferences ?? []).some(({ kind, uid }) => kind === 'Machine' && uid === machine.metadata.uid) &&
  ANNOTATIONS.clonedFromName in (metadata.annotations ?? {}) &&
  ANNOTATIONS.clonedFromGroupKind in (metadata.annotations ?? {});
