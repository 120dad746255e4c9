import { AT_THE_START } from './gates.ts';
import { targetTextOf } from '../request-target.ts';
import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { parseTime, type Instant } from '../../../base/index.ts';
import type { Blocker, ExplainSeen, ExplainedGate, Next } from './explanation.ts';

/** What a request waits for in each phase where no gate blocks it. */
const WORK: Readonly<Record<Exclude<RemediationPhase, 'Blocked'>, string>> = {
  Pending: 'its signal is checked next',
  Processing: 'it continues when its SignalProcessing has ended',
  Analyzing: 'it continues when its AIAnalysis has ended',
  AwaitingApproval: 'it continues when an approver approves it',
  Executing: 'it continues when its WorkflowExecution has ended',
  Verifying: 'it ends when its EffectivenessAssessment has ended',
  Completed: 'it has ended',
  Failed: 'it has ended',
  TimedOut: 'it has ended',
  Skipped: 'it has ended',
  Cancelled: 'it has ended',
};

/** What ends a block of each reason, in words. */
const UNBLOCKS: Readonly<Record<BlockReason, (request: RemediationRequest) => string>> = {
  UnmanagedResource: (request) => `it starts again when ${targetTextOf(request)} or its namespace is labelled kubernaut.ai/managed=true`,
  ConsecutiveFailures: () => 'it becomes Failed when the cooldown ends, and the next signal opens a new request',
  DuplicateInProgress: ({ status }) => `it starts again when RemediationRequest ${status?.duplicateOf ?? ''} has ended`,
  ExponentialBackoff: () => 'it becomes Failed when the wait ends, and the next signal opens a new request',
  ResourceBusy: ({ status }) => `it is checked again when WorkflowExecution ${status?.blockingWorkflowExecution ?? ''} has ended`,
  RecentlyRemediated: () => 'it becomes Failed when the wait ends, and the next signal opens a new request',
  IneffectiveChain: () => 'it becomes Failed with the first signal after its interval; find the cause by hand',
  ChangeFreeze: ({ status }) => `it is checked again ${unfrozenText(status)}, or when a person with the right overrides it`,
};

function unfrozenText({ changeWindow, blockedUntil }: NonNullable<RemediationRequest['status']> = {}): string {
  if (changeWindow?.kind !== 'MaintenanceWindow') return `when the change freeze ${changeWindow?.name ?? ''} ends`;
  return `when the maintenance window ${changeWindow.name} opens${blockedUntil === undefined ? ', which it never does as it is configured' : ''}`;
}

/** What comes next, and when. */
export function nextStep(seen: ExplainSeen, phase: RemediationPhase, blocker: Blocker | undefined): Next {
  const { request, deadline } = seen;
  const cancelled = cancellationOf(request);
  if (cancelled) return cancelled;
  if (phase === 'Blocked') return afterBlock(seen);
  const allowed = parseTime(request.status?.nextAllowedExecution);
  if (request.status?.completedAt !== undefined) return afterEnd(request, allowed, blocker);
  return {
    what: blocker ? pastGate(blocker, seen) : WORK[phase],
    ...(deadline !== undefined && { at: deadline }),
    ...commandsFor(seen, blocker),
  };
}

/** When its signal may open another. */
function afterEnd(request: RemediationRequest, allowed: Instant | undefined, blocker: Blocker | undefined): Next {
  const refusal = request.status?.refusal;
  const until = parseTime(refusal?.until);
  if (refusal && until !== undefined)
    return {
      what: `it has ended; ${refusal.by} refused it, so its signal opens a new request only then, or when the spec of its target changes`,
      at: until,
    };
  if (allowed === undefined) return { what: 'it has ended; the next signal opens a new request' };
  if (blocker?.gate !== 'TargetBlock' || blocker.state !== 'closed')
    return { what: 'it has ended; its signal opens a new request when the wait ends', at: allowed };
  const target = targetTextOf(request);
  return {
    what: 'it has ended; its signal opens a new request when an operator clears the block on its target, or when the wait ends',
    at: allowed,
    commands: [`sickbay clear-block ${target} -n ${request.metadata.namespace ?? ''} --reason "..."`],
  };
}

/** A cancellation comes before everything else, in every phase. */
function cancellationOf({ metadata, status }: RemediationRequest): Next | undefined {
  const isWanted = metadata.annotations?.[ANNOTATIONS.cancel] !== undefined;
  if (!isWanted || isTerminal(remediationPhases, status?.overallPhase)) return undefined;
  return { what: `it becomes Cancelled at the next check, as ${metadata.annotations?.[ANNOTATIONS.cancelBy] ?? 'an unknown user'} asked` };
}

/** The commands with which an approver decides, while a decision is required. */
function commandsFor({ request, approval }: ExplainSeen, blocker: Blocker | undefined): Pick<Next, 'commands'> {
  if (blocker?.gate !== 'Approval' || !approval || approval.status?.decision) return {};
  const { name, namespace = '' } = request.metadata;
  return { commands: [`sickbay approve ${name} -n ${namespace}`, `sickbay reject ${name} -n ${namespace} --reason "..."`] };
}

/** Some gates do not open again: they move the request to another phase. */
function pastGate({ gate, state, object }: Blocker, { approval }: ExplainSeen): string {
  if (gate === 'Execution') return 'it continues when its WorkflowExecution can start';
  if (gate === 'Healed') return 'it becomes Completed at the next check: nothing needs to be run';
  if (gate === 'DryRun' && state === 'closed') return 'it becomes Completed at the next check, as a dry run';
  if (gate === 'Staleness' && state === 'closed') return 'it is analysed again';
  return gate === 'Approval' ? pastApproval(object?.name ?? 'it', approval) : `it continues when ${gate} lets it pass`;
}

