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
import { replacementOverByServer } from '../../../machine-owner/replacement-finished.ts';
import type { Settings } from '../../../settings.ts';
import { powerCycleOver } from './power-cycle-finished.ts';
import type { NodeSeen } from '../observed.ts';
import { phaseOf } from '../status.ts';

/** How requests are found by what they are to the budget. */
export const BY_BUDGET = 'budget';
const WAITING = 'waiting';
export const THOSE_WAITING = { index: BY_BUDGET, value: WAITING };

const QUEUED: ReadonlySet<string> = new Set(['WaitingForBudget', 'BudgetPaused']);

/** The values of that index. */
export const budgetRole = (request: PowerCycleRemediation): readonly string[] =>
  ['pending', 'backoff'].includes(phaseOf(request)) &&
  QUEUED.has(request.status?.conditions?.find(({ type }) => type === 'Ready')?.reason ?? '')
    ? [WAITING]
    : [];

/** A request as it asks: for its Node, which lives in no namespace. */
export function waiterOf(request: PowerCycleRemediation, node?: NodeSeen): Waiter {
  const { metadata, kind } = request;
  const key = keyText(keyOf(request));
  return {
    uid: metadata.uid,
    kind,
    key,
    target: `Machine ${key}`,
    ...(node?.kind === 'there' && { node: node.node.metadata.name }),
    createdAt: parseTime(metadata.creationTimestamp) ?? instant(0),
  };
}

export interface ClaimLook {
  readonly object: PowerCycleRemediation;
  readonly reader: Reader;
  readonly now: Instant;
  readonly settings: Settings;
}

/** Reads the ledger and, for one that wants a claim and has none, who else runs and waits. */
export async function readClaims({ object, reader, now, settings }: ClaimLook, node: NodeSeen, wants: boolean): Promise<SeenBudget> {
  const key = ledgerKey(settings.namespace);
  const cached = reader.get(ConfigMap, key);
  const ledger = readLedger(cached.kind === 'absent' && wants ? await reader.fetch(ConfigMap, key) : cached);
  if (ledger.kind !== 'claims') return ledger;
  const { claims } = ledger;
  const asking = waiterOf(object, node);
  const isSettled = !wants || (isClaimed(claims, asking) && settings.budget.paused === undefined);
  if (isSettled) return { kind: 'value', ledger: ledger.object, question: { claims, over: new Set(), waiting: [], asking } };
  const queued = reader.list(PowerCycleRemediation, THOSE_WAITING);
  if (queued.kind === 'unreadable') return queued;
  const waiting = queued.value.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map((one) => waiterOf(one));
  const runs = runOver(reader, settings.executionNamespace);
  const judges = new Map([
    // Only on the server's word: executions and their runs are not among what is kept here.
    [WorkflowExecution.kind, { look: () => 'unsure' as const, ask: (claim: Parameters<typeof runs.ask>[0]) => runs.ask(claim) }],
    [PowerCycleRemediation.kind, powerCycleOver(reader)],
    [Machine.kind, replacementOverByServer(reader)],
  ]);
  const over = await findOver({ claims, waiting, asking, settings: settings.budget, now }, judges);
  return { kind: 'value', ledger: ledger.object, question: { claims, over, waiting, asking } };
}

/** Gives the claim back, where there is one: the attempt is over, and counts for its hour. */
export const giveBack = (budget: SeenBudget, now: Instant): readonly Effect[] => withOwn(budget, (claim) => [{ ...claim, endedAt: now }]);

/** Takes the claim back, where there is one: nothing was begun, so that nothing counts. */
export const withdraw = (budget: SeenBudget): readonly Effect[] => withOwn(budget, () => []);

function withOwn(budget: SeenBudget, becomes: (claim: Claim) => readonly Claim[]): readonly Effect[] {
  if (budget.kind !== 'value') return [];
  const { ledger, question } = budget;
  const { claims, asking } = question;
  if (!isClaimed(claims, asking)) return [];
  return [
    writeLedger(
      ledger,
      claims.flatMap((claim) => (claim.uid === asking.uid ? becomes(claim) : [claim])),
    ),
  ];
}
