import { ConfigMap } from '../../api/builtin/index.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyOf, keyText } from '../../api/meta.ts';
import { PowerCycleRemediation } from '../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import {
  findOver,
  isClaimed,
  ledgerKey,
  readLedger,
  type Claim,
  type Ledger,
  type OverJudge,
  type OverJudges,
  type Waiter,
} from '../budget/index.ts';
import { runOver } from '../execution/run/run-finished.ts';
import { powerCycleFinished } from '../machine-remediation/power-cycle/budget/power-cycle-finished.ts';
import { conditionOf } from '../machine-health/conditions/cluster-api-conditions.ts';
import type { Settings } from '../settings.ts';
import { replacementFinished } from './replacement-finished.ts';

/** The ledger, and which of its claims have finished although it does not record that. */
export type BudgetSeen =
  Exclude<Ledger, { kind: 'claims' }> | (Extract<Ledger, { kind: 'claims' }> & { readonly over: ReadonlySet<string> });

/** Reads the ledger live, because a granted claim leads to a deletion. `asking` are the Machines that may claim. */
export async function readReplacementBudget(
  reader: Reader,
  asking: readonly Machine[],
  { settings, now }: { readonly settings: Settings; readonly now: Instant },
): Promise<BudgetSeen> {
  const ledger = readLedger(await reader.fetch(ConfigMap, ledgerKey(settings.namespace)));
  if (ledger.kind !== 'claims') return ledger;
  const { claims } = ledger;
  const over = new Set(await replaced(reader, claims));
  const judges = judgesOf(reader, settings);
  // Each Machine separately: a claim that blocks one, on its Node, need not block another.
  for (const machine of asking.filter(({ metadata }) => !isClaimed(claims, metadata))) {
    const left = claims.filter(({ uid }) => !over.has(uid));
    const question = { claims: left, waiting: [], asking: replacementWaiter(machine), settings: settings.budget, now };
    for (const uid of await findOver(question, judges)) over.add(uid);
  }
  return { ...ledger, over };
}

/** What decides whether the claims of other kinds have finished. */
const judgesOf = (reader: Reader, { executionNamespace }: Settings): OverJudges =>
  new Map([
    [WorkflowExecution.kind, askedOnce({ ...runOver(reader, executionNamespace), look: () => 'unsure' })],
    [PowerCycleRemediation.kind, askedOnce(powerCycleFinished(reader))],
  ]);

/** Reads the state of each claim once per pass, however many Machines wait for its end. */
function askedOnce(judge: OverJudge): OverJudge {
  const answers = new Map<string, Promise<boolean>>();
  return {
    look: (claim) => judge.look(claim),
    ask(claim) {
      const answer = answers.get(claim.uid) ?? judge.ask(claim);
      answers.set(claim.uid, answer);
      return answer;
    },
  };
}

/** Claims of Machines whose replacement has finished. The owner that finds one records it: no other controller does. */
async function replaced(reader: Reader, claims: readonly Claim[]): Promise<readonly string[]> {
  const judge = replacementFinished(reader);
  const open = claims.filter(({ kind, endedAt }) => kind === Machine.kind && endedAt === undefined);
  const asked = await Promise.all(
    open.map(async (claim) => (judge.look(claim) !== 'running' && (await judge.ask(claim)) ? [claim.uid] : [])),
  );
  return asked.flat();
}

/** The Machine as the budget queues it, ordered by when its replacement was requested. */
export function replacementWaiter(machine: Machine): Waiter {
  const { uid, namespace = '' } = machine.metadata;
  const node = machine.status?.nodeRef?.name;
  const marked = conditionOf(machine.status ?? {}, 'OwnerRemediated')?.lastTransitionTime;
  return {
    uid,
    kind: Machine.kind,
    key: keyText(keyOf(machine)),
    target: `Machine ${keyText(keyOf(machine))}`,
    namespace,
    ...(node === undefined ? {} : { node }),
    createdAt: parseTime(marked) ?? instant(0),
  };
}

/** The claims, with these ended. */
export const ended = (claims: readonly Claim[], over: ReadonlySet<string>, now: Instant): readonly Claim[] =>
  claims.map((claim) => (over.has(claim.uid) && claim.endedAt === undefined ? { ...claim, endedAt: now } : claim));
