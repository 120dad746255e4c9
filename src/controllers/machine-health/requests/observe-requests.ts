import { gateAllows } from '../../../api/machine-health-check/unhealthy-limit.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { TemplateReference } from '../../../api/machine-health-check/normalise.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { keyOf, type KubeObject } from '../../../api/meta.ts';
import { after, MINUTE, sameJson, toTime, type Instant } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { claimOf, type RequestKind } from './claim.ts';
import { requestResource, templateResource, type RemediationTemplate } from './external-request.ts';
import { heldElsewhere, isHeldElsewhere, isLiveElsewhere, withRecords } from './requests-of-other-checks.ts';
import { lookForRequests, type Found, type Look } from './fetch-requests.ts';
import type { TargetSeen, TemplateSeen } from '../check/observe-check.ts';
import type { ReadCheck } from '../targets/parse-check.ts';
import type { Called } from '../targets/target-list.ts';
import { isTemplateInQuestion } from './template-available.ts';
import { BY_NAMESPACE } from '../watches/watches.ts';
import type { Definitions } from '../other-controllers/managing-controller.ts';

/** A Machine on the record of a check. */
export type Remediation = NonNullable<NonNullable<MachineHealthCheck['status']>['remediations']>[number];

/** A Machine on record that the check is not about any more. */
export interface Released {
  readonly entry: Remediation;
  /** Absent when it is gone. */
  readonly machine?: Machine;
  /** Whether the Machine says that another check has asked, and that check is there. */
  readonly isClaimedElsewhere?: boolean;
  readonly request?: Read<KubeObject>;
}

/** The Machines that a check is about, with those in full that are asked for by name. */
export type Call = (asked: 'all' | readonly string[]) => Called;

/** What was found of those that somebody was asked to mend, or is to be asked. */
export interface RequestsSeen extends Called {
  readonly released: readonly Released[];
  /** Those with attempts on record that are there, and that it is not about now: their UIDs. */
  readonly aside: readonly string[];
  readonly external?: TemplateSeen;
}

/** A process that came to a halt may make a request long after it was taken back; so now and then all requests are looked at. */
export const SWEEP_EVERY_MS = 10 * MINUTE;

/** When each check last looked at all requests of its kind. Forgetting it costs one list. */
export type Sweeps = Map<string, Instant>;

interface Where {
  readonly reader: Reader;
  readonly object: MachineHealthCheck;
  readonly read: ReadCheck;
  /** Ours when absent. */
  readonly definitions?: Definitions;
  readonly sweeps: Sweeps;
  readonly now: Instant;
}

/** Looks for the requests that are open or may be, and for what it takes to make those that are missing. */
export async function observeRequests(call: Call, where: Where): Promise<RequestsSeen> {
  const { reader, read, object } = where;
  const { template } = read.check;
  const kind = template && kindOf(template);
  const sweep = kind && isSweepDue(where) ? kind : undefined;
  const { names, targets: judged } = call(sweep ? 'all' : onRecord(object));
  const mayAsk = couldBeOpen(read, { names, targets: judged });
  const shared = withRecords(judged, { reader, namespace: read.namespace });
  const targets = withLooks(shared, { object, read, kind: mayAsk ? kind : undefined, claimedKind: kind, sweep });
  const released = [...releasedOf(object, targets, reader), ...unrecordedOnes(names, where)];
  const beside = targets.flatMap((target) => [...leftBehind(target), ...heldElsewhere(target)]);
  const looks = [...targets.flatMap(lookOf), ...beside, ...released.flatMap(lookOfReleased)];
  const found = await lookForRequests(looks, { reader, namespace: read.namespace, sweep });
  const seen = await withRequests(targets, found, { reader, mayAsk });
  const freed = released.map((one) => withReleased(one, found));
  const all = { names, targets: seen, released: freed, aside: asideOf(object, targets, reader) };
  return template ? { ...all, external: await templateSeen(template, { targets: seen, isSwept: sweep !== undefined }, where) } : all;
}

