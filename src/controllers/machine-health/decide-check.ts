import { gateAllows, remediationsLeft, type Gate, type Headcount } from '../../api/machine-health-check/gate.ts';
import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { after, assertNever, MINUTE, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/controller.ts';
import { handOut, takeBack } from './hand-out.ts';
import type { CheckSeen, TargetSeen } from './observe-check.ts';
import type { ReadCheck } from './read-check.ts';
import { state, type Statement } from './statement.ts';

/** What cannot be read is asked for again. */
const LOOK_AGAIN_MS = MINUTE / 2;
const MOST_TARGETS = 10_000;

/** Counts the Machines of a check, holds the number against its gate, and asks for the remediation of those that fail. */
export function decideCheck(seen: CheckSeen, now: Instant): Decision {
  const { object, read, pausedBy, blind } = seen;
  if (read.kind === 'invalid')
    return only(object, [invalid(read.problems), closed('ConfigurationInvalid', 'its spec cannot be carried out')], now);
  if (pausedBy.length > 0) return only(object, [VALID, paused(pausedBy)], now);
  if (blind !== undefined)
    return { ...only(object, [VALID, RUNNING, closed('TargetsUnknown', blind)], now), wakeAt: after(now, LOOK_AGAIN_MS) };
  return judged({ ...seen, read }, now);
}

/** Says this, and leaves the figures as they are. */
const only = ({ status = {}, metadata }: MachineHealthCheck, statements: readonly Statement[], now: Instant): Decision => ({
  status: state(status, statements, { generation: metadata.generation ?? 0, now }),
  effects: [],
});

function judged(seen: CheckSeen & { readonly read: ReadCheck }, now: Instant): Decision {
  const { object, targets, read, external } = seen;
  const { gate } = read.check;
  const count = headcount(targets);
  const isOpen = gateAllows(gate, count);
  const unhealthy = targets.filter(({ verdict }) => verdict.kind === 'unhealthy');
  const unfit = external && !external.requests ? [`the kind of the template, ${external.reference.kind}, does not end in Template`] : [];
  const handed = isOpen ? unhealthy.map((target) => handOut(seen, target, now)) : [];
  const recovered = external
    ? targets.filter(({ verdict }) => verdict.kind === 'healthy').flatMap((target) => takeBack(target, external))
    : [];
  const statements = [
    unfit.length > 0 ? invalid(unfit.map((message) => ({ field: 'spec.remediation.templateRef.kind', message }))) : VALID,
    RUNNING,
    isOpen ? OPEN : closed('TooManyUnhealthy', whyClosed(gate, count)),
    overlapping(targets),
  ];
  const generation = object.metadata.generation ?? 0;
  const numbers = { ...object.status, ...figures(targets, count, gate), observedGeneration: generation };
  const restricted: readonly Effect[] = !isOpen && unhealthy.length > 0 ? [restrictedEvent(gate, count)] : [];
  const waits = handed.flatMap(({ wakeAt }) => wakeAt ?? []);
  return {
    status: state(numbers, statements, { generation, now }),
    effects: [...recovered, ...handed.flatMap(({ effects }) => effects), ...restricted],
    ...nextLook(targets, waits, now),
  };
}

/** Only those that are known to be healthy count as such: a Machine whose time still runs may fail in the next moment. */
export const headcount = (targets: readonly TargetSeen[]): Headcount => ({
  total: targets.length,
  unhealthy: targets.filter(({ verdict }) => verdict.kind !== 'healthy').length,
});

const figures = (targets: readonly TargetSeen[], count: Headcount, gate: Gate) => ({
  expectedMachines: count.total,
  currentHealthy: count.total - count.unhealthy,
  remediationsAllowed: remediationsLeft(gate, count),
  targets: targets
    .map(({ target }) => target.machine.metadata.name)
    .toSorted()
    .slice(0, MOST_TARGETS),
});

/** When to look again: the first of the moments that are ahead of any target, and of the others. */
export function nextLook(targets: readonly TargetSeen[], others: readonly Instant[], now: Instant): { readonly wakeAt?: Instant } {
  const moments = targets.flatMap(({ verdict }) => {
    if (verdict.kind === 'waiting') return [verdict.until];
    return verdict.kind === 'unjudged' ? [after(now, LOOK_AGAIN_MS)] : [];
  });
  const all = [...moments, ...others];
  return all.length === 0 ? {} : { wakeAt: all.reduce((a, b) => (a < b ? a : b)) };
}

const VALID: Statement = { type: 'ConfigurationValid', holds: true, reason: 'Valid', message: '' };
const RUNNING: Statement = { type: 'Paused', holds: false, reason: 'NotPaused', message: '' };
const OPEN: Statement = { type: 'RemediationAllowed', holds: true, reason: 'RemediationAllowed', message: '', old: { message: '' } };

const invalid = (problems: readonly { readonly field: string; readonly message: string }[]): Statement => ({
  type: 'ConfigurationValid',
  holds: false,
  reason: 'Invalid',
  message: problems.map(({ field, message }) => `${field}: ${message}`).join('; '),
});

const paused = (by: readonly string[]): Statement => ({ type: 'Paused', holds: true, reason: 'Paused', message: by.join(', ') });

const closed = (reason: string, message: string): Statement => ({
  type: 'RemediationAllowed',
  holds: false,
  reason,
  message,
  old: { reason, message },
});

function whyClosed(gate: Gate, { total, unhealthy }: Headcount): string {
  return `${unhealthy} of ${total} Machines are not known to be healthy, and ${limitText(gate)}: nothing more is remediated until that changes`;
}

function limitText(gate: Gate): string {
  if (gate.kind === 'range') return `only from ${gate.min} to ${gate.max} may be`;
  const limit = gate.limit.unit === 'percent' ? `${gate.limit.percent}%` : `${gate.limit.count}`;
  switch (gate.kind) {
    case 'atMost':
      return `at most ${limit} may be`;
    case 'below':
      return `it must be fewer than ${limit}`;
    default:
      return assertNever(gate);
  }
}

const restrictedEvent = (gate: Gate, count: Headcount): Effect => ({
  kind: 'Event',
  type: 'Warning',
  reason: 'RemediationRestricted',
  message: whyClosed(gate, count),
});

/** Two checks over one Machine may contradict each other: each says so, and all of their gates must be open. */
function overlapping(targets: readonly TargetSeen[]): Statement {
  const shared = targets.filter(({ others }) => others.length > 0);
  if (shared.length === 0) return { type: 'Overlapping', holds: false, reason: 'Alone', message: '' };
  const names = [...new Set(shared.flatMap(({ others }) => others.map(({ name }) => name)))].toSorted();
  const message = `${shared.length} of its Machines are watched by ${names.join(', ')} too: give each group one check`;
  return { type: 'Overlapping', holds: true, reason: 'SharedMachines', message };
}
