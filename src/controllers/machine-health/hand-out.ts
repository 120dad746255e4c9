import { Machine } from '../../api/machine/machine.ts';
import { keyOf } from '../../api/meta.ts';
import { after, MINUTE, parseTime, type Instant } from '../../base/index.ts';
import type { Effect } from '../../runtime/controller.ts';
import { requestDraft } from './external-request.ts';
import type { CheckSeen, TargetSeen, TemplateSeen } from './observe-check.ts';
import type { ReadCheck } from './read-check.ts';
import { state, statedOf, unstate, type Statement } from './statement.ts';

/** What is done about one Machine, and when to look again if that is not now. */
export interface HandedOut {
  readonly effects: readonly Effect[];
  readonly wakeAt?: Instant;
}

const NOTHING: HandedOut = { effects: [] };

/** A template that is not there may be made any time, and its kind is not watched. */
const LOOK_FOR_TEMPLATE_MS = MINUTE / 2;

/** Asks for the remediation of an unhealthy Machine: of its owner, or of whoever acts on requests from the template. Never of both. */
export function handOut(seen: CheckSeen & { readonly read: ReadCheck }, target: TargetSeen, now: Instant): HandedOut {
  const { machine } = target.target;
  if (machine.metadata.deletionTimestamp !== undefined || !target.others.every(({ allows }) => allows)) return NOTHING;
  const failedAt = markedAt(machine);
  if (failedAt === undefined) return NOTHING;
  const from = after(failedAt, isGone(target) ? seen.read.check.missingNodeGraceMs : 0);
  if (now < from) return { effects: [], wakeAt: from };
  return seen.external ? askOutside(target, seen.external, now) : askOwner(machine, now);
}

/** Since when the Machine says itself that it fails; nothing is asked for before it does. */
function markedAt({ status }: Machine): Instant | undefined {
  const stated = status && statedOf(status, 'HealthCheckSucceeded');
  return stated?.status === 'False' ? parseTime(stated.lastTransitionTime) : undefined;
}

const isGone = ({ verdict }: TargetSeen): boolean => verdict.kind === 'unhealthy' && verdict.fault === 'NodeDeleted';

/** An owner that was asked already goes on in its own way: what it says about it stays. */
function askOwner(machine: Machine, now: Instant): HandedOut {
  const status = machine.status ?? {};
  const isAsked = isOwnerAsked(machine) || statedOf(status, 'ExternallyRemediated') !== undefined;
  const owner: Statement = hasOwner(machine) ? OWNED : UNOWNED;
  return say(machine, isAsked ? [owner] : [WAITING_FOR_OWNER, owner], now);
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

function askOutside({ target: { machine }, request }: TargetSeen, external: TemplateSeen, now: Instant): HandedOut {
  const { requests, template, reference } = external;
  if (!requests || request?.kind !== 'absent' || isOwnerAsked(machine)) return NOTHING;
  if (template?.kind !== 'value') {
    const said = say(machine, [templateMissing(external, machine)], now);
    return { ...said, wakeAt: after(now, LOOK_FOR_TEMPLATE_MS) };
  }
  const message = `${requests.kind} ${machine.metadata.name} is asked to mend it`;
  const asked = say(machine, [{ type: 'ExternallyRemediated', holds: false, reason: 'WaitingForRemediation', message }], now);
  return { effects: [...asked.effects, { kind: 'Create', resource: requests, object: requestDraft(template.value, reference, machine) }] };
}

function templateMissing({ reference, template }: TemplateSeen, { metadata }: Machine): Statement {
  const why = template?.kind === 'unreadable' ? `cannot be read: ${template.reason}` : 'is not there';
  const message = `${reference.kind} ${metadata.namespace ?? ''}/${reference.name} ${why}; no request is made without it`;
  return { type: 'ExternallyRemediated', holds: false, reason: 'RemediationTemplateNotFound', message };
}

const isOwnerAsked = ({ status = {} }: Machine): boolean => statedOf(status, 'OwnerRemediated')?.status === 'False';

/** Takes back what was asked for a Machine that is well again, whether or not anything may be asked for now. */
export function takeBack({ target: { machine }, request }: TargetSeen, external: TemplateSeen): readonly Effect[] {
  if (!external.requests || request === undefined || request.kind === 'unreadable') return [];
  if (request.kind === 'absent') return patched(machine, unstate(machine.status ?? {}, 'ExternallyRemediated'));
  const { uid, deletionTimestamp } = request.value.metadata;
  // Whoever acts on it may still have to clear up: until then it stays.
  if (deletionTimestamp !== undefined) return [];
  return [{ kind: 'Delete', resource: external.requests, key: keyOf(request.value), uid }];
}

function say(machine: Machine, statements: readonly Statement[], now: Instant): HandedOut {
  return { effects: patched(machine, state(machine.status ?? {}, statements, { generation: machine.metadata.generation ?? 0, now })) };
}

function patched(machine: Machine, status: NonNullable<Machine['status']>): readonly Effect[] {
  if (status === machine.status) return [];
  const { resourceVersion } = machine.metadata;
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion, status }];
}