/** While the gate is surely closed nobody will be asked, and what that takes need not be looked for: in a storm those are thousands. */
export const couldBeOpen = ({ check }: ReadCheck, { names, targets }: Called): boolean =>
  gateAllows(check.gate, { total: names.length, unhealthy: targets.filter(({ verdict }) => verdict.kind !== 'healthy').length });

/** Whoever a check remembers is looked at, however well. */
const onRecord = ({ status }: MachineHealthCheck): readonly string[] =>
  [...(status?.remediations ?? []), ...(status?.attempts ?? [])].map(({ machine }) => machine);

/** The kind of the requests that a template makes; undefined where its own kind does not end as a template's does. */
function kindOf(template: TemplateReference): RequestKind | undefined {
  const requests = requestResource(template);
  return requests && { apiVersion: template.apiVersion, kind: requests.kind };
}

function isSweepDue({ sweeps, object, now }: Where): boolean {
  const last = sweeps.get(object.metadata.uid);
  if (last !== undefined && now < after(last, SWEEP_EVERY_MS)) return false;
  sweeps.set(object.metadata.uid, now);
  return true;
}

interface Wanted {
  readonly object: MachineHealthCheck;
  readonly read: ReadCheck;
  /** What those that fail may need now. */
  readonly kind: RequestKind | undefined;
  /** What those that say so may have. */
  readonly claimedKind: RequestKind | undefined;
  readonly sweep: RequestKind | undefined;
}

function withLooks(judged: readonly TargetSeen[], wanted: Wanted): readonly TargetSeen[] {
  const record = new Map((wanted.object.status?.remediations ?? []).map((entry) => [entry.machine, entry]));
  return judged.map((target) => {
    const { name, uid } = target.target.machine.metadata;
    const known = record.get(name);
    const entry = known?.uid === uid ? known : undefined;
    const look = lookedFor(entry?.request ?? unrecorded(target, wanted), wanted.sweep);
    return entry || look ? { ...target, ...(entry && { entry }), ...look } : target;
  });
}

function lookedFor(kind: RequestKind | undefined, sweep: RequestKind | undefined): Pick<TargetSeen, 'looksFor' | 'isSwept'> | undefined {
  if (kind) return { looksFor: kind };
  return sweep && { looksFor: sweep, isSwept: true };
}

/** What may be open for a Machine beside the record: what it claims, or needs. */
function unrecorded(target: TargetSeen, { read, kind, claimedKind }: Wanted): RequestKind | undefined {
  if (isLiveElsewhere(target, read.name)) return undefined;
  const claim = target.isClaimed ? claimOf(target.target.machine) : undefined;
  if (claim) return claim.request;
  if (target.isClaimed) return claimedKind;
  return target.verdict.kind === 'unhealthy' ? kind : undefined;
}

