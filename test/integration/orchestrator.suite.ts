/** The orchestrator from end to end, among stand-ins: what holds on a real kube-apiserver and on ours alike. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalScenarios, voidApprovalScenarios } from './orchestrator/approvals.ts';
import { duplicateScenarios, eventBlockScenarios, repeatedScenarios, timeBlockScenarios } from './orchestrator/blocks.ts';
import { deletedChildScenarios, foreignChildScenarios } from './orchestrator/children.ts';
import { extremeScenarios, meetingScenarios, middleScenarios } from './orchestrator/edges.ts';
import { outcomeScenarios, pathScenarios } from './orchestrator/paths.ts';
import { requestScenarios } from './orchestrator/requests.ts';
import { Stages, type House } from './orchestrator/fixtures.ts';
import { cancelScenarios, timeoutScenarios } from './orchestrator/cancel-and-timeout.ts';
import { dryRunScenarios, resolvedScenarios, targetScenarios } from './orchestrator/targets.ts';

const TIMEOUT_MS = 60_000;

/** The longest first. */
const SCENARIOS = [
  timeoutScenarios,
  repeatedScenarios,
  timeBlockScenarios,
  eventBlockScenarios,
  duplicateScenarios,
  pathScenarios,
  outcomeScenarios,
  approvalScenarios,
  voidApprovalScenarios,
  cancelScenarios,
  deletedChildScenarios,
  foreignChildScenarios,
  targetScenarios,
  resolvedScenarios,
  dryRunScenarios,
  requestScenarios,
  middleScenarios,
  meetingScenarios,
  extremeScenarios,
];

/** Scenarios on whatever server the house has; it is asked for once, before the first of them. */
export function orchestratorSuite(enter: () => Promise<House>): void {
  const stages = new Stages();
  beforeAll(async () => stages.open(await enter()), TIMEOUT_MS);
  afterAll(() => stages.close(), TIMEOUT_MS);

  // Each about a target of its own, so that none waits for another.
  describe.concurrent('scenarios', { timeout: TIMEOUT_MS }, () => {
    for (const scenarios of SCENARIOS) scenarios(stages);
  });

  test('nothing was done without leave, no move was illegal, and no pass failed', () => {
    expect(stages.all.map(({ ledger }) => ledger.wrong()).filter((wrong) => wrong !== undefined)).toEqual([]);
    expect(stages.all.flatMap(({ trouble }) => trouble)).toEqual([]);
  });
}
