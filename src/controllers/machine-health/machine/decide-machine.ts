import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { failing, healthy, MACHINE_DELETING, state, statedOf, unstate, type Statement } from '../conditions/cluster-api-conditions.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** A Machine, and what each check that is about it says. */
export interface MachineSeen {
  readonly object: Machine;
  /** In the order of the checks' names. */
  readonly verdicts: readonly { readonly check: string; readonly verdict: Verdict }[];
  readonly annotationRemediates: boolean;
  /** Whether no check is about it any more. */
  readonly isForgotten?: boolean;
}

/** What keeps a Machine from being judged changes without telling us, and so does the operator's switch for the annotation. */
const LOOK_AGAIN_MS = MINUTE;

/** Says on the Machine whether it is healthy. A Machine that no check is about is left alone. */
export function decideMachine(seen: MachineSeen, now: Instant): Decision {
  if (seen.verdicts.length === 0) return seen.isForgotten === true ? forget(seen.object) : { effects: [] };
  return isUnlimitedNow(seen) ? { ...forget(seen.object), ...nextLook(seen.verdicts, now) } : speak(seen, now);
}

function speak({ object, verdicts, annotationRemediates }: MachineSeen, now: Instant): Decision {
  const statement = statementOf(verdicts.map(({ verdict }) => verdict));
  const before = statement?.holds === false ? failedAnew(object) : object.status;
  const status = statement ? state(before ?? {}, [statement], { generation: object.metadata.generation ?? 0, now }) : before;
  const events = [
    ...(statement?.holds === false && status !== object.status ? [marked(object, verdicts)] : []),
    ...(annotationRemediates ? [] : ignoredAnnotation(object)),
  ];
  return { status, effects: events, ...nextLook(verdicts, now, isAnnotated(object)) };
}

/**
 * What is left of an earlier failure goes with the mark of a new one: two conditions let an owner act, and a check has to ask for the second
 * each time, through its gate. Only with the mark: what is asked for after it stays.
 */
const failedAnew = ({ status = {} }: Machine): Machine['status'] =>
  statedOf(status, 'HealthCheckSucceeded')?.status === 'False' ? status : unasked(status);

/** Without what its owner was asked, unless that has begun: then the Machine is on its way out. */
const unasked = (status: NonNullable<Machine['status']>): NonNullable<Machine['status']> =>
  statedOf(status, 'OwnerRemediated')?.reason === MACHINE_DELETING ? status : unstate(status, 'OwnerRemediated');

/** Nobody stands by a failure that no check looks at any more: owners and remediators, who go by it, are not to act on it. */
function forget({ status = {} }: Machine): Decision {
  if (statedOf(status, 'HealthCheckSucceeded')?.status !== 'False') return { effects: [] };
  return { status: unasked(unstate(status, 'HealthCheckSucceeded')), effects: [] };
}

/** It had no Node in time, and no check limits that any more: nobody would ever take it back. */
const isUnlimitedNow = ({ object: { status = {} }, verdicts }: MachineSeen): boolean =>
  statedOf(status, 'HealthCheckSucceeded')?.reason === 'NodeStartupTimeout' &&
  verdicts.some(({ verdict }) => isUnlimited(verdict)) &&
  verdicts.every(({ verdict }) => verdict.kind === 'healthy' || isUnlimited(verdict));

const isUnlimited = (verdict: Verdict): boolean => verdict.kind === 'unjudged' && verdict.isUnlimited === true;

/** One check that fails is enough; all must be content for the Machine to be well; in between nothing new is said. */
function statementOf(verdicts: readonly Verdict[]): Statement | undefined {
  const ill = verdicts.filter((verdict) => verdict.kind === 'unhealthy');
  if (ill[0]) return failing(ill[0].fault, [...new Set(ill.flatMap(({ messages }) => messages))]);
  return verdicts.length > 0 && verdicts.every(({ kind }) => kind === 'healthy') ? healthy : undefined;
}

function nextLook(verdicts: MachineSeen['verdicts'], now: Instant, dependsOnSwitch = false): { readonly wakeAt?: Instant } {
  const ahead = verdicts.flatMap(({ verdict }) => {
    if (verdict.kind === 'waiting') return [verdict.until];
    return verdict.kind === 'unjudged' ? [after(now, LOOK_AGAIN_MS)] : [];
  });
  const moments = dependsOnSwitch ? [...ahead, after(now, LOOK_AGAIN_MS)] : ahead;
  return moments.length === 0 ? {} : { wakeAt: moments.reduce((a, b) => (a < b ? a : b)) };
}

function marked({ metadata }: Machine, verdicts: MachineSeen['verdicts']): Effect {
  const by = verdicts.filter(({ verdict }) => verdict.kind === 'unhealthy').map(({ check }) => check);
  const name = `${metadata.namespace ?? ''}/${metadata.name}`;
  return {
    kind: 'Event',
    type: 'Warning',
    reason: 'MachineMarkedUnhealthy',
    message: `${name} fails the health check ${by.join(' and ')}`,
  };
}

const isAnnotated = ({ metadata }: Machine): boolean => ANNOTATIONS.remediateMachine in (metadata.annotations ?? {});

/** Whoever may edit a Machine may not thereby have it destroyed: that takes a switch of the operator's. */
function ignoredAnnotation(machine: Machine): readonly Effect[] {
  if (!isAnnotated(machine)) return [];
  const message = `the annotation ${ANNOTATIONS.remediateMachine} has no effect: machineHealth.allowRemediateAnnotation is off`;
  return [{ kind: 'Event', type: 'Warning', reason: 'RemediateAnnotationIgnored', message }];
}
