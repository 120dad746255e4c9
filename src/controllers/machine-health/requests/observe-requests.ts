import { gateAllows } from '../../../api/machine-health-check/unhealthy-limit.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { TemplateReference } from '../../../api/machine-health-check/normalise.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { keyOf, type KubeObject } from '../../../api/meta.ts';
import { after, MINUTE, sameJson, toTime, type Instant } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { claimOf, type RequestKind } from './claim.ts';
import { requestResource, templateResource, type RemediationTemplate } from './external-request.ts';
import { lookupsOfOtherChecks, mayBeOpenForOtherCheck, isClaimedByOtherCheck, withOtherRecords } from './requests-of-other-checks.ts';
import { fetchRequests, type FetchedRequests, type RequestLookup } from './fetch-requests.ts';
import type { TargetObservation, TemplateObservation } from '../check/observe-check.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import type { ListedTargets } from '../targets/target-list.ts';
import { needsTemplateRead } from './template-available.ts';
import { BY_NAMESPACE } from '../watches/watches.ts';
import type { Definitions } from '../other-controllers/managing-controller.ts';

/** A Machine on the record of a check. */
export type RecordedRemediation = NonNullable<NonNullable<MachineHealthCheck['status']>['remediations']>[number];

/** A Machine on record that the check is not about any more. */
export interface DeselectedMachine {
  readonly entry: RecordedRemediation;
  /** Absent when it is gone. */
  readonly machine?: Machine;
  /** Whether the Machine says that another check has asked, and that check is there. */
  readonly isClaimedElsewhere?: boolean;
  readonly request?: Read<KubeObject>;
}

/** The Machines that a check is about, with those in full that are asked for by name. */
export type ListTargets = (asked: 'all' | readonly string[]) => ListedTargets;

/** What was found of those that somebody was asked to mend, or is to be asked. */
export interface RequestsObservation extends ListedTargets {
  readonly deselected: readonly DeselectedMachine[];
  /** Those with attempts on record that are there, and that it is not about now: their UIDs. */
  readonly deselectedWithAttempts: readonly string[];
  readonly external?: TemplateObservation;
}

/** A process that came to a halt may make a request long after it was taken back; so now and then all requests are looked at. */
export const FULL_LIST_INTERVAL_MS = 10 * MINUTE;

/** When each check last looked at all requests of its kind. Forgetting it costs one list. */
export type LastFullLists = Map<string, Instant>;

interface Where {
  readonly reader: Reader;
  readonly object: MachineHealthCheck;
  readonly read: ParsedCheck;
  /** Ours when absent. */
  readonly definitions?: Definitions;
  readonly lastFullLists: LastFullLists;
  readonly now: Instant;
}

/** Looks for the requests that are open or may be, and for what it takes to make those that are missing. */
export async function observeRequests(call: ListTargets, where: Where): Promise<RequestsObservation> {
  const { reader, read, object } = where;
  const { template } = read.check;
  const kind = template && kindOf(template);
  const sweep = kind && isFullListDue(where) ? kind : undefined;
  const { names, targets: judged } = call(sweep ? 'all' : recordedNames(object));
  const mayAsk = gateMayBeOpen(read, { names, targets: judged });
  const shared = withOtherRecords(judged, { reader, namespace: read.namespace });
  const targets = withRequestKinds(shared, { object, read, kind: mayAsk ? kind : undefined, claimedKind: kind, sweep });
  const deselected = [...deselectedRecords(object, targets, reader), ...deselectedByClaim(names, where)];
  const beside = targets.flatMap((target) => [...lookupOfOrphaned(target), ...lookupsOfOtherChecks(target)]);
  const looks = [...targets.flatMap(lookupOf), ...beside, ...deselected.flatMap(lookupOfDeselected)];
  const found = await fetchRequests(looks, { reader, namespace: read.namespace, sweep });
  const seen = await withRequests(targets, found, { reader, mayAsk });
  const freed = deselected.map((one) => withDeselectedRequest(one, found));
  const all = { names, targets: seen, deselected: freed, deselectedWithAttempts: deselectedUidsWithAttempts(object, targets, reader) };
  return template
    ? { ...all, external: await observeTemplate(template, { targets: seen, isFromFullList: sweep !== undefined }, where) }
    : all;
}

