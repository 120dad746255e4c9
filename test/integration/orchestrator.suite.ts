/** The orchestrator from end to end, among stand-ins: what holds on a real kube-apiserver and on ours alike. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeScenarios, pathScenarios } from './orchestrator/paths.ts';
import { Stages, type House } from './orchestrator/stages.ts';

const PATIENCE_MS = 60_000;

/** Scenarios on whatever server the house has; it is asked for once, before the first of them. */
export function orchestratorSuite(enter: () => Promise<House>): void {
  const stages = new Stages();
  beforeAll(async () => stages.open(await enter()), PATIENCE_MS);
  afterAll(() => stages.close(), PATIENCE_MS);

  // Each about a target of its own, so that none waits for another.
  describe.concurrent('scenarios', { timeout: PATIENCE_MS }, () => {
    pathScenarios(stages);
    outcomeScenarios(stages);
  });

  test('nothing was done without leave, no move was illegal, and no pass failed', () => {
    expect(stages.all.map(({ ledger }) => ledger.wrong()).filter((wrong) => wrong !== undefined)).toEqual([]);
    expect(stages.all.flatMap(({ trouble }) => trouble)).toEqual([]);
  });
}
