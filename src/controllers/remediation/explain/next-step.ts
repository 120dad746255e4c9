import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { parseTime, type Instant } from '../../../base/index.ts';
import { targetText } from '../../target/index.ts';
import type { Blocker, ExplainSeen, Gate, Next } from './explanation.ts';

/** What a request waits for in each phase where no gate holds it up. */
const WORK: Readonly<Record<Exclude<RemediationPhase, 'Blocked'>, string>> = {
  Pending: 'its signal is looked at next',
  Processing: 'it goes on when its SignalProcessing is over',
  Analyzing: 'it goes on when its AIAnalysis is over',
  AwaitingApproval: 'it goes on when somebody approves it',
  Executing: 'it goes on when its WorkflowExecution is over',
  Verifying: 'it is over when its EffectivenessAssessment is',
  Completed: 'it is over',
  Failed: 'it is over',
  TimedOut: 'it is over',
  Skipped: 'it is over',
  Cancelled: 'it is over',
};

/** What ends a block of each reason, in words. */
const UNBLOCKS: Readonly<Record<BlockReason, (request: RemediationRequest) => string>> = {
  UnmanagedResource: ({ spec, status }) =>
    `it starts over when ${targetText(status?.remediationTarget ?? spec.targetResource)} or its namespace is labelled kubernaut.ai/managed=true`,
  ConsecutiveFailures: () => 'it is Failed when the cooldown is over, and the next signal is taken up again',
  DuplicateInProgress: ({ status }) => `it starts over when RemediationRequest ${status?.duplicateOf ?? ''} is over`,
  ExponentialBackoff: () => 'it is Failed when the wait is over, and the next signal is taken up again',
  ResourceBusy: ({ status }) => `it is looked at again when WorkflowExecution ${status?.blockingWorkflowExecution ?? ''} is over`,
  RecentlyRemediated: () => 'it is Failed when the wait is over, and the next signal is taken up again',
  IneffectiveChain: () => 'it is Failed by the first signal that comes after its interval; find the cause by hand',
};

