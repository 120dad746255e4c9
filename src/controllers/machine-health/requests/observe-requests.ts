import { gateAllows } from '../../../api/machine-health-check/unhealthy-limit.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { TemplateReference } from '../../../api/machine-health-check/normalise.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { keyOf, type KubeObject } from '../../../api/meta.ts';
import { sameJson, toTime, type Instant } from '../../../base/index.ts';
import { NOT_READ, type OptionalRead } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { claimOf, type RequestKind } from './claim.ts';
import { requestResource, templateResource, type RemediationTemplate } from './external-request.ts';
import { mayHaveLostClaim } from './lost-claim.ts';
import { lookupsOfOtherChecks, requestsOfOtherChecks, isClaimedByOtherCheck, withOtherRecords } from './requests-of-other-checks.ts';
import { fetchedRequest, fetchRequests, type FetchedRequests, type RequestLookup } from './fetch-requests.ts';
import type { TargetObservation, TemplateObservation } from '../check/observe-check.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import type { FullListTimes } from './full-list-times.ts';
import type { ListedTargets } from '../targets/target-list.ts';
import { mayBeWithdrawn } from './withdraw-request.ts';
import { needsTemplateRead } from './template-available.ts';
import { BY_NAMESPACE } from '../watches/watches.ts';
import type { Definitions } from '../other-controllers/managing-controller.ts';

/** What a check records in its status about a Machine for which it requested remediation. */
export type RecordedRemediation = NonNullable<NonNullable<MachineHealthCheck['status']>['remediations']>[number];

/** A recorded Machine that the check no longer selects. */
export interface DeselectedMachine {
  readonly entry: RecordedRemediation;
  /** Absent when the Machine no longer exists. */
  readonly machine?: Machine;
  /** Whether the Machine carries the claim of another check that exists. */
  readonly isClaimedElsewhere?: boolean;
  readonly request: OptionalRead<KubeObject>;
}

/** The targets with their requests, and what is needed to create missing requests. */
export interface RequestsObservation extends ListedTargets {
  readonly deselected: readonly DeselectedMachine[];
  /** UIDs of existing Machines with counted attempts that the check does not select now. */
  readonly deselectedWithAttempts: readonly string[];
  readonly external?: TemplateObservation;
}

interface Where {
  readonly reader: Reader;
  readonly object: MachineHealthCheck;
  readonly parsed: ParsedCheck;
  /** Sickbay's own when absent. */
  readonly definitions?: Definitions;
  readonly fullLists: FullListTimes;
  readonly now: Instant;
  /** The kind of which all requests are listed in this pass. */
  readonly fullList: RequestKind | undefined;
}

/** Which targets are needed in full: all of them when all requests are listed, otherwise those that the check recorded. */
export function targetsToRequest(
  object: MachineHealthCheck,
  { check: { template } }: ParsedCheck,
  { fullLists, now }: Pick<Where, 'fullLists' | 'now'>,
): { readonly names: 'all' | readonly string[]; readonly fullList: RequestKind | undefined } {
  const kind = template && kindOf(template);
  const nextAt = fullLists.nextAt(object);
  if (!kind || (nextAt !== undefined && now < nextAt)) return { names: recordedNames(object), fullList: undefined };
  fullLists.record(object, now);
  return { names: 'all', fullList: kind };
}

/** Reads the requests that are open or may be, and what is needed to create those that are missing. */
export async function observeRequests({ names, targets: listed }: ListedTargets, where: Where): Promise<RequestsObservation> {
  const { reader, parsed, object, fullList } = where;
  const { template } = parsed.check;
  const kind = template && kindOf(template);
  const mayRequest = gateMayBeOpen(parsed, { names, targets: listed });
  const shared = withOtherRecords(listed, { reader, namespace: parsed.namespace });
  const targets = withRequestKinds(shared, { object, parsed, kind: mayRequest ? kind : undefined, claimedKind: kind, fullList });
  const deselected = [...deselectedRecords(object, targets, reader), ...deselectedByClaim(names, where)];
  const beside = targets.flatMap((target) => [...lookupOfOrphaned(target), ...lookupsOfOtherChecks(target)]);
  const lookups = [...targets.flatMap(lookupOf), ...beside, ...deselected.flatMap(lookupOfDeselected)];
  const fetched = await fetchRequests(lookups, { reader, namespace: parsed.namespace, fullList });
  const seen = await withRequests(targets, fetched, { reader, mayRequest, check: parsed.name });
  const all = {
    names,
    targets: seen,
    deselected: deselected.map((one) => withDeselectedRequest(one, fetched)),
    deselectedWithAttempts: deselectedUidsWithAttempts(object, targets, reader),
  };
  return template ? { ...all, external: await observeTemplate(template, seen, where) } : all;
}

/** While the gate is certainly closed no remediation is requested, and the reads for it are skipped: in an outage those are thousands. */
export const gateMayBeOpen = ({ check }: ParsedCheck, { names, targets }: ListedTargets): boolean =>
  gateAllows(check.gate, { total: names.length, unhealthy: targets.filter(({ verdict }) => verdict.kind !== 'healthy').length });

