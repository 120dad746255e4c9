import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { CallHandler } from '../../runtime/effects.ts';
import { crashSweep } from '../crash-sweep.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario } from '../scenario.ts';
import { awx, awxScenario, awxSteps, SECRET_VALUE, stageOf, type Twist } from './scenario.ts';
import { TOKEN_START } from './token-giver.ts';

const LIMIT_MS = 10 * 60_000;

describe('executions whose playbooks AWX runs', () => {
  test('[WE-003] run there, one after the other, and leave nothing behind', async () => {
    const ends = {
      ...awxScenario(),
      endState: (simulation: Parameters<typeof stageOf>[0]) => ({
        phases: simulation.mirror.all(WorkflowExecution).map(({ metadata, status }) => `${metadata.name} ${status?.phase}`),
        types: stageOf(simulation).awx.state.types.size,
        jobs: stageOf(simulation).awx.state.jobs.size,
      }),
    };
    const result = await runScenario(ends, { seed: 5, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toMatchObject({ types: 1, jobs: 5 });
    expect(result.journal().join('\n')).not.toMatch(new RegExp(`${SECRET_VALUE}|${TOKEN_START}`));
  });

  test(`survive ${seedsPerTest()} seeds of all faults, and an AWX with bad days`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(awx, { count: seedsPerTest() });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test('survive a fault of each kind at every write, in the cluster and in AWX', { timeout: LIMIT_MS }, async () => {
    const report = await crashSweep(awxSteps);
    expect(report.failures.map(({ plan, result }) => `${plan.point} ${plan.fault.kind}: ${result.violations.join('; ')}`)).toEqual([]);
    expect(report.plans).toBeGreaterThan(100);
  });
});

/** A handler that does this step in another way. */
const instead =
  (step: string, act: (handler: CallHandler) => CallHandler): NonNullable<Twist['wrapCalls']> =>
  (handler) =>
  (call, signal) =>
    ((call.input as { readonly do: string }).do === step ? act(handler) : handler)(call, signal);

describe('the story notices', () => {
  test.each<{ what: string; twist: Twist; says: RegExp; seeds?: number }>([
    {
      what: 'a launch that is tried again when no answer came',
      twist: {
        wrapCalls: instead('launch', (handler) => async (call, signal) => {
          await handler(call, signal);
          await handler(call, signal);
        }),
      },
      says: /at most one job per execution/,
    },
    {
      what: 'credentials that are not deleted',
      twist: { wrapCalls: instead('delete credential', () => () => Promise.resolve()) },
      says: /not settled|is left in AWX/,
    },
    {
      what: 'a job that nobody stops',
      twist: { wrapCalls: instead('cancel', () => () => Promise.resolve()) },
      says: /./,
    },
  ])('$what', { timeout: LIMIT_MS }, async ({ twist, says, seeds = 40 }) => {
    const report = await runSeeds(awxScenario({ ...twist, name: 'broken' }), { count: seeds, stopAtFirst: true });
    expect(report.failures.flatMap(({ violations }) => violations).join('; ')).toMatch(says);
  });
});