/** While the gate is surely closed nobody will be asked, and what that takes need not be looked for: in a storm those are thousands. */
export const gateMayBeOpen = ({ check }: ParsedCheck, { names, targets }: ListedTargets): boolean =>
  gateAllows(check.gate, { total: names.length, unhealthy: targets.filter(({ verdict }) => verdict.kind !== 'healthy').length });

/** Whoever a check remembers is looked at, however well. */
const recordedNames = ({ status }: MachineHealthCheck): readonly string[] =>
  [...(status?.remediations ?? []), ...(status?.attempts ?? [])].map(({ machine }) => machine);

/** The kind of the requests that a template makes; undefined where its own kind does not end as a template's does. */
function kindOf(template: TemplateReference): RequestKind | undefined {
  const requests = requestResource(template);
  return requests && { apiVersion: template.apiVersion, kind: requests.kind };
}

function isFullListDue({ lastFullLists, object, now }: Where): boolean {
  const last = lastFullLists.get(object.metadata.uid);
  if (last !== undefined && now < after(last, FULL_LIST_INTERVAL_MS)) return false;
  lastFullLists.set(object.metadata.uid, now);
  return true;
}

interface LookupKinds {
  readonly object: MachineHealthCheck;
  readonly read: ParsedCheck;
  /** What those that fail may need now. */
  readonly kind: RequestKind | undefined;
  /** What those that say so may have. */
  readonly claimedKind: RequestKind | undefined;
  readonly sweep: RequestKind | undefined;
}

function withRequestKinds(judged: readonly TargetObservation[], wanted: LookupKinds): readonly TargetObservation[] {
  const record = new Map((wanted.object.status?.remediations ?? []).map((entry) => [entry.machine, entry]));
  return judged.map((target) => {
    const { name, uid } = target.target.machine.metadata;
    const known = record.get(name);
    const entry = known?.uid === uid ? known : undefined;
    const look = requestKindOf(entry?.request ?? kindWithoutRecord(target, wanted), wanted.sweep);
    return entry || look ? { ...target, ...(entry && { entry }), ...look } : target;
  });
}

function requestKindOf(
  kind: RequestKind | undefined,
  sweep: RequestKind | undefined,
): Pick<TargetObservation, 'requestKind' | 'isFromFullList'> | undefined {
  if (kind) return { requestKind: kind };
  return sweep && { requestKind: sweep, isFromFullList: true };
}

/** What may be open for a Machine beside the record: what it claims, or needs. */
function kindWithoutRecord(target: TargetObservation, { read, kind, claimedKind }: LookupKinds): RequestKind | undefined {
  if (isClaimedByOtherCheck(target, read.name)) return undefined;
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
      if (found.kind !== 'value' || found.value.metadata.uid !== entry.uid) return { entry };
      return { entry, machine: found.value, isClaimedElsewhere: isClaimedElsewhere(found.value, object, reader) };
    });
}

/** Whoever cannot be read may be there. */
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

/** Cluster API's definitions have no place for a record: there, whoever was let go of is found by the claim alone. */
function deselectedByClaim(names: readonly string[], { reader, object, read, definitions, now }: Where): readonly DeselectedMachine[] {
  if (definitions !== 'cluster-api') return [];
  const machines = reader.list(Machine, { index: BY_NAMESPACE, value: read.namespace });
  const known = new Set([...names, ...recordedNames(object)]);
  return (machines.kind === 'value' ? machines.value : []).flatMap((machine) => {
    const { name, uid } = machine.metadata;
    const claim = known.has(name) ? undefined : claimOf(machine);
    return claim?.check === read.name ? [{ machine, entry: { machine: name, uid, since: toTime(now), request: claim.request } }] : [];
  });
}

/** Of a check that is no more the claim is nobody's: what we took over from it is ours to take back. */
function isClaimedElsewhere(machine: Machine, { metadata }: MachineHealthCheck, reader: Reader): boolean {
  const { check: name = metadata.name } = claimOf(machine) ?? {};
  return name !== metadata.name && reader.get(MachineHealthCheck, { namespace: metadata.namespace ?? '', name }).kind !== 'absent';
}

const lookupOf = ({ target, requestKind, isFromFullList = false }: TargetObservation): readonly RequestLookup[] =>
  requestKind ? [{ name: target.machine.metadata.name, kind: requestKind, isFromFullList }] : [];

