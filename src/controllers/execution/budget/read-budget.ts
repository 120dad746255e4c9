import { ConfigMap, Pod } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Reader } from '../../../runtime/reconcile/controller.ts';
import { findOver, isClaimed, ledgerKey, readLedger, type Claim, type SeenBudget } from '../../budget/index.ts';
import { replacementFinishedLive } from '../../machine-owner/replacement-finished.ts';
import { powerCycleFinished } from '../../machine-remediation/power-cycle/budget/power-cycle-finished.ts';
import type { ReadContext } from '../observed-execution.ts';
import { parseTarget } from '../../target/index.ts';
import { BY_BUDGET_ROLE, missingClaimOf, executionWaiter } from './budget-waiter.ts';
import { startBefore } from '../run/deadlines.ts';
import { runOver } from '../run/run-finished.ts';

/** Reads the ledger and, for one that has no claim yet, who else runs and waits. */
export async function readBudget(context: ReadContext): Promise<SeenBudget> {
  const { object, reader, settings } = context;
  const key = ledgerKey(settings.namespace);
  const cached = reader.get(ConfigMap, key);
  // One that lost its label is not in the cache, and still the ledger.
  const ledger = readLedger(cached.kind === 'absent' ? await reader.fetch(ConfigMap, key) : cached);
  if (ledger.kind !== 'claims') return ledger;
  const { claims, object: kept } = ledger;
  const isSettled = isClaimed(claims, object.metadata) && settings.budget.paused === undefined;
  if (isSettled)
    return { kind: 'value', ledger: kept, question: { claims, over: new Set(), waiting: [], asking: executionWaiter(object) } };
  return readQuestion(context, kept, claims);
}

async function readQuestion(
  { object, reader, now, settings }: ReadContext,
  ledger: ConfigMap,
  known: readonly Claim[],
): Promise<SeenBudget> {
  const podNode = await readPodNode(object, reader);
  if (podNode.kind === 'unreadable') return { kind: 'unreadable', reason: `the node of the target cannot be read: ${podNode.reason}` };
  const running = reader.list(WorkflowExecution, { index: BY_BUDGET_ROLE, value: 'running' });
  const queued = reader.list(WorkflowExecution, { index: BY_BUDGET_ROLE, value: 'waiting' });
  if (running.kind === 'unreadable') return running;
  if (queued.kind === 'unreadable') return queued;
  const uids = new Set([object.metadata.uid, ...known.map(({ uid }) => uid)]);
  const claims = [...known, ...running.value.filter(({ metadata }) => !uids.has(metadata.uid)).map((one) => missingClaimOf(one, now))];
  // Who is too late, or on its way out, must not keep others waiting.
  const live = queued.value.filter((one) => one.metadata.deletionTimestamp === undefined && now < startBefore(one));
  const question = { claims, waiting: live.map((one) => executionWaiter(one)), asking: executionWaiter(object, podNode.value[0]) };
  const judges = new Map([
    [WorkflowExecution.kind, runOver(reader, settings.executionNamespace)],
    [PowerCycleRemediation.kind, powerCycleFinished(reader)],
    [Machine.kind, replacementFinishedLive(reader)],
  ]);
  const over = await findOver({ ...question, settings: settings.budget, now }, judges);
  return { kind: 'value', ledger, question: { ...question, over } };
}

/** The node that the target, a pod, is on; none for other targets, and for a pod that is on none. */
async function readPodNode({ spec }: WorkflowExecution, reader: Reader): Promise<Listed<string>> {
  const target = parseTarget(spec.targetResource);
  if (target?.kind !== 'Pod') return { kind: 'value', value: [] };
  const pod = await reader.fetch(Pod, { namespace: target.namespace ?? '', name: target.name });
  if (pod.kind === 'unreadable') return pod;
  const node = pod.kind === 'value' ? pod.value.spec.nodeName : undefined;
  return { kind: 'value', value: node === undefined ? [] : [node] };
}
