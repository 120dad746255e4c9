import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import { after, parseTime, SECOND, toTime, type Instant } from '../../../../../base/index.ts';
import type { Decision, Effect } from '../../../../../runtime/reconcile/controller.ts';
import { mayRelease } from '../../../admission/admit.ts';
import type { ExecutionFailure } from '../../../status/failure.ts';
import { startTimeAfter } from '../../../history/index.ts';
import { needed, type PendingExecution } from '../../../observed-execution.ts';
import { fail, STARTING, refusal, stay, waiting, type Wanted } from '../../../status/execution-status.ts';
import type { AwxItem } from '../client/awx-api.ts';
import { AWX_JOB } from '../awx-names.ts';
import { awxStep } from '../awx-step.ts';
import { extraVars } from './extra-vars.ts';
import { addFinalizer, hasFinalizer } from '../awx-finalizer.ts';
import type { AwxStart, AwxFailure, AwxTemplate } from '../observed-awx.ts';
import { changedType, startFault } from './launch-fault.ts';
import { tokenExpiry } from './token-expiry.ts';
import { neededCredentials, type NeededCredential } from './needed-credentials.ts';
import { conditionEvent, normalEvent } from '../../../../kubernetes-events.ts';

/** What a launch in AWX is decided from. */
export type AwxLaunchCase = Pick<PendingExecution, 'object' | 'settings' | 'request' | 'target' | 'history' | 'awx'>;

/** AWX sends no notice when it is done: it is polled. */
export const AWX_POLL_MS = SECOND;

/**
 * The lock is ours and room is claimed. Step by step: everything that the job needs is looked at, the finalizer, types, credentials, and at
 * last the intent in status and the launch, in one decision: the status is written first, or nothing happens.
 */
export function startAwxJob(seen: AwxLaunchCase, now: Instant, plan: WorkflowExecution['spec']): Decision {
  const { object, awx, settings } = seen;
  if (settings.ansible.apiURL === undefined)
    return fail(seen, now, misconfigured('ansible.apiURL is not set in the configuration of Sickbay'));
  if (awx.kind !== 'start') return stay(object, now, { conditions: [waitingForAwx(whyUnknown(awx))] });
  const fault = startFault(plan, awx);
  if (fault !== undefined) return fail(seen, now, misconfigured(fault));
  const obstacle = unreadableIn(awx);
  if (obstacle !== undefined || awx.template.kind !== 'value')
    return stay(object, now, { conditions: [waitingForAwx(obstacle ?? 'the job template cannot be read')] });
  if (!hasFinalizer(object)) return stay(object, now, { effects: [addFinalizer(object)], conditions: [STARTING] });
  return prepare(seen, awx, { now, plan, template: awx.template.value });
}

interface At {
  readonly now: Instant;
  /** The plan, with nothing left open. */
  readonly plan: WorkflowExecution['spec'];
  readonly template: AwxTemplate;
}

/** One pair after the other would be as good; all types come first, since each credential needs the number of its type. */
function prepare(seen: AwxLaunchCase, awx: AwxStart, at: At): Decision {
  const { object } = seen;
  if (awx.trouble && isFinal(awx.trouble)) return fail(seen, at.now, refusedByAwx(awx.trouble));
  const wanted = neededCredentials(object, { secrets: keysOf(awx), account: accountOf(awx) });
  const changed = changedType(wanted, awx.types);
  if (changed !== undefined) return fail(seen, at.now, misconfigured(changed));
  const typeless = wanted.filter(({ name }) => !named(awx.types, name));
  if (typeless.length > 0)
    return act(
      seen,
      at.now,
      typeless.map((one) => awxStep(object, { do: 'create type', wanted: one })),
    );
  const lacking = wanted.filter(({ name }) => !named(awx.credentials, name));
  if (lacking.length > 0)
    return act(
      seen,
      at.now,
      lacking.map((one) => awxStep(object, { do: 'create credential', wanted: one, type: idOf(awx.types, one) })),
    );
  return letGo(seen, { ...at, credentials: wanted.map((one) => idOf(awx.credentials, one)), awx });
}

const named = (items: readonly AwxItem[], name: string): AwxItem | undefined => items.find((item) => item.name === name);

const idOf = (items: readonly AwxItem[], { name }: NeededCredential): number => named(items, name)?.id ?? 0;

function act({ object, awx }: AwxLaunchCase, now: Instant, effects: readonly Effect[]): Decision {
  const trouble = awx.kind === 'start' ? awx.trouble : undefined;
  // What AWX did not do is asked for again at the usual pace; what it did shows at the next look.
  const wakeAt = trouble ? {} : { wakeAt: after(now, AWX_POLL_MS) };
  return stay(object, now, { effects, conditions: [trouble ? waitingForAwx(trouble.message) : STARTING], ...wakeAt });
}