/** What comes next, and when. */
export function nextFor(seen: ExplainSeen, phase: RemediationPhase, blocker: Blocker | undefined): Next {
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
function afterEnd({ metadata, spec, status }: RemediationRequest, allowed: Instant | undefined, blocker: Blocker | undefined): Next {
  if (allowed === undefined) return { what: 'it is over; the next signal opens a new request' };
  if (blocker?.gate !== 'TargetBlock' || blocker.state !== 'closed')
    return { what: 'it is over; its signal opens a new request when the wait is over', at: allowed };
  const target = targetText(status?.remediationTarget ?? spec.targetResource);
  return {
    what: 'it is over; its signal opens a new request when somebody clears the block of its target, or when the wait is over',
    at: allowed,
    commands: [`sickbay clear-block ${target} -n ${metadata.namespace ?? ''} --reason "..."`],
  };
}

/** Whatever its phase, an operator's wish comes first. */
function cancellationOf({ metadata, status }: RemediationRequest): Next | undefined {
  const isWanted = metadata.annotations?.[ANNOTATIONS.cancel] !== undefined;
  if (!isWanted || isTerminal(remediationPhases, status?.overallPhase)) return undefined;
  return { what: `it is Cancelled at the next look, as ${metadata.annotations?.[ANNOTATIONS.cancelBy] ?? 'somebody'} asked` };
}

/** How to decide, where that is asked. */
function commandsFor({ request, approval }: ExplainSeen, blocker: Blocker | undefined): Pick<Next, 'commands'> {
  if (blocker?.gate !== 'Approval' || !approval || approval.status?.decision) return {};
  const { name, namespace = '' } = request.metadata;
  return { commands: [`sickbay approve ${name} -n ${namespace}`, `sickbay reject ${name} -n ${namespace} --reason "..."`] };
}

/** Some gates do not open again: they send the request elsewhere. */
function pastGate({ gate, state, object }: Blocker, { approval }: ExplainSeen): string {
  if (gate === 'Healed') return 'it is Completed at the next look: nothing needs to be run';
  if (gate === 'DryRun' && state === 'closed') return 'it is Completed at the next look, as a dry run';
  if (gate === 'Staleness' && state === 'closed') return 'it is analysed anew';
  return gate === 'Approval' ? pastApproval(object?.name ?? 'it', approval) : `it goes on when ${gate} lets it through`;
}

const pastApproval = (name: string, approval: ExplainSeen['approval']): string =>
  approval?.status?.decision
    ? 'it is Failed at the next look: nothing is run'
    : `it goes on when somebody approves ${name}, and is Failed when nobody does`;

function afterBlock({ request, reevaluation }: ExplainSeen): Next {
  const { blockReason, blockedUntil } = request.status ?? {};
  const until = parseTime(blockedUntil);
  const what = reevaluation?.kind === 'leave' ? `it goes on to ${reevaluation.to}: ${reevaluation.why}` : wordsFor(request, blockReason);
  return {
    what,
    ...(until !== undefined && { at: until }),
    ...(reevaluation?.kind === 'stay' && { lookAgainAt: reevaluation.lookAgainAt }),
  };
}

const wordsFor = (request: RemediationRequest, reason: BlockReason | undefined): string =>
  reason ? UNBLOCKS[reason](request) : 'it is Failed when it has been blocked for as long as any may be';

/** Gates that are asked in a phase; one that is closed elsewhere holds nothing up. */
const ASKED: Partial<Readonly<Record<RemediationPhase, readonly Gate['name'][]>>> = {
  AwaitingApproval: ['Healed', 'Approval'],
  Executing: ['Budget'],
  // Of one that is over: its signal waits for that.
  Failed: ['TargetBlock'],
  TimedOut: ['TargetBlock'],
  Skipped: ['TargetBlock'],
};

/** Asked by the execution itself. */
const AT_THE_START: readonly Gate['name'][] = ['TargetBlock', 'Budget'];

const BEFORE_EXECUTION: readonly RemediationPhase[] = ['Pending', 'Analyzing'];

/** What holds the request up now. A block is what went on record when it began, whatever a look would find today. */
export function blockerOf({ request }: ExplainSeen, phase: RemediationPhase, gates: readonly Gate[]): Blocker | undefined {
  if (phase === 'Blocked') return recordedBlock(request);
  const isApproved = gates.some(({ name, state }) => name === 'Approval' && state === 'open');
  for (const gate of gates.filter((one) => isAsked(one, phase, isApproved))) {
    const { name, state } = gate;
    if (state === 'closed' || state === 'unknown') return { gate: name, state, message: wordsOf(gate), ...objectOf(gate, request) };
  }
  return undefined;
}

/** What cannot be told is never taken for a yes, nor for a no. */
export const wordsOf = ({ name, state, message }: Gate): string =>
  state === 'unknown' ? `not known: ${message ?? 'no reason given'}` : (message ?? `${name} is ${state}`);

const isAsked = ({ name }: Gate, phase: RemediationPhase, isApproved: boolean): boolean => {
  if (BEFORE_EXECUTION.includes(phase)) return name !== 'Approval' && !AT_THE_START.includes(name);
  // All are asked again once somebody has said yes.
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
const OBJECTS: Partial<Readonly<Record<Gate['name'], { kind: string; input: string; named?: (status: Status) => string | undefined }>>> = {
  DuplicateInProgress: { kind: 'RemediationRequest', input: 'original' },
  Approval: { kind: 'RemediationApprovalRequest', input: 'request', named: ({ approvalRequestRef }) => approvalRequestRef?.name },
  TargetBlock: { kind: 'WorkflowExecution', input: 'execution' },
  Budget: { kind: 'WorkflowExecution', input: 'execution', named: ({ workflowExecutionRef }) => workflowExecutionRef?.name },
};

/** The object behind a gate, where its inputs or the request name one. */
function objectOf({ name: gate, inputs }: Gate, { status = {} }: RemediationRequest): Pick<Blocker, 'object'> {
  const { kind = '', input = '', named } = OBJECTS[gate] ?? {};
  const name = inputs[input] ?? named?.(status);
  return name === undefined ? {} : { object: { kind, name: String(name) } };
}