/** Machines in the status of the check are observed in full even while they are healthy. */
const recordedNames = ({ status }: MachineHealthCheck): readonly string[] =>
  [...(status?.remediations ?? []), ...(status?.attempts ?? [])].map(({ machine }) => machine);

/** The kind of the requests that a template makes; undefined where the template's own kind does not end in Template. */
function kindOf(template: TemplateReference): RequestKind | undefined {
  const requests = requestResource(template);
  return requests && { apiVersion: template.apiVersion, kind: requests.kind };
}

interface LookupKinds {
  readonly object: MachineHealthCheck;
  readonly parsed: ParsedCheck;
  /** The kind that an unhealthy Machine may need now. */
  readonly kind: RequestKind | undefined;
  /** The kind that a Machine with the condition ExternallyRemediated may have. */
  readonly claimedKind: RequestKind | undefined;
  readonly fullList: RequestKind | undefined;
}

function withRequestKinds(targets: readonly TargetObservation[], kinds: LookupKinds): readonly TargetObservation[] {
  const record = new Map((kinds.object.status?.remediations ?? []).map((entry) => [entry.machine, entry]));
  return targets.map((target) => {
    const { name, uid } = target.target.machine.metadata;
    const known = record.get(name);
    const entry = known?.uid === uid ? known : undefined;
    const kind = requestKindOf(entry?.request ?? kindWithoutRecord(target, kinds), kinds.fullList);
    return entry || kind ? { ...target, ...(entry && { entry }), ...kind } : target;
  });
}

function requestKindOf(
  kind: RequestKind | undefined,
  fullList: RequestKind | undefined,
): Pick<TargetObservation, 'requestKind' | 'isFromFullList'> | undefined {
  if (kind) return { requestKind: kind };
  return fullList && { requestKind: fullList, isFromFullList: true };
}

/** The kind of request that may be open for a Machine without a record: the claimed kind, or the kind that it needs. */
function kindWithoutRecord(target: TargetObservation, { parsed, kind, claimedKind }: LookupKinds): RequestKind | undefined {
  if (isClaimedByOtherCheck(target, parsed.name)) return undefined;
  const claim = target.hasExternalCondition ? claimOf(target.target.machine) : undefined;
  if (claim) return claim.request;
  if (target.hasExternalCondition) return claimedKind;
  return target.verdict.kind === 'unhealthy' ? kind : undefined;
}

function deselectedRecords(
  object: MachineHealthCheck,
  targets: readonly TargetObservation[],
  reader: Reader,
): readonly DeselectedMachine[] {
  const kept = new Set(targets.flatMap(({ entry }) => entry?.machine ?? []));
  return (object.status?.remediations ?? [])
    .filter(({ machine }) => !kept.has(machine))
    .map((entry) => {
      const found = reader.get(Machine, { namespace: object.metadata.namespace ?? '', name: entry.machine });
      if (found.kind !== 'value' || found.value.metadata.uid !== entry.uid) return { entry, request: NOT_READ };
      return { entry, machine: found.value, isClaimedElsewhere: isClaimedElsewhere(found.value, object, reader), request: NOT_READ };
    });
}

/** A Machine that cannot be read may exist, so its attempts are kept. */
function deselectedUidsWithAttempts(
  { metadata, status }: MachineHealthCheck,
  targets: readonly TargetObservation[],
  reader: Reader,
): readonly string[] {
  const present = new Set(targets.map(({ target }) => target.machine.metadata.uid));
  return (status?.attempts ?? []).flatMap(({ machine, uid }) => {
    if (present.has(uid)) return [];
    const found = reader.get(Machine, { namespace: metadata.namespace ?? '', name: machine });
    return found.kind === 'unreadable' || (found.kind === 'value' && found.value.metadata.uid === uid) ? [uid] : [];
  });
}

/** Cluster API's definition of a check prunes `status.remediations`. There a deselected Machine is found by its claim alone. */
function deselectedByClaim(names: readonly string[], { reader, object, parsed, definitions, now }: Where): readonly DeselectedMachine[] {
  if (definitions !== 'cluster-api') return [];
  const machines = reader.list(Machine, { index: BY_NAMESPACE, value: parsed.namespace });
  const known = new Set([...names, ...recordedNames(object)]);
  return (machines.kind === 'value' ? machines.value : []).flatMap((machine) => {
    const { name, uid } = machine.metadata;
    const claim = known.has(name) ? undefined : claimOf(machine);
    if (claim?.check !== parsed.name) return [];
    return [{ machine, entry: { machine: name, uid, since: toTime(now), request: claim.request }, request: NOT_READ }];
  });
}