/** A live read of the request decides. */
function letGo(seen: AwxLaunchCase, ready: At & { readonly credentials: readonly number[]; readonly awx: AwxStart }): Decision {
  const { now } = ready;
  const admission = mayRelease(seen.object, seen.request, needed(seen.target));
  if (admission.kind === 'Refuse') return fail(seen, now, refusal(admission.message));
  if (admission.kind === 'Wait') return stay(seen.object, now, { conditions: [waiting('WaitingForTarget', admission.reason)] });
  return launch(seen, ready);
}

function launch({ object, history }: AwxLaunchCase, { now, plan, template, credentials, awx }: Parameters<typeof letGo>[1]): Decision {
  const step = awxStep(object, {
    do: 'launch',
    template: template.id,
    extraVars: extraVars({ ...object, spec: plan }, configMapsOf(awx)),
    credentials: [...new Set([...template.credentials, ...credentials])],
  });
  const message = `job template ${template.id} of AWX is being launched`;
  const short = tokenCondition(object, awx);
  return stay(object, now, {
    set: {
      phase: 'Running',
      startTime: toTime(startTimeAfter(history, now)),
      executionEngine: 'ansible',
      ephemeralCredentialIDs: [...credentials],
      executionRef: { kind: AWX_JOB, requestedAt: toTime(now) },
      executionStatus: { status: 'Launching', completedTasks: 0, totalTasks: 1 },
    },
    conditions: [
      { type: 'ExecutionCreated', status: 'True', reason: 'ExecutionCreated', message },
      waiting('Running', 'the run is in progress'),
      ...short,
    ],
    effects: [
      step,
      normalEvent('ExecutionCreated', message),
      ...short.map((one): Effect => conditionEvent({ type: 'Warning', reason: one.reason, message: one.message })),
    ],
    wakeAt: after(now, AWX_POLL_MS),
  });
}

/** The cluster may give a token for a shorter time than was asked for. */
function tokenCondition({ spec }: AwxLaunchCase['object'], { credentials }: AwxStart): readonly Wanted[] {
  const [end, needed] = [tokenExpiry(credentials), parseTime(spec.timesOutAt)];
  if (end === undefined || needed === undefined || end >= needed) return [];
  const message = `the token of the job expires at ${toTime(end)}, before the deadline of the job`;
  return [{ type: 'TokenTTLInsufficient', status: 'True', reason: 'TokenTTLShortened', message }];
}

const keysOf = ({ secrets }: AwxStart) => secrets.flatMap(({ name, read }) => (read.kind === 'value' ? [{ name, keys: read.value }] : []));

const configMapsOf = ({ configMaps }: AwxStart) =>
  configMaps.flatMap(({ name, read }) => (read.kind === 'value' ? [{ name, data: read.value }] : []));

/** The common account is a fallback: where it is not there either, the job gets no token. */
const accountOf = ({ account }: AwxStart): string | undefined => (account?.read.kind === 'value' ? account.name : undefined);

function unreadableIn({ secrets, configMaps, account, template }: AwxStart): string | undefined {
  const reads = [...secrets, ...configMaps, ...(account ? [account] : []), { name: 'the job template', read: template }];
  const [first] = reads.flatMap(({ name, read }) => (read.kind === 'unreadable' ? [`${name} cannot be read: ${read.reason}`] : []));
  return first;
}

/** Why nothing is known of what AWX has of the execution. */
export function whyUnknown(awx: AwxLaunchCase['awx']): string {
  const read = needed(awx);
  return read.kind === 'unreadable' ? read.reason : 'it was not read in this pass';
}

const waitingForAwx = (message: string): Wanted => waiting('WaitingForAWX', message);

const misconfigured = (message: string): ExecutionFailure => ({ reason: 'ConfigurationError', message, started: false });

/** AWX understood, and will not: asking again changes nothing. */
const isFinal = ({ code }: AwxFailure): boolean => code === 'Invalid' || code === 'Forbidden';

/** What AWX says against it, as a failure before anything ran. */
export const refusedByAwx = ({ code, message }: AwxFailure): ExecutionFailure => ({
  reason: code === 'Forbidden' || code === 'Unauthorized' ? 'Forbidden' : 'ConfigurationError',
  message,
  started: false,
  advice: 'Read why AWX refused, and correct the workflow, its job template or the rights of the token.',
});