function releasedOf(object: MachineHealthCheck, targets: readonly TargetSeen[], reader: Reader): readonly Released[] {
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
function asideOf({ metadata, status }: MachineHealthCheck, targets: readonly TargetSeen[], reader: Reader): readonly string[] {
  const present = new Set(targets.map(({ target }) => target.machine.metadata.uid));
  return (status?.attempts ?? []).flatMap(({ machine, uid }) => {
    if (present.has(uid)) return [];
    const found = reader.get(Machine, { namespace: metadata.namespace ?? '', name: machine });
    return found.kind === 'unreadable' || (found.kind === 'value' && found.value.metadata.uid === uid) ? [uid] : [];
  });
}

/** Cluster API's definitions have no place for a record: there, whoever was let go of is found by the claim alone. */
function unrecordedOnes(names: readonly string[], { reader, object, read, definitions, now }: Where): readonly Released[] {
  if (definitions !== 'cluster-api') return [];
  const machines = reader.list(Machine, { index: BY_NAMESPACE, value: read.namespace });
  const known = new Set([...names, ...onRecord(object)]);
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

const lookOf = ({ target, looksFor, isSwept = false }: TargetSeen): readonly Look[] =>
  looksFor ? [{ name: target.machine.metadata.name, kind: looksFor, isSwept }] : [];

/** What a check that is no more, or an earlier template, left behind beside what is on record: as long as it is open nobody else is asked. */
function leftBehind({ target, entry, others, isClaimed }: TargetSeen): readonly Look[] {
  const claim = isClaimed && entry?.request ? claimOf(target.machine) : undefined;
  if (!claim || sameJson(claim.request, entry?.request) || others.some(({ name }) => name === claim.check)) return [];
  return [{ name: target.machine.metadata.name, kind: claim.request, isSwept: false }];
}

const lookOfReleased = ({ entry, machine }: Released): readonly Look[] =>
  machine && entry.request ? [{ name: entry.machine, kind: entry.request, isSwept: false }] : [];

function withReleased(released: Released, found: Found): Released {
  const [look] = lookOfReleased(released);
  const request = look && found(look);
  return request ? { ...released, request } : released;
}

interface Asking {
  readonly reader: Reader;
  /** Whether requests may be made now. */
  readonly mayAsk: boolean;
}

/** The targets with what was found; of thousands, only a few were asked about. */
async function withRequests(targets: readonly TargetSeen[], found: Found, asking: Asking): Promise<readonly TargetSeen[]> {
  const looked = targets.filter((target) => target.looksFor ?? heldElsewhere(target).length > 0);
  const answered = await Promise.all(looked.map(async (target) => [target, await withRequest(target, found, asking)] as const));
  const byTarget = new Map(answered);
  return byTarget.size === 0 ? targets : targets.map((target) => byTarget.get(target) ?? target);
}

/** Before a request is made or taken back the server is asked for the Machine too: nothing else can be held against it then. */
async function withRequest(target: TargetSeen, found: Found, { reader, mayAsk }: Asking): Promise<TargetSeen> {
  const seen = withFound(target, found);
  const isAtStake = (mayAsk && isWanted(seen)) || isUnwanted(seen);
  return isAtStake ? { ...seen, onServer: await reader.fetch(Machine, keyOf(target.target.machine)) } : seen;
}

function withFound(target: TargetSeen, found: Found): TargetSeen {
  const [look] = lookOf(target);
  const request = look && found(look);
  const [left] = leftBehind(target);
  const behind = left && found(left);
  const held = isHeldElsewhere(target, found) ? { isHeldElsewhere: true } : {};
  if (behind && behind.kind !== 'absent') return { ...target, ...held, looksFor: left.kind, request: behind };
  return request ? { ...target, ...held, request } : { ...withoutLook(target), ...held };
}

const isWanted = ({ verdict, request }: TargetSeen): boolean => verdict.kind === 'unhealthy' && request?.kind === 'absent';

const isUnwanted = ({ verdict, request }: TargetSeen): boolean =>
  verdict.kind === 'healthy' && request?.kind === 'value' && request.value.metadata.deletionTimestamp === undefined;

function withoutLook(target: TargetSeen): TargetSeen {
  const { looksFor: _, ...rest } = target;
  return rest;
}

/** The template is looked for where a request is to be made; besides with all requests, and until the check has said that it is there. */
async function templateSeen(
  reference: TemplateReference,
  { targets, isSwept }: { readonly targets: readonly TargetSeen[]; readonly isSwept: boolean },
  { reader, read, sweeps, object }: Where,
): Promise<TemplateSeen> {
  const requests = requestResource(reference);
  const last = sweeps.get(object.metadata.uid);
  const isNeeded = targets.some((target) => target.onServer !== undefined && isWanted(target));
  const template: Read<RemediationTemplate> | undefined =
    requests && (isNeeded || isSwept || isTemplateInQuestion(object))
      ? await reader.fetch(templateResource(reference), { namespace: read.namespace, name: reference.name })
      : undefined;
  return { reference, requests, template, ...(last !== undefined && { nextSweep: after(last, SWEEP_EVERY_MS) }) };
}