/** What a check that is no more, or an earlier template, left behind beside what is on record: as long as it is open nobody else is asked. */
function lookupOfOrphaned({ target, entry, others, hasExternalCondition }: TargetObservation): readonly RequestLookup[] {
  const claim = hasExternalCondition && entry?.request ? claimOf(target.machine) : undefined;
  if (!claim || sameJson(claim.request, entry?.request) || others.some(({ name }) => name === claim.check)) return [];
  return [{ name: target.machine.metadata.name, kind: claim.request, isFromFullList: false }];
}

const lookupOfDeselected = ({ entry, machine }: DeselectedMachine): readonly RequestLookup[] =>
  machine && entry.request ? [{ name: entry.machine, kind: entry.request, isFromFullList: false }] : [];

function withDeselectedRequest(deselected: DeselectedMachine, found: FetchedRequests): DeselectedMachine {
  const [look] = lookupOfDeselected(deselected);
  const request = look && found(look);
  return request ? { ...deselected, request } : deselected;
}

interface LiveReads {
  readonly reader: Reader;
  /** Whether requests may be made now. */
  readonly mayAsk: boolean;
}

/** The targets with what was found; of thousands, only a few were asked about. */
async function withRequests(
  targets: readonly TargetObservation[],
  found: FetchedRequests,
  asking: LiveReads,
): Promise<readonly TargetObservation[]> {
  const looked = targets.filter((target) => target.requestKind ?? lookupsOfOtherChecks(target).length > 0);
  const answered = await Promise.all(looked.map(async (target) => [target, await withRequest(target, found, asking)] as const));
  const byTarget = new Map(answered);
  return byTarget.size === 0 ? targets : targets.map((target) => byTarget.get(target) ?? target);
}

/** Before a request is made or taken back the server is asked for the Machine too: nothing else can be held against it then. */
async function withRequest(target: TargetObservation, found: FetchedRequests, { reader, mayAsk }: LiveReads): Promise<TargetObservation> {
  const seen = withFound(target, found);
  const isAtStake = (mayAsk && mayBeCreated(seen)) || mayBeWithdrawn(seen);
  return isAtStake ? { ...seen, liveMachine: await reader.fetch(Machine, keyOf(target.target.machine)) } : seen;
}

function withFound(target: TargetObservation, found: FetchedRequests): TargetObservation {
  const [look] = lookupOf(target);
  const request = look && found(look);
  const [left] = lookupOfOrphaned(target);
  const behind = left && found(left);
  const held = mayBeOpenForOtherCheck(target, found) ? { otherRequestMayBeOpen: true } : {};
  if (behind && behind.kind !== 'absent') return { ...target, ...held, requestKind: left.kind, request: behind };
  return request ? { ...target, ...held, request } : { ...withoutRequestKind(target), ...held };
}

const mayBeCreated = ({ verdict, request }: TargetObservation): boolean => verdict.kind === 'unhealthy' && request?.kind === 'absent';

const mayBeWithdrawn = ({ verdict, request }: TargetObservation): boolean =>
  verdict.kind === 'healthy' && request?.kind === 'value' && request.value.metadata.deletionTimestamp === undefined;

function withoutRequestKind(target: TargetObservation): TargetObservation {
  const { requestKind: _, ...rest } = target;
  return rest;
}

/** The template is looked for where a request is to be made; besides with all requests, and until the check has said that it is there. */
async function observeTemplate(
  reference: TemplateReference,
  { targets, isFromFullList }: { readonly targets: readonly TargetObservation[]; readonly isFromFullList: boolean },
  { reader, read, lastFullLists, object }: Where,
): Promise<TemplateObservation> {
  const requests = requestResource(reference);
  const last = lastFullLists.get(object.metadata.uid);
  const isNeeded = targets.some((target) => target.liveMachine !== undefined && mayBeCreated(target));
  const template: Read<RemediationTemplate> | undefined =
    requests && (isNeeded || isFromFullList || needsTemplateRead(object))
      ? await reader.fetch(templateResource(reference), { namespace: read.namespace, name: reference.name })
      : undefined;
  return { reference, requests, template, ...(last !== undefined && { nextFullListAt: after(last, FULL_LIST_INTERVAL_MS) }) };
}