/** The claim of a check that no longer exists protects nothing: this check takes over the request, and withdraws it. */
function isClaimedElsewhere(machine: Machine, { metadata }: MachineHealthCheck, reader: Reader): boolean {
  const { check: name = metadata.name } = claimOf(machine) ?? {};
  return name !== metadata.name && reader.get(MachineHealthCheck, { namespace: metadata.namespace ?? '', name }).kind !== 'absent';
}

const lookupOf = ({ target, requestKind, isFromFullList = false }: TargetObservation): readonly RequestLookup[] =>
  requestKind ? [{ name: target.machine.metadata.name, kind: requestKind, isFromFullList }] : [];

/**
 * A request of another kind than the recorded one, orphaned by a deleted check or an earlier template. No other remediation is requested
 * while it is open.
 */
function lookupOfOrphaned({ target, entry, others, hasExternalCondition }: TargetObservation): readonly RequestLookup[] {
  const claim = hasExternalCondition && entry?.request ? claimOf(target.machine) : undefined;
  if (!claim || sameJson(claim.request, entry?.request) || others.some(({ name }) => name === claim.check)) return [];
  return [{ name: target.machine.metadata.name, kind: claim.request, isFromFullList: false }];
}

const lookupOfDeselected = ({ entry, machine }: DeselectedMachine): readonly RequestLookup[] =>
  machine && entry.request ? [{ name: entry.machine, kind: entry.request, isFromFullList: false }] : [];

function withDeselectedRequest(deselected: DeselectedMachine, fetched: FetchedRequests): DeselectedMachine {
  const [lookup] = lookupOfDeselected(deselected);
  return lookup ? { ...deselected, request: fetchedRequest(fetched, lookup) } : deselected;
}

interface LiveReads {
  readonly reader: Reader;
  /** Whether requests may be created now. */
  readonly mayRequest: boolean;
  /** The name of the check. */
  readonly check: string;
}

/** The targets with their requests; of thousands, only a few requests were read. */
async function withRequests(
  targets: readonly TargetObservation[],
  fetched: FetchedRequests,
  live: LiveReads,
): Promise<readonly TargetObservation[]> {
  const concerned = targets.filter(
    (target) => target.requestKind ?? (mayHaveLostClaim(target, live.check) || lookupsOfOtherChecks(target).length > 0),
  );
  const answered = await Promise.all(concerned.map(async (target) => [target, await withRequest(target, fetched, live)] as const));
  const byTarget = new Map(answered);
  return byTarget.size === 0 ? targets : targets.map((target) => byTarget.get(target) ?? target);
}

/** Where a request may be created, withdrawn or another check's, the Machine is read live too, since the cached one may be outdated. */
async function withRequest(target: TargetObservation, fetched: FetchedRequests, { reader, mayRequest, check }: LiveReads) {
  const seen = withFetched(target, fetched);
  const isAtStake = (mayRequest && mayBeCreated(seen)) || (mayBeWithdrawn(seen) && hasOpenRequest(seen)) || mayHaveLostClaim(seen, check);
  return isAtStake ? { ...seen, liveMachine: await reader.fetch(Machine, keyOf(target.target.machine)) } : seen;
}

function withFetched(target: TargetObservation, fetched: FetchedRequests): TargetObservation {
  const [lookup] = lookupOf(target);
  const [orphanedLookup] = lookupOfOrphaned(target);
  const request = lookup ? fetchedRequest(fetched, lookup) : NOT_READ;
  const orphaned = orphanedLookup && fetchedRequest(fetched, orphanedLookup);
  const held = requestsOfOtherChecks(target, fetched);
  if (orphaned && orphaned.kind !== 'absent' && orphaned.kind !== 'not-read')
    return { ...target, ...held, requestKind: orphanedLookup.kind, request: orphaned };
  return request.kind === 'not-read' ? { ...withoutRequestKind(target), ...held } : { ...target, ...held, request };
}

const mayBeCreated = ({ verdict, request }: TargetObservation): boolean => verdict.kind === 'unhealthy' && request.kind === 'absent';

const hasOpenRequest = ({ request }: TargetObservation): boolean =>
  request.kind === 'value' && request.value.metadata.deletionTimestamp === undefined;

function withoutRequestKind(target: TargetObservation): TargetObservation {
  const { requestKind: _, ...rest } = target;
  return rest;
}

/** The template is read where a request is to be created, with each full list, and until the check has reported that it exists. */
async function observeTemplate(
  reference: TemplateReference,
  targets: readonly TargetObservation[],
  { reader, parsed, fullLists, fullList, object }: Where,
): Promise<TemplateObservation> {
  const requests = requestResource(reference);
  const nextFullListAt = fullLists.nextAt(object);
  const isNeeded = targets.some((target) => target.liveMachine.kind !== 'not-read' && mayBeCreated(target));
  const template: OptionalRead<RemediationTemplate> =
    requests && (isNeeded || fullList !== undefined || needsTemplateRead(object))
      ? await reader.fetch(templateResource(reference), { namespace: parsed.namespace, name: reference.name })
      : NOT_READ;
  return { reference, requests, template, ...(nextFullListAt !== undefined && { nextFullListAt }) };
}
