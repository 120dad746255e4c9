import { ConfigMap } from '../../../../api/builtin/index.ts';
import { Machine } from '../../../../api/machine/machine.ts';
import { keyOf, keyText } from '../../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../../../base/index.ts';
import type { Effect, Reader } from '../../../../runtime/reconcile/controller.ts';
import {
  findOver,
  isClaimed,
  ledgerKey,
  readLedger,
  writeLedger,
  type Claim,
  type SeenBudget,
  type Waiter,
} from '../../../budget/index.ts';
import { runOver } from '../../../execution/run/run-finished.ts';
import { replacementFinishedLive } from '../../../machine-owner/replacement-finished.ts';
import type { Settings } from '../../../settings.ts';
import { powerCycleFinished } from './power-cycle-finished.ts';
import type { ObservedNode } from '../observed.ts';
import { phaseOf } from '../status.ts';

/** Index of requests by their role in the budget. */
export const BY_BUDGET_ROLE = 'budget';
const WAITING = 'waiting';
export const WAITING_FOR_BUDGET = { index: BY_BUDGET_ROLE, value: WAITING };

const QUEUED: ReadonlySet<string> = new Set(['WaitingForBudget', 'BudgetPaused']);

/** The values of that index: `waiting` for a request that reports that it waits for the budget. */
export const powerCycleBudgetRole = (request: PowerCycleRemediation): readonly string[] =>
  ['pending', 'backoff'].includes(phaseOf(request)) &&
  QUEUED.has(request.status?.conditions?.find(({ type }) => type === 'Ready')?.reason ?? '')
    ? [WAITING]
    : [];

/** The request as the budget queues it: for its Node, which has no namespace. */
export function powerCycleWaiter(request: PowerCycleRemediation, node?: ObservedNode): Waiter {
  const { metadata, kind } = request;
  const key = keyText(keyOf(request));
  return {
    uid: metadata.uid,
    kind,
    key,
    target: `Machine ${key}`,
    ...(node?.kind === 'value' && { node: node.value.metadata.name }),
    createdAt: parseTime(metadata.creationTimestamp) ?? instant(0),
  };
}

export interface BudgetReadContext {
  readonly object: PowerCycleRemediation;
  readonly reader: Reader;
  readonly now: Instant;
  readonly settings: Settings;
}

/** Reads the ledger and, for a request that wants a claim and has none, the other claims and waiters. */
export async function readPowerCycleBudget(
  { object, reader, now, settings }: BudgetReadContext,
  node: ObservedNode,
  wants: boolean,
): Promise<SeenBudget> {
  const key = ledgerKey(settings.namespace);
  const cached = reader.get(ConfigMap, key);
  const ledger = readLedger(cached.kind === 'absent' && wants ? await reader.fetch(ConfigMap, key) : cached);
  if (ledger.kind !== 'claims') return ledger;
  const { claims } = ledger;
  const asking = powerCycleWaiter(object, node);
  const isSettled = !wants || (isClaimed(claims, asking) && settings.budget.paused === undefined);
  if (isSettled) return { kind: 'value', ledger: ledger.object, question: { claims, over: new Set(), waiting: [], asking } };
  const queued = reader.list(PowerCycleRemediation, WAITING_FOR_BUDGET);
  if (queued.kind === 'unreadable') return queued;
  const waiting = queued.value.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map((one) => powerCycleWaiter(one));
  const runs = runOver(reader, settings.executionNamespace);
  const judges = new Map([
    // Only from live reads: executions and their runs are not in this cache.
    [WorkflowExecution.kind, { look: () => 'unsure' as const, ask: (claim: Parameters<typeof runs.ask>[0]) => runs.ask(claim) }],
    [PowerCycleRemediation.kind, powerCycleFinished(reader)],
    [Machine.kind, replacementFinishedLive(reader)],
  ]);
  const over = await findOver({ claims, waiting, asking, settings: settings.budget, now }, judges);
  return { kind: 'value', ledger: ledger.object, question: { claims, over, waiting, asking } };
}

/** Ends the claim, where there is one: the slot is free, and the attempt still counts for its hour. */
export const endClaim = (budget: SeenBudget, now: Instant): readonly Effect[] => withOwn(budget, (claim) => [{ ...claim, endedAt: now }]);

/** Removes the claim, where there is one: nothing was started, so that nothing counts. */
export const dropClaim = (budget: SeenBudget): readonly Effect[] => withOwn(budget, () => []);

function withOwn(budget: SeenBudget, replacement: (claim: Claim) => readonly Claim[]): readonly Effect[] {
  if (budget.kind !== 'value') return [];
  const { ledger, question } = budget;
  const { claims, asking } = question;
  if (!isClaimed(claims, asking)) return [];
  return [
    writeLedger(
      ledger,
      claims.flatMap((claim) => (claim.uid === asking.uid ? replacement(claim) : [claim])),
    ),
  ];
}