const pastApproval = (name: string, approval: ExplainSeen['approval']): string =>
  approval?.status?.decision
    ? 'it becomes Failed at the next check: nothing is run'
    : `it continues when an approver approves ${name}, and becomes Failed if none does in time`;

function afterBlock({ request, reevaluation }: ExplainSeen): Next {
  const { blockReason, blockedUntil } = request.status ?? {};
  const until = parseTime(blockedUntil);
  const what = reevaluation?.kind === 'leave' ? `it moves to ${reevaluation.to}: ${reevaluation.why}` : unblockText(request, blockReason);
  return {
    what,
    ...(until !== undefined && { at: until }),
    ...(reevaluation?.kind === 'stay' && { lookAgainAt: reevaluation.lookAgainAt }),
    ...(blockReason === 'ChangeFreeze' && { commands: [overrideCommand(request)] }),
  };
}

const overrideCommand = ({ metadata: { name, namespace = '' } }: RemediationRequest): string =>
  `sickbay override-freeze ${name} -n ${namespace} --reason "..."`;

const unblockText = (request: RemediationRequest, reason: BlockReason | undefined): string =>
  reason ? UNBLOCKS[reason](request) : 'it becomes Failed when the longest time in Blocked has passed';

/** The gates that are checked in a phase; a closed gate of another phase blocks nothing. */
const ASKED: Partial<Readonly<Record<RemediationPhase, readonly ExplainedGate['name'][]>>> = {
  AwaitingApproval: ['Healed', 'Approval'],
  Executing: ['Budget'],
  // Of an ended request: the block suppresses its signal.
  Failed: ['TargetBlock'],
  TimedOut: ['TargetBlock'],
  Skipped: ['TargetBlock'],
};

const BEFORE_EXECUTION: readonly RemediationPhase[] = ['Pending', 'Analyzing'];

/** What blocks the request now. In Blocked that is the recorded block, even if the checks would find another reason now. */
export function blockerOf(
  { request, execution, windowsAreUnknown }: ExplainSeen,
  phase: RemediationPhase,
  gates: readonly ExplainedGate[],
): Blocker | undefined {
  if (phase === 'Blocked') return recordedBlock(request);
  const isApproved = gates.some(({ name, state }) => name === 'Approval' && state === 'open');
  for (const gate of gates.filter((one) => isAsked(one, phase, isApproved))) {
    const { name, state } = gate;
    // That the config file was not given blocks nothing.
    if (windowsAreUnknown && name === 'ChangeFreeze' && state === 'unknown') continue;
    if (state === 'closed' || state === 'unknown') return { gate: name, state, message: gateText(gate), ...objectOf(gate, request) };
  }
  return phase === 'Executing' ? waitingExecution(execution) : undefined;
}

/** An execution that waits to start for another reason than the budget, in the words of its own condition. */
function waitingExecution(execution: ExplainSeen['execution']): Blocker | undefined {
  const ready = execution?.status?.conditions?.find(({ type }) => type === 'Ready');
  if (!execution || (execution.status?.phase ?? 'Pending') !== 'Pending' || ready?.status !== 'False') return undefined;
  const object = { kind: execution.kind, name: execution.metadata.name };
  return { gate: 'Execution', state: 'closed', message: ready.message, object };
}

/** The message of a gate. An unknown gate counts neither as open nor as closed. */
export const gateText = ({ name, state, message }: ExplainedGate): string =>
  state === 'unknown' ? `not known: ${message ?? 'no reason given'}` : (message ?? `${name} is ${state}`);

const isAsked = ({ name }: ExplainedGate, phase: RemediationPhase, isApproved: boolean): boolean => {
  if (BEFORE_EXECUTION.includes(phase)) return name !== 'Approval' && !AT_THE_START.includes(name);
  // All are checked again after an approval.
  return phase === 'AwaitingApproval' && isApproved ? !AT_THE_START.includes(name) : (ASKED[phase]?.includes(name) ?? false);
};

function recordedBlock({ status }: RemediationRequest): Blocker | undefined {
  if (!status?.blockReason) return undefined;
  const object =
    status.duplicateOf !== undefined
      ? { kind: 'RemediationRequest', name: status.duplicateOf }
      : status.blockingWorkflowExecution !== undefined && { kind: 'WorkflowExecution', name: status.blockingWorkflowExecution };
  return { gate: status.blockReason, state: 'closed', message: status.blockMessage ?? status.blockReason, ...(object && { object }) };
}

type Status = NonNullable<RemediationRequest['status']>;

/** The kind of object behind a gate, which of its inputs names it, and where the request does so otherwise. */
const OBJECTS: Partial<
  Readonly<Record<ExplainedGate['name'], { kind: string; input: string; named?: (status: Status) => string | undefined }>>
> = {
  DuplicateInProgress: { kind: 'RemediationRequest', input: 'original' },
  Approval: { kind: 'RemediationApprovalRequest', input: 'request', named: ({ approvalRequestRef }) => approvalRequestRef?.name },
  TargetBlock: { kind: 'WorkflowExecution', input: 'execution' },
  Budget: { kind: 'WorkflowExecution', input: 'execution', named: ({ workflowExecutionRef }) => workflowExecutionRef?.name },
};

/** The object behind a gate, where its inputs or the request name one. */
function objectOf({ name: gate, inputs }: ExplainedGate, { status = {} }: RemediationRequest): Pick<Blocker, 'object'> {
  const { kind = '', input = '', named } = OBJECTS[gate] ?? {};
  const name = inputs[input] ?? named?.(status);
  return name === undefined ? {} : { object: { kind, name: String(name) } };
}
